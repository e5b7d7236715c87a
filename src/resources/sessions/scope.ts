/** Route scopes of the actor's own sessions, and of a member's account, whose sessions an admin may end. */
import { ownAccount, subresourceScope } from '../../access/route/scope.js'
import type { UserId } from '../../core/ids.js'
import { inOrganization } from '../organizations/scope.js'
import { findMemberAccount, findSessionOf } from './store.js'

export const atSession = subresourceScope(ownAccount, 'sessionId', {
  key: 'session',
  noun: 'session',
  find: ({ db, actor }, id) => findSessionOf(db, actor, id),
  organizationOf: ({ organization_id }) => organization_id,
})

export const atMemberAccount = subresourceScope(inOrganization, 'userId', {
  key: 'account',
  noun: 'member',
  find: ({ db }, id, { organization }) => findMemberAccount(db, organization.row.id, id as UserId),
})
