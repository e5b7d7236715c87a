/** Permissions: what was granted by name on a space or a collection, the same operations on both. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { Identifier, ListOf, ListQuery, Role, RoleOrGuest, listQueryWith } from './shapes.js'
import { Team } from './teams.js'
import { User } from './users.js'

const UserPermission = Type.Object({ permission: Role, user: User })
const TeamPermission = Type.Object({ permission: Role, team: Team })
export type UserPermission = Static<typeof UserPermission>
export type TeamPermission = Static<typeof TeamPermission>

const Grantees = Type.Array(Identifier, { minItems: 1, maxItems: 1000 })
/** Null takes back what was granted. */
const GrantBody = Type.Unsafe<{
  role: Static<typeof RoleOrGuest>
  users?: string[]
  teams?: string[]
}>({
  ...Type.Object({ role: RoleOrGuest, users: Type.Optional(Grantees), teams: Type.Optional(Grantees) }),
  anyOf: [{ required: ['users'] }, { required: ['teams'] }],
})

function permissionEndpoints<const Place extends '/spaces/:spaceId' | '/collections/:collectionId'>(
  place: Place,
  noun: Place extends '/spaces/:spaceId' ? 'Space' : 'Collection',
) {
  const tag = 'permissions'
  const thing = `the ${noun.toLowerCase()}`
  const role = Type.Object({ role: Type.Optional(RoleOrGuest) })
  return {
    grant: endpoint(`inviteTo${noun}`, 'POST', `${place}/permissions`, {
      summary: `Give users and teams a role on ${thing}`,
      tag,
      body: GrantBody,
      success: 204,
    }),
    listUsers: endpoint(`listUserPermissionsIn${noun}`, 'GET', `${place}/permissions/users`, {
      summary: `The users who were given a role on ${thing}`,
      tag,
      query: ListQuery,
      reply: ListOf(UserPermission),
    }),
    updateUser: endpoint(
      `updateUserPermissionIn${noun}`,
      'PATCH',
      `${place}/permissions/users/:userId` as const,
      { summary: `Change the role of a user on ${thing}`, tag, body: role, success: 204 },
    ),
    removeUser: endpoint(`removeUserFrom${noun}`, 'DELETE', `${place}/permissions/users/:userId` as const, {
      summary: `Take back what a user was given on ${thing}`,
      tag,
      success: 205,
    }),
    listTeams: endpoint(`listTeamPermissionsIn${noun}`, 'GET', `${place}/permissions/teams`, {
      summary: `The teams that were given a role on ${thing}`,
      tag,
      query: ListQuery,
      reply: ListOf(TeamPermission),
    }),
    updateTeam: endpoint(
      `updateTeamPermissionIn${noun}`,
      'PATCH',
      `${place}/permissions/teams/:teamId` as const,
      { summary: `Change the role of a team on ${thing}`, tag, body: role, success: 204 },
    ),
    removeTeam: endpoint(`removeTeamFrom${noun}`, 'DELETE', `${place}/permissions/teams/:teamId` as const, {
      summary: `Take back what a team was given on ${thing}`,
      tag,
      success: 205,
    }),
    aggregate: endpoint(`listPermissionsAggregateIn${noun}`, 'GET', `${place}/permissions/aggregate`, {
      summary: `Everybody who may read ${thing}, with their effective role`,
      tag,
      query: listQueryWith({ role: Type.Optional(Role) }),
      reply: ListOf(UserPermission),
    }),
  }
}

export const spacePermissions = permissionEndpoints('/spaces/:spaceId', 'Space')
export const collectionPermissions = permissionEndpoints('/collections/:collectionId', 'Collection')
