/** Members of an organization. */
import { type Route, route } from '../../access/route/route.js'
import type { Services } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import * as operations from '../../contract/members.js'
import type { Db } from '../../store/db/database.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import type { OrganizationOf } from '../organizations/store.js'
import { changeRole, endMembership } from './change.js'
import { type MemberHere, atMember, inMember } from './scope.js'
import { showMembers } from './show.js'
import { findMember, listMembers, updateMemberRow } from './store.js'

interface Here {
  readonly actor: Actor
  readonly organization: OrganizationOf
  readonly services: Services
  readonly member: MemberHere
}

async function show(db: Db, { actor, organization, services, member }: Here) {
  const { user_id: id } = member.row
  const row = await findMember(db, organization.row.id, id)
  const [shown] = await showMembers(db, services.addresses, readerOf(actor, organization), [row!])
  return shown!
}

/** Times of being seen are kept to the minute: a write for every ping would cost more than the ping. */
const seenPrecision = 60_000

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

  route(operations.getMember, { at: inMember, allow: 'view', handle: ({ db, ...here }) => show(db, here) }),

  route(operations.updateMember, {
    at: inMember,
    allow: 'administer',
    handle: async ({ tx, body, ...here }) => {
      if (body.role !== undefined) await changeRole(tx, here.member.row, body.role)
      return show(tx, here)
    },
  }),

  route(operations.removeMember, {
    at: atMember,
    allow: 'end',
    handle: async ({ tx, member }) => {
      if (member !== undefined) await endMembership(tx, member.row)
    },
  }),

  route(operations.linkMember, {
    at: inMember,
    allow: 'administer',
    handle: async ({ tx, ...here }) => {
      await updateMemberRow(tx, here.member.row, { sso: 1 })
      return show(tx, here)
    },
  }),

  route(operations.pingOrganization, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ tx, actor, organization, now }) => {
      const member = (await findMember(tx, organization.row.id, actor.userId))!
      if (member.last_seen_at === null || member.last_seen_at < now - seenPrecision) {
        await updateMemberRow(tx, member, { last_seen_at: now })
      }
      return {}
    },
  }),
]
