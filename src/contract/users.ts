/** Users: who a token belongs to, and who did things. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { shape } from './shapes.js'

export const User = shape(
  'User',
  Type.Object({
    object: Type.Literal('user'),
    id: Type.String(),
    displayName: Type.String(),
    email: Type.Optional(Type.String()),
    photoURL: Type.Optional(Type.String()),
    urls: Type.Object({ location: Type.String() }),
  }),
)
export type User = Static<typeof User>

export const getAuthenticatedUser = endpoint('getAuthenticatedUser', 'GET', '/user', {
  summary: 'The user that the token belongs to',
  tag: 'users',
  reply: User,
})
