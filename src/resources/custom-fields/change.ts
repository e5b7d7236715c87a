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

/** Returns the row of a new field; throws 409 for a taken name, and 400 for a select field without options. */
export async function createField(
  tx: Tx,
  organizationId: OrganizationId,
  { name, type, options, ...texts }: FieldInput & { readonly name: string; readonly type: CustomFieldType },
  now: number,
): Promise<CustomFieldRow> {
  if (type.startsWith('select:') && options === undefined) {
    throw new ApiError('invalid_request', {
      problem: `The member "options" is missing: a field of the type "${type}" needs 1 to 50 of them.`,
    })
  }
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

/** Returns the row after the change. Existing values of spaces remain, even if they are no longer an option. */
export function changeField(
  tx: Tx,
  row: CustomFieldRow,
  { title, description, placeholder, options }: FieldInput,
  now: number,
): Promise<CustomFieldRow> {
  return updateField(tx, row, {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(placeholder !== undefined && { placeholder }),
    ...(options !== undefined && { options: JSON.stringify(options) }),
    updated_at: now,
  })
}
