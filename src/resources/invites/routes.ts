/** Routes of invite links and invitations, and of joining. */
import type { InviteId } from '../../core/ids.js'
import { newId } from '../../access/ids.js'
import { nothingRemoved } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import { requireGrantableOn } from '../../access/rules/grant-limits.js'
import { acceptMembership } from '../../access/signin/memberships.js'
import { ApiError } from '../../contract/errors.js'
import * as operations from '../../contract/invites.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { endMembership } from '../members/change.js'
import { findMember } from '../members/store.js'
import { requireInviterAuthority } from './inviter.js'
import { inviteByEmail } from './invite.js'
import { joinByDomain, joinByLink } from './join.js'
import { presentInvitation, presentOrganizationInvite } from './present.js'
import {
  asInvited,
  atInvitation,
  atLinkInvite,
  atOrganization,
  atOwnInvitation,
  inLinkInvite,
  canManageInvite,
} from './scope.js'
import { showInvite } from './show.js'
import {
  type InviteRow,
  deleteInvite,
  insertInvite,
  listInvitations,
  listOrganizationInvites,
  setInviteRole,
} from './store.js'
import { getInviteTarget } from './target.js'

export const inviteRoutes: readonly Route[] = [
  route(operations.listLinkInvites, {
    at: inOrganization,
    allow: 'administer',
    handle: async ({ db, organization, query, services: { addresses } }) => {
      const list = await listOrganizationInvites(db, organization.row.id, query)
      const present = (row: InviteRow) => presentOrganizationInvite(addresses, row, organization.role)
      return { ...list, items: list.items.map(present) }
    },
  }),

  route(operations.createLinkInvite, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ tx, actor, organization, body, now, services }) => {
      const target = await getInviteTarget(tx, actor, organization, body)
      if (!canManageInvite(target)) {
        const role = target.kind === 'organization' ? 'admin' : 'create'
        throw new ApiError('forbidden', { action: `invite anybody to this ${target.kind}`, role })
      }
      if (organization.row.invite_links === 0) throw new ApiError('invite_links_disabled')
      const role = (target.kind === 'organization' ? body.role : body.level) ?? null
      await requireGrantableOn(tx, readerOf(actor, organization), target, role)
      const row = await insertInvite(tx, {
        id: newId<InviteId>(),
        organization_id: organization.row.id,
        target_kind: target.kind,
        target_id: target.id,
        role,
        created_by: actor.userId,
        created_at: now,
      })
      return showInvite(tx, services.addresses, { row, target })
    },
  }),

  route(operations.getLinkInvite, {
    at: inLinkInvite,
    allow: 'manage',
    handle: ({ db, invite, services }) => showInvite(db, services.addresses, invite),
  }),

  route(operations.updateLinkInvite, {
    at: inLinkInvite,
    allow: 'manage',
    handle: async ({ tx, actor, organization, invite, body, services }) => {
      const member = invite.target.kind === 'organization' ? 'role' : 'level'
      const role = body[member]
      if (role === undefined) {
        const problem = `The member "body.${member}" is missing: this is an invite to ${invite.target.kind === 'organization' ? 'an' : 'a'} ${invite.target.kind}.`
        throw new ApiError('invalid_request', { problem })
      }
      await requireGrantableOn(tx, readerOf(actor, organization), invite.target, role)
      const row = await setInviteRole(tx, invite.row, { role, by: actor.userId })
      return showInvite(tx, services.addresses, { ...invite, row })
    },
  }),

  route(operations.deleteLinkInvite, {
    at: atLinkInvite,
    allow: 'manage',
    handle: async ({ tx, invite }) => (invite === undefined ? nothingRemoved : deleteInvite(tx, invite.row)),
  }),

  route(operations.inviteUsers, {
    at: inOrganization,
    allow: 'administer',
    locks: 'people',
    handle: async ({ tx, actor, organization, body, now, services }) => {
      const defaultRole = body.role === undefined ? organization.row.default_role : body.role
      const invitations = body.emails.map((one) =>
        typeof one === 'string' ? { email: one, role: defaultRole as never } : one,
      )
      const invited = await inviteByEmail(tx, organization.row, invitations, {
        actor,
        attempts: services.database.attempts,
        sso: body.sso === true,
        now,
      })
      return {
        users: invited.users,
        invited: invited.users.length,
        links: invited.links.map(({ userId, email, secret }) => ({
          user: userId,
          email,
          url: services.addresses.app(`/~octavo/sign-in?link=${secret}`),
        })),
      }
    },
  }),

  route(operations.joinByInvite, {
    at: atInvitation,
    allow: 'ask',
    handle: async ({ tx, actor, invite: { row, target }, now }) => {
      await requireInviterAuthority(tx, row)
      await joinByLink(tx, row, { actor, level: target.level, now })
      return {}
    },
  }),

  route(operations.joinByDomain, {
    at: atOrganization,
    allow: 'ask',
    handle: ({ tx, actor, organization, now }) => joinByDomain(tx, actor, organization.id, now),
  }),

  route(operations.listInvitations, {
    at: asInvited,
    allow: 'ask',
    handle: async ({ db, actor, query }) => {
      const page = await listInvitations(db, actor.userId, query)
      return { ...page, items: page.items.map(presentInvitation) }
    },
  }),

  route(operations.acceptInvitation, {
    at: atOwnInvitation,
    allow: 'ask',
    handle: async ({ tx, actor, invitation, now }) =>
      void (await acceptMembership(tx, actor.userId, invitation.organization_id, now)),
  }),

  route(operations.declineInvitation, {
    at: atOwnInvitation,
    allow: 'ask',
    locks: 'people',
    handle: async ({ tx, actor, invitation }) => {
      const member = await findMember(tx, invitation.organization_id, actor.userId)
      if (member !== undefined) await endMembership(tx, member)
    },
  }),
]
