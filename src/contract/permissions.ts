/** Permissions: grants to users and teams on a space or a collection, the same endpoints for both. */
import Type, { type Static } from 'typebox'
import { type BasePath, endpointAt, basePathOf } from './endpoint.js'
import { Identifier, ListOf, ListQuery, Role, RoleOrGuest, listQueryWith } from './shapes.js'
import { Team } from './teams.js'
import { User } from './users.js'

const UserPermission = Type.Object({ permission: Role, user: User })
const TeamPermission = Type.Object({ permission: Role, team: Team })
export type UserPermission = Static<typeof UserPermission>
export type TeamPermission = Static<typeof TeamPermission>

const Grantees = Type.Array(Identifier, { minItems: 1, maxItems: 1000 })
/** Null removes the grant. */
const GrantBody = Type.Unsafe<{
  role: Static<typeof RoleOrGuest>
  users?: string[]
  teams?: string[]
}>({
  ...Type.Object({ role: RoleOrGuest, users: Type.Optional(Grantees), teams: Type.Optional(Grantees) }),
  anyOf: [{ required: ['users'] }, { required: ['teams'] }],
})

/** The permission endpoints below a base path with these parameters. */
export type PermissionEndpoints<Params extends string> = ReturnType<typeof permissionEndpoints<Params>>

function permissionEndpoints<Params extends string>(place: BasePath<Params>, noun: 'Space' | 'Collection') {
  const tag = 'permissions'
  const thing = `the ${noun.toLowerCase()}`
  const role = Type.Object({ role: Type.Optional(RoleOrGuest) })
  return {
    grant: endpointAt(place, `inviteTo${noun}`, 'POST', '/permissions', {
      summary: `Give users and teams a role on ${thing}`,
      tag,
      body: GrantBody,
      success: 204,
    }),
    listUsers: endpointAt(place, `listUserPermissionsIn${noun}`, 'GET', '/permissions/users', {
      summary: `The users who were given a role on ${thing}`,
      tag,
      query: ListQuery,
      reply: ListOf(UserPermission),
    }),
    updateUser: endpointAt(place, `updateUserPermissionIn${noun}`, 'PATCH', '/permissions/users/:userId', {
      summary: `Change the role of a user on ${thing}`,
      tag,
      body: role,
      success: 204,
    }),
    removeUser: endpointAt(place, `removeUserFrom${noun}`, 'DELETE', '/permissions/users/:userId', {
      summary: `Take back what a user was given on ${thing}`,
      tag,
      success: 205,
    }),
    listTeams: endpointAt(place, `listTeamPermissionsIn${noun}`, 'GET', '/permissions/teams', {
      summary: `The teams that were given a role on ${thing}`,
      tag,
      query: ListQuery,
      reply: ListOf(TeamPermission),
    }),
    updateTeam: endpointAt(place, `updateTeamPermissionIn${noun}`, 'PATCH', '/permissions/teams/:teamId', {
      summary: `Change the role of a team on ${thing}`,
      tag,
      body: role,
      success: 204,
    }),
    removeTeam: endpointAt(place, `removeTeamFrom${noun}`, 'DELETE', '/permissions/teams/:teamId', {
      summary: `Take back what a team was given on ${thing}`,
      tag,
      success: 205,
    }),
    aggregate: endpointAt(place, `listPermissionsAggregateIn${noun}`, 'GET', '/permissions/aggregate', {
      summary: `Everybody who may read ${thing}, with their effective role`,
      tag,
      query: listQueryWith({ role: Type.Optional(Role) }),
      reply: ListOf(UserPermission),
    }),
  }
}

export const spacePermissions = permissionEndpoints(basePathOf('/spaces/:spaceId'), 'Space')
export const collectionPermissions = permissionEndpoints(
  basePathOf('/collections/:collectionId'),
  'Collection',
)
