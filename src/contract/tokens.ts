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
    Type.String({
      description: 'The only organization that the token gives access to; absent if it is not limited.',
    }),
  ),
}

export const ApiToken = shape('APIToken', Type.Object(tokenMembers))
export type ApiToken = Static<typeof ApiToken>

export const NewApiToken = shape('NewAPIToken', Type.Object({ ...tokenMembers, token: Type.String() }))
export type NewApiToken = Static<typeof NewApiToken>

export const listApiTokens = endpoint('listAPITokens', 'GET', '/user/tokens', {
  summary: 'List your API tokens',
  description: 'Returns your API tokens without their secrets, newest first.',
  tag: 'Users',
  query: ListQuery,
  reply: ListOf(ApiToken),
})

export const createApiToken = endpoint('createAPIToken', 'POST', '/user/tokens', {
  summary: 'Create an API token',
  description:
    'Only this response contains the token. It reaches no further and lasts no longer than the API token, or the session for one organization, that creates it.',
  tag: 'Users',
  body: Type.Object({
    label: Type.String({ minLength: 1, maxLength: 50 }),
    expiresAt: Type.Optional(Timestamp),
  }),
  reply: NewApiToken,
  success: 201,
})

export const revokeApiToken = endpoint('revokeAPIToken', 'DELETE', '/user/tokens/:tokenId', {
  summary: 'Revoke an API token',
  description:
    'Revokes the token and all tokens that were created with it. The next request with one of them is answered 401.',
  tag: 'Users',
  success: 204,
})
