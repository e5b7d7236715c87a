/** Routes of the actor's API tokens: each inherits the reach and the expiry of the credential that created it. */
import { type Route, route } from '../../access/route/route.js'
import { ownAccount } from '../../access/route/scope.js'
import { revokeToken } from '../../access/signin/list-tokens.js'
import { newApiToken } from '../../access/signin/secrets.js'
import { inheritanceOf, insertToken } from '../../access/signin/tokens.js'
import { ApiError } from '../../contract/errors.js'
import { createApiToken, listApiTokens, revokeApiToken } from '../../contract/tokens.js'
import { presentToken } from './present.js'
import { atToken } from './scope.js'
import { findToken, listTokens } from './store.js'

export const tokenRoutes: readonly Route[] = [
  route(listApiTokens, {
    at: ownAccount,
    allow: 'ask',
    handle: async ({ db, actor, query }) => {
      const list = await listTokens(db, actor, query)
      return { ...list, items: list.items.map(presentToken) }
    },
  }),

  route(createApiToken, {
    at: ownAccount,
    allow: 'ask',
    handle: async ({ tx, actor, body, now }) => {
      const requestedExpiry = body.expiresAt === undefined ? Infinity : Date.parse(body.expiresAt)
      if (!(requestedExpiry > now)) {
        throw new ApiError('invalid_request', { problem: 'The member "expiresAt" must lie in the future.' })
      }
      const token = newApiToken()
      const { latest, ...inherited } = inheritanceOf(actor)
      const expiry = Math.min(requestedExpiry, latest)
      const expiresAt = expiry === Infinity ? undefined : expiry
      const id = await insertToken(tx, { ...inherited, token, label: body.label, now, expiresAt })
      return { ...presentToken((await findToken(tx, actor, id))!), token }
    },
  }),

  route(revokeApiToken, {
    at: atToken,
    allow: 'ask',
    handle: async ({ tx, token, now }) => void (await revokeToken(tx, token.id, now)),
  }),
]
