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
      Type.String({ description: 'The one organization that the session opens; absent when it opens all.' }),
    ),
  }),
)
export type Session = Static<typeof Session>

export const listSessions = endpoint('listSessions', 'GET', '/user/sessions', {
  summary: 'The browsers you are signed in with, newest first',
  tag: 'users',
  query: ListQuery,
  reply: ListOf(Session),
})

export const endOwnSession = endpoint('endSession', 'DELETE', '/user/sessions/:sessionId', {
  summary: 'Sign one of your browsers out',
  tag: 'users',
  success: 204,
})

export const setOwnPassword = endpoint('setPassword', 'PUT', '/user/password', {
  summary:
    'Set or change your password, in a browser; your other sessions, your tokens and your sign-in links end',
  tag: 'users',
  body: Type.Object({
    password: Type.String({ minLength: 1, maxLength: 1024 }),
    currentPassword: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: 'Needed when you have a password and did not just sign in with a link or a provider.',
      }),
    ),
  }),
  success: 204,
})

export const endMemberSessions = endpoint(
  'endMemberSessions',
  'DELETE',
  '/orgs/:organizationId/members/:userId/sessions',
  { summary: 'Sign a member out everywhere', tag: 'members', success: 204 },
)

export const SignInLink = shape('SignInLink', Type.Object({ url: Type.String(), expiresAt: Timestamp }))

export const createMemberSignInLink = endpoint(
  'createMemberSignInLink',
  'POST',
  '/orgs/:organizationId/members/:userId/sign-in-link',
  {
    summary: 'Make a link that signs a member in once, to be handed over where no mail can be sent',
    tag: 'members',
    reply: SignInLink,
    success: 201,
  },
)
