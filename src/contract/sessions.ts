/** Credentials of users: browser sessions, the own password, sign-in links made by an admin. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { ListOf, ListQuery, Timestamp, Words, shape } from './shapes.js'

export const Session = shape(
  'Session',
  Type.Object({
    object: Type.Literal('session'),
    id: Type.String(),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    lastSeenAt: Timestamp,
    openedBy: Words(['link', 'password', 'saml', 'oidc'] as const),
    /** True for the session of this request. */
    current: Type.Boolean(),
    ip: Type.Optional(Type.String()),
    userAgent: Type.Optional(Type.String()),
    organization: Type.Optional(
      Type.String({
        description: 'The only organization that the session gives access to; absent if it is not limited.',
      }),
    ),
  }),
)
export type Session = Static<typeof Session>

export const listSessions = endpoint('listSessions', 'GET', '/user/sessions', {
  summary: 'List your sessions',
  description: 'Returns the browsers that you are signed in with, newest first.',
  tag: 'Users',
  query: ListQuery,
  reply: ListOf(Session),
})

export const endOwnSession = endpoint('endSession', 'DELETE', '/user/sessions/:sessionId', {
  summary: 'End a session',
  description: 'Signs you out of one browser.',
  tag: 'Users',
  success: 204,
})

export const setOwnPassword = endpoint('setPassword', 'PUT', '/user/password', {
  summary: 'Set your password',
  description:
    'Sets or changes your password; only possible with a browser session. Ends your other sessions, your API tokens and your sign-in links.',
  tag: 'Users',
  body: Type.Object({
    password: Type.String({ minLength: 1, maxLength: 1024 }),
    currentPassword: Type.Optional(
      Type.String({
        maxLength: 1024,
        description:
          'Required if you have a password, unless you just signed in with a link or an identity provider.',
      }),
    ),
  }),
  success: 204,
})

export const endMemberSessions = endpoint(
  'endMemberSessions',
  'DELETE',
  '/orgs/:organizationId/members/:userId/sessions',
  {
    summary: 'End the sessions of a member',
    description: 'Signs a member out of all browsers.',
    tag: 'Members',
    success: 204,
  },
)

export const SignInLink = shape('SignInLink', Type.Object({ url: Type.String(), expiresAt: Timestamp }))

export const createMemberSignInLink = endpoint(
  'createMemberSignInLink',
  'POST',
  '/orgs/:organizationId/members/:userId/sign-in-link',
  {
    summary: 'Create a sign-in link for a member',
    description:
      'Returns a link that signs the member in once. Hand it over yourself where the server sends no mail.',
    tag: 'Members',
    reply: SignInLink,
    success: 201,
  },
)
