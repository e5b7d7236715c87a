/** Routes of custom fields of an organization: visible to members, managed by admins. */
import { type Route, route } from '../../access/route/route.js'
import * as operations from '../../contract/custom-fields.js'
import { inOrganization } from '../organizations/scope.js'
import { changeField, createField } from './change.js'
import { presentField } from './present.js'
import { atField, inField } from './scope.js'
import { deleteField, listFields } from './store.js'

export const customFieldRoutes: readonly Route[] = [
  route(operations.listCustomFields, {
    at: inOrganization,
    allow: 'view',
    handle: async ({ db, organization: { row, role }, query, services }) => {
      const list = await listFields(db, row.id, query)
      return { ...list, items: list.items.map((field) => presentField(services.addresses, role, field)) }
    },
  }),

  route(operations.createCustomField, {
    at: inOrganization,
    allow: 'administer',
    handle: async ({ tx, organization: { row, role }, body, now, services }) =>
      presentField(services.addresses, role, await createField(tx, row.id, body, now)),
  }),

  route(operations.getCustomField, {
    at: inField,
    allow: 'view',
    handle: async ({ organization: { role }, field, services }) =>
      presentField(services.addresses, role, field),
  }),

  route(operations.updateCustomField, {
    at: inField,
    allow: 'administer',
    handle: async ({ tx, organization: { role }, field, body, now, services }) =>
      presentField(services.addresses, role, await changeField(tx, field, body, now)),
  }),

  route(operations.deleteCustomField, {
    at: atField,
    allow: 'administer',
    handle: async ({ tx, field }) => {
      if (field !== undefined) await deleteField(tx, field)
    },
  }),
]
