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
  summary: 'Get the current user',
  description: 'Returns the user that the token or session belongs to.',
  tag: 'Users',
  reply: User,
})

export const getUser = endpoint('getUserById', 'GET', '/users/:userId', {
  summary: 'Get a user',
  description: 'Returns you, or a user who shares an organization with you.',
  tag: 'Users',
  reply: User,
})

export const updateUser = endpoint('updateUserById', 'PATCH', '/users/:userId', {
  summary: 'Update a user',
  description: 'Changes your own display name or photo. Members that are left out stay as they are.',
  tag: 'Users',
  body: Type.Object({
    displayName: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    photoURL: Type.Optional(Type.String({ format: 'uri', maxLength: 2048, pattern: '^https?://' })),
  }),
  bodyRequired: false,
  reply: User,
})
