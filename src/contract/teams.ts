/** Teams: members who are given roles together. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { limits } from './limits.js'
import { Member } from './members.js'
import { Identifier, ListOf, ListQuery, Timestamp, Words, listQueryWith, shape } from './shapes.js'

export const teamRoles = ['owner', 'member'] as const
export type TeamRole = (typeof teamRoles)[number]

export const Team = shape(
  'Team',
  Type.Object({
    object: Type.Literal('team'),
    id: Type.String(),
    title: Type.String(),
    members: Type.Integer(),
    spaces: Type.Integer({
      description: 'Number of spaces shared with the team, of those that you may read.',
    }),
    createdAt: Timestamp,
    permissions: Type.Object({ admin: Type.Boolean(), view: Type.Boolean() }),
  }),
)
export type Team = Static<typeof Team>

export const TeamMembership = Type.Object({ role: Words(teamRoles) })

export const TeamMember = shape(
  'TeamMember',
  Type.Object({
    organization: Member,
    team: TeamMembership,
    permissions: Type.Object({ view: Type.Boolean() }),
  }),
)
export type TeamMember = Static<typeof TeamMember>

const place = '/orgs/:organizationId/teams'
const one = `${place}/:teamId` as const
const tag = 'Teams'
const TeamTitle = Type.String({ minLength: 1, maxLength: 64 })
const People = Type.Array(Identifier, { maxItems: 1000 })
const PeopleOrMail = Type.Array(Type.String({ minLength: 1, maxLength: limits.emailLength }), {
  maxItems: 1000,
  description: 'Ids or e-mail addresses of members.',
})

export const listTeams = endpoint('listTeamsInOrganizationById', 'GET', place, {
  summary: 'List teams',
  description: 'Returns the teams of an organization.',
  tag,
  query: listQueryWith({
    owner: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Id of a member, to return only teams that they may manage.',
      }),
    ),
    title: Type.Optional(Type.String({ maxLength: 64, description: 'Part of the title.' })),
  }),
  reply: ListOf(Team),
})

export const createTeam = endpoint('createOrganizationTeam', 'PUT', place, {
  summary: 'Create a team',
  description: 'Creates a team, optionally with its first members.',
  tag,
  body: Type.Object({ title: TeamTitle, members: Type.Optional(People) }),
  reply: Team,
  success: 201,
})

export const getTeam = endpoint('getTeamInOrganizationById', 'GET', one, {
  summary: 'Get a team',
  description: 'Returns one team.',
  tag,
  reply: Team,
})

export const updateTeam = endpoint('updateTeamInOrganizationById', 'PATCH', one, {
  summary: 'Update a team',
  description: 'Changes the title of a team.',
  tag,
  body: Type.Object({ title: TeamTitle }),
  reply: Team,
})

export const removeTeam = endpoint('removeTeamFromOrganizationById', 'DELETE', one, {
  summary: 'Delete a team',
  description: 'Deletes a team and all roles that were granted to it.',
  tag,
  success: 204,
})

export const listTeamMembers = endpoint('listTeamMembersInOrganizationById', 'GET', `${one}/members`, {
  summary: 'List the members of a team',
  description: 'Returns the members of a team with their roles in it.',
  tag,
  query: ListQuery,
  reply: ListOf(TeamMember),
})

export const updateTeamMembers = endpoint('updateMembersInOrganizationTeam', 'PUT', `${one}/members`, {
  summary: 'Update the members of a team',
  description: 'Adds and removes several members at once. A member in both lists is removed.',
  tag,
  body: Type.Object({
    add: Type.Optional(PeopleOrMail),
    memberships: Type.Optional(Type.Record(Type.String(), TeamMembership, { maxProperties: 1000 })),
    remove: Type.Optional(PeopleOrMail),
  }),
  success: 204,
})

export const addTeamMember = endpoint(
  'addMemberToOrganizationTeamById',
  'PUT',
  `${one}/members/:userId` as const,
  {
    summary: 'Add a member to a team',
    description: 'Adds a member to a team, or changes their role in it.',
    tag,
    body: Type.Object({ role: Type.Optional(Words(teamRoles)) }),
    bodyRequired: false,
    success: 204,
  },
)

export const removeTeamMember = endpoint(
  'deleteMemberFromOrganizationTeamById',
  'DELETE',
  `${one}/members/:userId` as const,
  {
    summary: 'Remove a member from a team',
    description: 'Removes a member from a team; they stay in the organization.',
    tag,
    success: 204,
  },
)

export const listMemberTeams = endpoint(
  'listTeamsForOrganizationMember',
  'GET',
  '/orgs/:organizationId/members/:userId/teams',
  {
    summary: 'List the teams of a member',
    description: 'Returns the teams that a member belongs to, with their role in each.',
    tag: 'Members',
    query: listQueryWith({
      title: Type.Optional(Type.String({ maxLength: 64, description: 'Part of the title.' })),
    }),
    reply: ListOf(Type.Object({ team: Team, member: TeamMembership })),
  },
)
