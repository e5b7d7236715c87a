/** A member on the wire: a user in an organization. */
import Type, { type Static } from 'typebox'
import { RoleOrGuest, Timestamp, shape } from './shapes.js'
import { User } from './users.js'

export const Member = shape(
  'Member',
  Type.Object({
    object: Type.Literal('member'),
    id: Type.String({ description: 'The id of the user.' }),
    role: RoleOrGuest,
    user: User,
    disabled: Type.Boolean(),
    joinedAt: Timestamp,
    lastSeenAt: Type.Optional(Timestamp),
    sso: Type.Boolean(),
    pending: Type.Optional(
      Type.Boolean({
        description:
          'True for somebody who was invited and has not accepted: their role and what they were given wait for it.',
      }),
    ),
    spaces: Type.Integer({ description: 'Spaces shared with the member by name, of those you may read.' }),
    teams: Type.Integer(),
    sites: Type.Integer({
      description: 'Sites shared with the member by name: none, sites take their levels from their spaces.',
    }),
  }),
)
export type Member = Static<typeof Member>
