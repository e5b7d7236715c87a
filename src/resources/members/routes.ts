/** Routes of members of an organization. */
import { type Route, route } from '../../access/route/route.js'
import type { Services } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import * as operations from '../../contract/members.js'
import type { Db } from '../../store/db/database.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import type { OrganizationContext } from '../organizations/store.js'
import { changeRole, endMembership } from './change.js'
import { type MemberContext, atMember, inMember } from './scope.js'
import { showMembers } from './show.js'
import { findMember, listMembers, updateMemberRow } from './store.js'

interface MemberRequest {
  readonly actor: Actor
  readonly organization: OrganizationContext
  readonly services: Services
  readonly member: MemberContext
}

async function presentCurrentMember(db: Db, { actor, organization, services, member }: MemberRequest) {
  const { user_id: id } = member.row
  const row = await findMember(db, organization.row.id, id)
  const [presented] = await showMembers(db, services.addresses, readerOf(actor, organization), [row!])
  return presented!
}

/** Last-seen times are stored to the minute: a write per ping would cost more than the ping. */
const lastSeenPrecision = 60_000

export const memberRoutes: readonly Route[] = [
  route(operations.listMembers, {
    at: inOrganization,
    allow: 'view',
    handle: async ({ db, actor, organization, query, services }) => {
      const page = await listMembers(db, organization.row.id, query)
      const reader = readerOf(actor, organization)
      return { ...page, items: await showMembers(db, services.addresses, reader, page.items) }
    },
  }),

  route(operations.getMember, {
    at: inMember,
    allow: 'view',
    handle: ({ db, ...request }) => presentCurrentMember(db, request),
  }),

  route(operations.updateMember, {
    at: inMember,
    allow: 'administer',
    handle: async ({ tx, body, ...request }) => {
      if (body.role !== undefined) await changeRole(tx, request.member.row, body.role)
      return presentCurrentMember(tx, request)
    },
  }),

  route(operations.removeMember, {
    at: atMember,
    allow: 'end',
    locks: 'people',
    handle: async ({ tx, member }) => {
      if (member !== undefined) await endMembership(tx, member.row)
    },
  }),

  route(operations.linkMember, {
    at: inMember,
    allow: 'administer',
    handle: async ({ tx, ...request }) => {
      await updateMemberRow(tx, request.member.row, { sso: 1 })
      return presentCurrentMember(tx, request)
    },
  }),

  route(operations.pingOrganization, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ tx, actor, organization, now }) => {
      const member = (await findMember(tx, organization.row.id, actor.userId))!
      if (member.last_seen_at === null || member.last_seen_at < now - lastSeenPrecision) {
        await updateMemberRow(tx, member, { last_seen_at: now })
      }
      return {}
    },
  }),
]
