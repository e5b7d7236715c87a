/** The steps to one of one's own sessions, and to the account of a member, whose sessions an admin ends. */
import { asOneself, within } from '../../access/route/scope.js'
import type { UserId } from '../../core/ids.js'
import { inOrganization } from '../organizations/scope.js'
import { findMemberAccount, findSessionOf } from './store.js'

export const atSession = within(asOneself, 'sessionId', {
  key: 'session',
  thing: 'session',
  find: ({ db, actor }, id) => findSessionOf(db, actor, id),
})

export const atMemberAccount = within(inOrganization, 'userId', {
  key: 'account',
  thing: 'member',
  find: ({ db }, id, { organization }) => findMemberAccount(db, organization.row.id, id as UserId),
})
