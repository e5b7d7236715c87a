/** Members: the people of an organization, with a role or as guests. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { ListOf, Role, RoleOrGuest, Words, listQueryWith, roles } from './shapes.js'
import { Space } from './spaces.js'
import { Team, TeamMembership } from './teams.js'
import { Member } from './member.js'

const place = '/orgs/:organizationId/members'
const one = `${place}/:userId` as const
const tag = 'members'
const Order = Type.Optional(Words(['asc', 'desc'] as const, { default: 'desc' }))

export const listMembers = endpoint('listMembersInOrganizationById', 'GET', place, {
  summary: 'The people of an organization',
  tag,
  query: listQueryWith({
    order: Order,
    role: Type.Optional(Words([...roles, 'guest'] as const)),
    search: Type.Optional(
      Type.String({ maxLength: 256, description: 'A part of the display name or the e-mail address.' }),
    ),
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

const MemberSpace = Type.Object({ permission: Role, space: Space })
export type MemberSpace = Static<typeof MemberSpace>

export const listMemberSpaces = endpoint('listSpacesForOrganizationMember', 'GET', `${one}/spaces`, {
  summary: 'The spaces that a member may read, as far as you may read them too',
  tag,
  query: listQueryWith({ order: Order }),
  reply: ListOf(MemberSpace),
})

export const listMemberTeams = endpoint('listTeamsForOrganizationMember', 'GET', `${one}/teams`, {
  summary: 'The teams of a member',
  tag,
  query: listQueryWith({ title: Type.Optional(Type.String({ maxLength: 64 })) }),
  reply: ListOf(Type.Object({ team: Team, member: TeamMembership })),
})
