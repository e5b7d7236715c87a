/** Permissions: one table of routes, mounted on spaces and on collections. */
import type { UserId } from '../../core/ids.js'
import { nothingRemoved } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import { type Scope, withParam } from '../../access/route/scope.js'
import { removeGrant } from '../../access/rules/grants.js'
import { ApiError } from '../../contract/errors.js'
import {
  type PermissionEndpoints,
  collectionPermissions,
  spacePermissions,
} from '../../contract/permissions.js'
import type { Role } from '../../contract/shapes.js'
import { showTeams } from '../teams/show.js'
import { presentUser } from '../users/present.js'
import { getGrantees, setRole } from './set-role.js'
import {
  type PermissionAction,
  type PermissionResources,
  inCollectionTarget,
  inSpaceTarget,
} from './scope.js'
import { listGrantedTeams, listGrantedUsers, listPeopleWithAccess } from './store.js'

function permissionsAt<Params extends string, Context extends PermissionResources>(
  endpoints: PermissionEndpoints<Params>,
  at: Scope<NoInfer<Params>, Context, PermissionAction>,
): readonly Route[] {
  return [
    route(endpoints.grant, {
      at,
      allow: 'give',
      locks: 'organization',
      handle: async ({ tx, target, reader, body, now }) =>
        setRole(tx, { target, reader }, await getGrantees(tx, target, body), body.role, now),
    }),

    route(endpoints.listUsers, {
      at,
      allow: 'list',
      handle: async ({ db, target, query, services }) => {
        const list = await listGrantedUsers(db, target, query)
        const items = list.items.map((row) => ({
          permission: row.granted_role as Role,
          user: presentUser(services.addresses, { ...row, id: row.user_id }),
        }))
        return { ...list, items }
      },
    }),

    route(endpoints.updateUser, {
      at: withParam(at, 'userId'),
      allow: 'give',
      locks: 'organization',
      handle: async ({ tx, target, reader, userId, body, now }) => {
        const grantees = await getGrantees(tx, target, { users: [userId] })
        if (body.role !== undefined) await setRole(tx, { target, reader }, grantees, body.role, now)
      },
    }),

    route(endpoints.removeUser, {
      at: withParam(at, 'userId'),
      allow: 'give',
      locks: 'organization',
      handle: async ({ tx, target, userId }) =>
        (await removeGrant(tx, target, userId as UserId)) ? undefined : nothingRemoved,
    }),

    route(endpoints.listTeams, {
      at,
      allow: 'list',
      handle: async ({ db, target, reader, query }) => {
        const list = await listGrantedTeams(db, target, query)
        const teams = await showTeams(db, reader, list.items)
        const items = list.items.map((row, index) => ({
          permission: row.granted_role as Role,
          team: teams[index]!,
        }))
        return { ...list, items }
      },
    }),

    route(endpoints.updateTeam, {
      at: withParam(at, 'teamId'),
      allow: 'give',
      locks: 'organization',
      handle: async ({ tx, target, reader, teamId, body, now }) => {
        const grantees = await getGrantees(tx, target, { teams: [teamId] })
        if (body.role !== undefined) await setRole(tx, { target, reader }, grantees, body.role, now)
      },
    }),

    route(endpoints.removeTeam, {
      at: withParam(at, 'teamId'),
      allow: 'give',
      locks: 'organization',
      handle: async ({ tx, target, teamId }) => {
        if (await removeGrant(tx, target, teamId as UserId)) return
        const problem = `The team has no role on this ${target.kind}.`
        throw new ApiError('invalid_request', { problem })
      },
    }),

    route(endpoints.aggregate, {
      at,
      allow: 'list',
      handle: async ({ db, target, query, services }) => {
        const { page, limit, role } = query
        const list = await listPeopleWithAccess(db, target, { role }, { page, limit })
        const items = list.items.map((row) => ({
          permission: row.level,
          user: presentUser(services.addresses, { ...row, id: row.user_id }),
        }))
        return { ...list, items }
      },
    }),
  ]
}

export const permissionRoutes: readonly Route[] = [
  ...permissionsAt(spacePermissions, inSpaceTarget),
  ...permissionsAt(collectionPermissions, inCollectionTarget),
]
