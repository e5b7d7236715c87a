/** Personal API tokens: they act with the rights of their user; the token itself is returned once. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { ListOf, ListQuery, Timestamp, shape } from './shapes.js'

const tokenMembers = {
  object: Type.Literal('api-token'),
  id: Type.String(),
  label: Type.String(),
  createdAt: Timestamp,
  expiresAt: Type.Optional(Timestamp),
  lastUsedAt: Type.Optional(Timestamp),
  organization: Type.Optional(
    Type.String({ description: 'The one organization that the token opens; absent when it opens all.' }),
  ),
}

export const ApiToken = shape('APIToken', Type.Object(tokenMembers))
export type ApiToken = Static<typeof ApiToken>

export const NewApiToken = shape('NewAPIToken', Type.Object({ ...tokenMembers, token: Type.String() }))
export type NewApiToken = Static<typeof NewApiToken>

export const listApiTokens = endpoint('listAPITokens', 'GET', '/user/tokens', {
  summary: 'Your API tokens, newest first',
  tag: 'users',
  query: ListQuery,
  reply: ListOf(ApiToken),
})

export const createApiToken = endpoint('createAPIToken', 'POST', '/user/tokens', {
  summary:
    'Create an API token; the answer is the only place that shows it. It reaches no further and lasts no longer than the token, or the session for one organization, that makes it',
  tag: 'users',
  body: Type.Object({
    label: Type.String({ minLength: 1, maxLength: 50 }),
    expiresAt: Type.Optional(Timestamp),
  }),
  reply: NewApiToken,
  success: 201,
})

export const revokeApiToken = endpoint('revokeAPIToken', 'DELETE', '/user/tokens/:tokenId', {
  summary: 'Revoke an API token, and those that were made with it: the next request is refused',
  tag: 'users',
  success: 204,
})
