/** What spaces say in the custom fields of their organization. */
import type { CustomFieldValues, CustomFieldValue } from '../../contract/custom-fields.js'
import type { Addresses } from '../../contract/addresses.js'
import { ApiError } from '../../contract/errors.js'
import type { Role } from '../../contract/shapes.js'
import type { CustomFieldId, OrganizationId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import { presentField } from '../custom-fields/present.js'
import { type CustomFieldRow, type Said, loadFields, loadSaid, putTexts } from '../custom-fields/store.js'
import { takesTexts, textSought, textsOf, valueOf } from '../custom-fields/values.js'
import type { SpaceKey } from './store.js'

/** Returns every field of the organization with the value of the space, for somebody with this role in the organization. */
export async function listValues(
  db: Db,
  addresses: Addresses,
  { organization_id: organizationId, id }: SpaceKey,
  role: Role | null | undefined,
): Promise<CustomFieldValues> {
  const said = await loadSaidBy(db, { organization_id: organizationId, id })
  const byField = new Map(said.map((one) => [one.field.id, one]))
  return (await loadFields(db, organizationId)).map((row) => {
    const here = byField.get(row.id)
    return {
      customField: presentField(addresses, role, row),
      ...(here !== undefined && { value: valueOf(here) }),
    }
  })
}

type Values = Readonly<Record<string, { readonly value: CustomFieldValue | null }>>

/** Sets and clears values by the names of fields, all or none. */
export async function setValues(tx: Tx, space: SpaceKey, values: Values): Promise<void> {
  const fields = await fieldsByName(tx, space.organization_id)
  const texts = new Map<CustomFieldId, readonly string[]>()
  for (const [name, { value }] of Object.entries(values)) {
    const field = fields.get(name)
    if (field === undefined) throw new ApiError('not_found', { thing: `custom field "${name}"` })
    texts.set(field.id, value === null ? [] : textsOf(field, value, `values.${name}.value`))
  }
  await putTexts(tx, space, texts)
}

/** Takes the values of a space to another one of the organization. */
export async function copyValues(tx: Tx, from: SpaceKey, to: SpaceKey): Promise<void> {
  const said = await loadSaidBy(tx, from)
  await putTexts(tx, to, new Map(said.map(({ field, texts }) => [field.id, texts])))
}

/** Returns what one space says. */
export async function loadSaidBy(
  db: Db,
  { organization_id: organizationId, id }: SpaceKey,
): Promise<readonly Said[]> {
  return (await loadSaid(db, organizationId, [id])).get(id) ?? []
}

/** Says the same in the fields of another organization that have the same name and type and take it; the rest stays behind. */
export async function carryValues(tx: Tx, said: readonly Said[], to: SpaceKey): Promise<void> {
  if (said.length === 0) return
  const fields = await fieldsByName(tx, to.organization_id)
  const texts = said.flatMap(({ field, texts }) => {
    const there = fields.get(field.name)
    return there !== undefined && there.type === field.type && takesTexts(there, texts)
      ? [[there.id, texts] as const]
      : []
  })
  await putTexts(tx, to, new Map(texts))
}

/** A condition of a list: what spaces must say in a field. */
export interface Sought {
  readonly field: CustomFieldRow
  readonly text: string
}

/** Reads `name:value` of a query; throws 400 for a field that there is not, or a value that it cannot have. */
export async function readSought(
  db: Db,
  organizationId: OrganizationId,
  written: readonly string[],
): Promise<readonly Sought[]> {
  if (written.length === 0) return []
  const fields = await fieldsByName(db, organizationId)
  return written.map((one) => {
    const [, name = one, value] = /^([^:]*):(.*)$/s.exec(one) ?? []
    const field = fields.get(name)
    if (field === undefined)
      throw new ApiError('invalid_reference', { member: 'customField', thing: `a custom field "${name}"` })
    const text = value === undefined ? undefined : textSought(field, value)
    if (text === undefined) {
      throw new ApiError('invalid_request', {
        problem: `The query member "customField" takes "${name}:" and then a value of the type "${field.type}".`,
      })
    }
    return { field, text }
  })
}

async function fieldsByName(db: Db, organizationId: OrganizationId): Promise<Map<string, CustomFieldRow>> {
  return new Map((await loadFields(db, organizationId)).map((row) => [row.name, row]))
}
