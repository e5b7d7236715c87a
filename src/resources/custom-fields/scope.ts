/** Route scope `/custom-fields/:fieldName` of an organization, authorized as the organization. */
import { type LoadRequest, optionalSubresourceScope, subresourceScope } from '../../access/route/scope.js'
import { inOrganization } from '../organizations/scope.js'
import type { OrganizationContext } from '../organizations/store.js'
import { findField } from './store.js'

const step = {
  key: 'field',
  noun: 'custom field',
  find: (
    { db }: LoadRequest,
    name: string,
    { organization }: { readonly organization: OrganizationContext },
  ) => findField(db, organization.row.id, name),
} as const

export const inField = subresourceScope(inOrganization, 'fieldName', step)

/** The same for idempotent deletion. */
export const atField = optionalSubresourceScope(inOrganization, 'fieldName', step)
