/** Permissions: grants to users and teams on a space or a collection, the same endpoints for both. */
import Type, { type Static } from 'typebox'
import { type BasePath, endpointAt, basePathOf } from './endpoint.js'
import { Identifier, ListOf, ListQuery, Role, RoleOrGuest, Words, listQueryWith, roles } from './shapes.js'
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
  const tag = 'Permissions'
  const thing = `a ${noun.toLowerCase()}`
  const role = Type.Object({ role: Type.Optional(RoleOrGuest) })
  return {
    grant: endpointAt(place, `inviteTo${noun}`, 'POST', '/permissions', {
      summary: `Grant access to ${thing}`,
      description: 'Grants users and teams a role. The role null revokes what was granted to them.',
      tag,
      body: GrantBody,
      success: 204,
    }),
    listUsers: endpointAt(place, `listUserPermissionsIn${noun}`, 'GET', '/permissions/users', {
      summary: `List the users with a role on ${thing}`,
      description: 'Returns the users to whom a role was granted by name.',
      tag,
      query: ListQuery,
      reply: ListOf(UserPermission),
    }),
    updateUser: endpointAt(place, `updateUserPermissionIn${noun}`, 'PATCH', '/permissions/users/:userId', {
      summary: `Update the role of a user on ${thing}`,
      description: 'Changes the role that is granted to a user by name. Null revokes it.',
      tag,
      body: role,
      success: 204,
    }),
    removeUser: endpointAt(place, `removeUserFrom${noun}`, 'DELETE', '/permissions/users/:userId', {
      summary: `Remove a user from ${thing}`,
      description:
        'Revokes the role that was granted to a user by name. Access through teams or default levels stays.',
      tag,
      success: 205,
    }),
    listTeams: endpointAt(place, `listTeamPermissionsIn${noun}`, 'GET', '/permissions/teams', {
      summary: `List the teams with a role on ${thing}`,
      description: 'Returns the teams to which a role was granted.',
      tag,
      query: ListQuery,
      reply: ListOf(TeamPermission),
    }),
    updateTeam: endpointAt(place, `updateTeamPermissionIn${noun}`, 'PATCH', '/permissions/teams/:teamId', {
      summary: `Update the role of a team on ${thing}`,
      description: 'Changes the role that is granted to a team. Null revokes it.',
      tag,
      body: role,
      success: 204,
    }),
    removeTeam: endpointAt(place, `removeTeamFrom${noun}`, 'DELETE', '/permissions/teams/:teamId', {
      summary: `Remove a team from ${thing}`,
      description: 'Revokes the role that was granted to a team.',
      tag,
      success: 205,
    }),
    aggregate: endpointAt(place, `listPermissionsAggregateIn${noun}`, 'GET', '/permissions/aggregate', {
      summary: `List everyone with access to ${thing}`,
      description: 'Returns the users who may read it, with their effective roles.',
      tag,
      query: listQueryWith({
        role: Type.Optional(Words(roles, { description: 'Only users with this role.' })),
      }),
      reply: ListOf(UserPermission),
    }),
  }
}

export const spacePermissions = permissionEndpoints(basePathOf('/spaces/:spaceId'), 'Space')
export const collectionPermissions = permissionEndpoints(
  basePathOf('/collections/:collectionId'),
  'Collection',
)
