/** One's own API tokens: each takes over what its maker could reach, and when that ends. */
import { type Route, route } from '../../access/route/route.js'
import { asOneself, within } from '../../access/route/scope.js'
import { revokeToken } from '../../access/signin/list-tokens.js'
import { newApiToken } from '../../access/signin/secrets.js'
import { inheritanceOf, insertToken } from '../../access/signin/tokens.js'
import { ApiError } from '../../contract/errors.js'
import { type ApiToken, createApiToken, listApiTokens, revokeApiToken } from '../../contract/tokens.js'
import { type TokenRow, findToken, listTokens } from './store.js'

const atToken = within(asOneself, 'tokenId', {
  key: 'token',
  thing: 'token',
  find: ({ db, actor }, id) => findToken(db, actor, id),
})

const present = (row: TokenRow): ApiToken => ({
  object: 'api-token',
  id: row.id,
  label: row.label,
  createdAt: new Date(row.created_at).toISOString(),
  ...(row.expires_at !== null && { expiresAt: new Date(row.expires_at).toISOString() }),
  ...(row.last_used_at !== null && { lastUsedAt: new Date(row.last_used_at).toISOString() }),
  ...(row.organization_id !== null && { organization: row.organization_id }),
})

export const tokenRoutes: readonly Route[] = [
  route(listApiTokens, {
    at: asOneself,
    allow: 'ask',
    handle: async ({ db, actor, query }) => {
      const list = await listTokens(db, actor, query)
      return { ...list, items: list.items.map(present) }
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
      return { ...present((await findToken(tx, actor, id))!), token }
    },
  }),

  route(revokeApiToken, {
    at: atToken,
    allow: 'ask',
    handle: async ({ tx, token, now }) => void (await revokeToken(tx, token.id, now)),
  }),
]
