/** Users: the owner of a token, and authors of changes. */
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

export const getUser = endpoint('getUserById', 'GET', '/users/:userId', {
  summary: 'Yourself, or somebody you share an organization with',
  tag: 'users',
  reply: User,
})

export const updateUser = endpoint('updateUserById', 'PATCH', '/users/:userId', {
  summary: 'Change your own display name or photo',
  tag: 'users',
  body: Type.Object({
    displayName: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    photoURL: Type.Optional(Type.String({ format: 'uri', maxLength: 2048, pattern: '^https?://' })),
  }),
  bodyRequired: false,
  reply: User,
})
