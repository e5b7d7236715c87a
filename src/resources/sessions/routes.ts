/** Routes of the actor's sessions and password, and of a member's sessions and sign-in links for admins. */
import { type Route, route } from '../../access/route/route.js'
import { ownAccount, ownAccountInBrowser } from '../../access/route/scope.js'
import { takeAttempt } from '../../access/signin/rate-limit.js'
import { isClaimed } from '../../access/signin/memberships.js'
import { notifyOwner } from '../../access/signin/notices.js'
import { insertHandedLink, linkLifetime } from '../../access/signin/sessions.js'
import {
  createMemberSignInLink,
  endMemberSessions,
  endOwnSession,
  listSessions,
  setOwnPassword,
} from '../../contract/sessions.js'
import { ApiError } from '../../contract/errors.js'
import type { Allowance } from '../../store/db/attempts.js'
import { changePassword } from './change-password.js'
import { presentSession } from './present.js'
import { atMemberAccount, atSession } from './scope.js'
import { deleteSession, endSessionsIn, listSessionsOf } from './store.js'

/** Per admin: each link is a mail to its user. */
const linksPerHour: Allowance = { limit: 100, window: 60 * 60 * 1000 }

export const sessionRoutes: readonly Route[] = [
  route(listSessions, {
    at: ownAccount,
    allow: 'ask',
    handle: async ({ db, actor, query, now }) => {
      const list = await listSessionsOf(db, actor, now, query)
      return { ...list, items: list.items.map((row) => presentSession(row, actor.credentialId)) }
    },
  }),

  route(endOwnSession, {
    at: atSession,
    allow: 'ask',
    handle: ({ tx, session }) => deleteSession(tx, session.id) as Promise<undefined>,
  }),

  route(setOwnPassword, {
    at: ownAccountInBrowser,
    allow: 'ask',
    handleLong: ({ actor, body, origin, now, services, commit }) =>
      changePassword(services.database, { actor, wanted: body, origin, now }, (work) =>
        commit(({ tx }) => work(tx)),
      ) as Promise<undefined>,
  }),

  route(endMemberSessions, {
    at: atMemberAccount,
    allow: 'administer',
    locks: 'people',
    handle: ({ tx, account }) => endSessionsIn(tx, account) as Promise<undefined>,
  }),

  route(createMemberSignInLink, {
    at: atMemberAccount,
    allow: 'administer',
    locks: 'people',
    handle: async ({ tx, actor, account, now, services }) => {
      const { user_id: userId, organization_id: organizationId } = account
      await takeAttempt(services.database, `links of ${actor.userId}`, linksPerHour, { now })
      // An invitation alone gives no access to an account that its owner has claimed.
      if (!account.hasJoined && (await isClaimed(tx, userId))) throw new ApiError('account_claimed')
      // The admin knows this link, so it gives access to this organization only.
      const link = await insertHandedLink(tx, userId, now, { organizationId, madeBy: actor.userId })
      if (account.hasJoined) await notifyOwner(tx, { userId, notice: 'linkHandedOver', at: now })
      return {
        url: services.addresses.app(`/~octavo/sign-in?link=${link}`),
        expiresAt: new Date(now + linkLifetime).toISOString(),
      }
    },
  }),
]
