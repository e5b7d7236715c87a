/** Custom field values of spaces. */
import type { CustomFieldValues, CustomFieldValue } from '../../contract/custom-fields.js'
import type { Addresses } from '../../contract/addresses.js'
import { ApiError } from '../../contract/errors.js'
import type { Role } from '../../contract/shapes.js'
import type { CustomFieldId, OrganizationId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import { presentField } from '../custom-fields/present.js'
import {
  type CustomFieldRow,
  type FieldTexts,
  loadFields,
  loadFieldTexts,
  putTexts,
} from '../custom-fields/store.js'
import { acceptsTexts, searchTextOf, textsOf, valueOf } from '../custom-fields/values.js'
import type { SpaceKey } from './store.js'

/** Returns every field of the organization with the value of the space, for a user with this role in the organization. */
export async function listValues(
  db: Db,
  addresses: Addresses,
  { organization_id: organizationId, id }: SpaceKey,
  role: Role | null | undefined,
): Promise<CustomFieldValues> {
  const values = await loadSpaceValues(db, { organization_id: organizationId, id })
  const byField = new Map(values.map((one) => [one.field.id, one]))
  return (await loadFields(db, organizationId)).map((row) => {
    const value = byField.get(row.id)
    return {
      customField: presentField(addresses, role, row),
      ...(value !== undefined && { value: valueOf(value) }),
    }
  })
}

type Values = Readonly<Record<string, { readonly value: CustomFieldValue | null }>>

/** Sets and clears values by field name; throws 404 for an unknown field. */
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

/** Copies the values of a space to another one of the organization. */
export async function copyValues(tx: Tx, from: SpaceKey, to: SpaceKey): Promise<void> {
  const values = await loadSpaceValues(tx, from)
  await putTexts(tx, to, new Map(values.map(({ field, texts }) => [field.id, texts])))
}

/** Returns the values of one space. */
export async function loadSpaceValues(
  db: Db,
  { organization_id: organizationId, id }: SpaceKey,
): Promise<readonly FieldTexts[]> {
  return (await loadFieldTexts(db, organizationId, [id])).get(id) ?? []
}

/** Copies values to fields of another organization with the same name and type that accept them; the rest is dropped. */
export async function transferValues(tx: Tx, values: readonly FieldTexts[], to: SpaceKey): Promise<void> {
  if (values.length === 0) return
  const fields = await fieldsByName(tx, to.organization_id)
  const texts = values.flatMap(({ field, texts }) => {
    const there = fields.get(field.name)
    return there !== undefined && there.type === field.type && acceptsTexts(there, texts)
      ? [[there.id, texts] as const]
      : []
  })
  await putTexts(tx, to, new Map(texts))
}

/** A list filter: the value that spaces must have in a field. */
export interface FieldCondition {
  readonly field: CustomFieldRow
  readonly text: string
}

/** Parses `name:value` of a query; throws 400 for an unknown field or an invalid value. */
export async function parseFieldConditions(
  db: Db,
  organizationId: OrganizationId,
  conditions: readonly string[],
): Promise<readonly FieldCondition[]> {
  if (conditions.length === 0) return []
  const fields = await fieldsByName(db, organizationId)
  return conditions.map((one) => {
    const [, name = one, value] = /^([^:]*):(.*)$/s.exec(one) ?? []
    const field = fields.get(name)
    if (field === undefined)
      throw new ApiError('invalid_reference', { member: 'customField', thing: `a custom field "${name}"` })
    const text = value === undefined ? undefined : searchTextOf(field, value)
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
