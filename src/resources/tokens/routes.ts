/** One's own API tokens: each takes over what its maker could reach, and when that ends. */
import { type Route, route } from '../../access/route/route.js'
import { asOneself } from '../../access/route/scope.js'
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
    at: asOneself,
    allow: 'ask',
    handle: async ({ db, actor, query }) => {
      const list = await listTokens(db, actor, query)
      return { ...list, items: list.items.map(presentToken) }
    },
  }),

  route(createApiToken, {
    at: asOneself,
    allow: 'ask',
    handle: async ({ tx, actor, body, now }) => {
      const wanted = body.expiresAt === undefined ? Infinity : Date.parse(body.expiresAt)
      if (!(wanted > now)) {
        throw new ApiError('invalid_request', { problem: 'The member "expiresAt" must lie in the future.' })
      }
      const token = newApiToken()
      const { latest, ...inherited } = inheritanceOf(actor)
      const end = Math.min(wanted, latest)
      const expiresAt = end === Infinity ? undefined : end
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
