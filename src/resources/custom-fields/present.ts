/** Wire format of a custom field. */
import type { Addresses } from '../../contract/addresses.js'
import type { CustomField } from '../../contract/custom-fields.js'
import type { Role } from '../../contract/shapes.js'
import type { CustomFieldRow } from './store.js'
import { optionsIn } from './values.js'

/** `role` is the reader's role in the organization: guests see fields only in a space, with its values. */
export function presentField(
  addresses: Addresses,
  role: Role | null | undefined,
  row: CustomFieldRow,
): CustomField {
  return {
    id: row.id,
    name: row.name,
    title: row.title,
    description: row.description,
    type: row.type as CustomField['type'],
    placeholder: row.placeholder,
    ...(row.options !== null && { options: [...optionsIn(row.options)] }),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    urls: { location: addresses.api(`/orgs/${row.organization_id}/custom-fields/${row.name}`) },
    permissions: { view: (role ?? null) !== null, edit: role === 'admin' },
  }
}
