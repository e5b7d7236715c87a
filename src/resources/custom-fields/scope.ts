/** The step `/custom-fields/:fieldName` of an organization, by the organization's rules. */
import { type LoadRequest, perhapsWithin, within } from '../../access/route/scope.js'
import { inOrganization } from '../organizations/scope.js'
import type { OrganizationOf } from '../organizations/store.js'
import { findField } from './store.js'

const step = {
  key: 'field',
  thing: 'custom field',
  find: ({ db }: LoadRequest, name: string, { organization }: { readonly organization: OrganizationOf }) =>
    findField(db, organization.row.id, name),
} as const

export const inField = within(inOrganization, 'fieldName', step)

/** The same for removing a field, which may be gone already. */
export const atField = perhapsWithin(inOrganization, 'fieldName', step)
