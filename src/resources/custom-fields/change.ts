/** Creating and updating custom fields. */
import { newId } from '../../access/ids.js'
import { type CustomFieldType, maxCustomFields } from '../../contract/custom-fields.js'
import { ApiError } from '../../contract/errors.js'
import type { CustomFieldId, OrganizationId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { requireOrganizationLock } from '../../store/db/transactions.js'
import { type CustomFieldRow, insertField, loadFields, updateField } from './store.js'

interface FieldInput {
  readonly title?: string
  readonly description?: string
  readonly placeholder?: string
  readonly options?: readonly string[]
}

/** Members of a field that no update has: they stand in paths, and in the values of spaces. */
interface FixedMembers {
  readonly name?: unknown
  readonly type?: unknown
}

const hasOptions = (type: string): boolean => type.startsWith('select:')

function requireNoMisplacedOptions(type: string, options: readonly string[] | undefined): void {
  if (options === undefined || hasOptions(type)) return
  throw new ApiError('invalid_request', {
    problem: `The member "options" has no place in a field of the type "${type}": only "select:single" and "select:multi" have them.`,
  })
}

/** Returns the row of a new field; throws 409 for a taken name, and 400 for options that its type needs or cannot have. */
export async function createField(
  tx: Tx,
  organizationId: OrganizationId,
  { name, type, options, ...texts }: FieldInput & { readonly name: string; readonly type: CustomFieldType },
  now: number,
): Promise<CustomFieldRow> {
  if (hasOptions(type) && options === undefined) {
    throw new ApiError('invalid_request', {
      problem: `The member "options" is missing: a field of the type "${type}" needs 1 to 50 of them.`,
    })
  }
  requireNoMisplacedOptions(type, options)
  requireOrganizationLock(tx, organizationId)
  const others = await loadFields(tx, organizationId)
  if (others.some((other) => other.name === name)) {
    throw new ApiError('already_taken', { member: 'name', value: name })
  }
  if (others.length >= maxCustomFields) {
    throw new ApiError('invalid_request', {
      problem: `An organization has at most ${maxCustomFields} custom fields: delete one first.`,
    })
  }
  return insertField(tx, {
    organization_id: organizationId,
    id: newId<CustomFieldId>(),
    name,
    title: texts.title ?? name,
    description: texts.description ?? '',
    placeholder: texts.placeholder ?? '',
    type,
    options: options === undefined ? null : JSON.stringify(options),
    created_at: now,
    updated_at: now,
  })
}

/**
 * Returns the row after the change; throws 400 for a name or a type, which never change, and for options that the type
 * cannot have. Existing values of spaces remain, even if they are no longer an option.
 */
export async function changeField(
  tx: Tx,
  row: CustomFieldRow,
  change: FieldInput & FixedMembers,
  now: number,
): Promise<CustomFieldRow> {
  for (const member of ['name', 'type'] as const) {
    if (change[member] === undefined) continue
    throw new ApiError('invalid_request', {
      problem: `The member "${member}" of a field cannot be updated: it stays "${row[member]}".`,
    })
  }
  const { title, description, placeholder, options } = change
  requireNoMisplacedOptions(row.type, options)
  return updateField(tx, row, {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(placeholder !== undefined && { placeholder }),
    ...(options !== undefined && { options: JSON.stringify(options) }),
    updated_at: now,
  })
}
