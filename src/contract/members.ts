/** Members: the users of an organization, with a role or as guests. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { ListOf, Order, RoleOrGuest, Timestamp, Words, listQueryWith, roles, shape } from './shapes.js'
import { User } from './users.js'

export const Member = shape(
  'Member',
  Type.Object({
    object: Type.Literal('member'),
    id: Type.String({ description: 'Id of the user.' }),
    role: RoleOrGuest,
    user: User,
    disabled: Type.Boolean(),
    joinedAt: Timestamp,
    lastSeenAt: Type.Optional(Timestamp),
    sso: Type.Boolean(),
    pending: Type.Optional(
      Type.Boolean({
        description:
          'True for a person who was invited and has not accepted yet; until then the role and grants have no effect.',
      }),
    ),
    spaces: Type.Integer({
      description: 'Number of spaces shared with the member by name, of those that you may read.',
    }),
    teams: Type.Integer(),
    sites: Type.Integer({
      description: 'Always 0: access to sites follows from the roles on their spaces.',
    }),
  }),
)
export type Member = Static<typeof Member>

export const MemberSearch = Type.Optional(
  Type.String({ maxLength: 256, description: 'Part of the display name or e-mail address.' }),
)

const place = '/orgs/:organizationId/members'
const one = `${place}/:userId` as const
const tag = 'Members'

export const listMembers = endpoint('listMembersInOrganizationById', 'GET', place, {
  summary: 'List members',
  description: 'Returns the members and guests of an organization.',
  tag,
  query: listQueryWith({
    order: Order,
    role: Type.Optional(Words([...roles, 'guest'] as const, { description: 'Only people with this role.' })),
    search: MemberSearch,
    sort: Type.Optional(
      Words(['joinedAt', 'lastSeenAt'] as const, {
        default: 'joinedAt',
        description: 'The order; "lastSeenAt" omits people who never visited.',
      }),
    ),
  }),
  reply: ListOf(Member),
})

export const getMember = endpoint('getMemberInOrganizationById', 'GET', one, {
  summary: 'Get a member',
  description: 'Returns one member or guest of an organization.',
  tag,
  reply: Member,
})

export const updateMember = endpoint('updateMemberInOrganizationById', 'PATCH', one, {
  summary: 'Update a member',
  description: 'Changes the role of a member. The role null makes them a guest.',
  tag,
  body: Type.Object({ role: Type.Optional(RoleOrGuest) }),
  bodyRequired: false,
  reply: Member,
})

export const removeMember = endpoint('removeMemberFromOrganizationById', 'DELETE', one, {
  summary: 'Remove a member',
  description: 'Removes a member from the organization. You may remove yourself to leave it.',
  tag,
  success: 204,
})

export const linkMember = endpoint('setUserAsSSOMemberForOrganization', 'POST', `${one}/sso`, {
  summary: 'Enable single sign-on for a member',
  description: 'Lets a member sign in through the identity providers of the organization.',
  tag,
  reply: Member,
})

export const pingOrganization = endpoint(
  'updateOrganizationMemberLastSeenAt',
  'POST',
  '/orgs/:organizationId/ping',
  {
    summary: 'Record a visit',
    description: 'Sets `lastSeenAt` of your own membership to the current time.',
    tag,
    reply: Type.Object({ serviceVisitorClaims: Type.Optional(Type.String()) }),
  },
)
