/** Members: the users of an organization, with a role or as guests. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { ListOf, Order, RoleOrGuest, Timestamp, Words, listQueryWith, roles, shape } from './shapes.js'
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

export const MemberSearch = Type.Optional(
  Type.String({ maxLength: 256, description: 'A part of the display name or the e-mail address.' }),
)

const place = '/orgs/:organizationId/members'
const one = `${place}/:userId` as const
const tag = 'members'

export const listMembers = endpoint('listMembersInOrganizationById', 'GET', place, {
  summary: 'The people of an organization',
  tag,
  query: listQueryWith({
    order: Order,
    role: Type.Optional(Words([...roles, 'guest'] as const)),
    search: MemberSearch,
    sort: Type.Optional(
      Words(['joinedAt', 'lastSeenAt'] as const, {
        default: 'joinedAt',
        description: 'By lastSeenAt, only people who were ever seen are listed.',
      }),
    ),
  }),
  reply: ListOf(Member),
})

export const getMember = endpoint('getMemberInOrganizationById', 'GET', one, {
  summary: 'One member',
  tag,
  reply: Member,
})

export const updateMember = endpoint('updateMemberInOrganizationById', 'PATCH', one, {
  summary: 'Change the role of a member',
  tag,
  body: Type.Object({ role: Type.Optional(RoleOrGuest) }),
  bodyRequired: false,
  reply: Member,
})

export const removeMember = endpoint('removeMemberFromOrganizationById', 'DELETE', one, {
  summary: 'Remove a member, or leave',
  tag,
  success: 204,
})

export const linkMember = endpoint('setUserAsSSOMemberForOrganization', 'POST', `${one}/sso`, {
  summary: 'Let a member sign in by single sign-on',
  tag,
  reply: Member,
})

export const pingOrganization = endpoint(
  'updateOrganizationMemberLastSeenAt',
  'POST',
  '/orgs/:organizationId/ping',
  {
    summary: 'Note that you were here',
    tag,
    reply: Type.Object({ serviceVisitorClaims: Type.Optional(Type.String()) }),
  },
)
