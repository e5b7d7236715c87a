/** Routes of teams of an organization, and of the teams of a member. */
import type { TeamId, UserId } from '../../core/ids.js'
import { newId } from '../../access/ids.js'
import { type Route, route } from '../../access/route/route.js'
import { removeGrantsOf } from '../../access/rules/grants.js'
import { listMemberTeams } from '../../contract/teams.js'
import * as operations from '../../contract/teams.js'
import { inMember } from '../members/scope.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { changeTeamMembers, getMembers } from './change-members.js'
import { showTeamMembers, showTeams } from './show.js'
import { atTeam, inTeam, inTeamMember } from './scope.js'
import {
  deleteTeam,
  deleteTeamMembers,
  insertTeam,
  listTeamMembers,
  listTeams,
  loadTeamRoles,
  putTeamMembers,
  renameTeam,
} from './store.js'

export const teamRoutes: readonly Route[] = [
  route(operations.listTeams, {
    at: inOrganization,
    allow: 'view',
    handle: async ({ db, actor, organization, query }) => {
      const { title, owner } = query
      const page = await listTeams(db, organization.row.id, query, { title, owner })
      return { ...page, items: await showTeams(db, readerOf(actor, organization), page.items) }
    },
  }),

  route(operations.createTeam, {
    at: inOrganization,
    allow: 'administer',
    handle: async ({ tx, actor, organization, body, now }) => {
      const { id: organizationId } = organization.row
      const team = await insertTeam(tx, {
        id: newId<TeamId>(),
        organization_id: organizationId,
        title: body.title,
        created_at: now,
        updated_at: now,
      })
      const people = await getMembers(tx, organizationId, body.members ?? [], (at) => `members[${at}]`)
      await putTeamMembers(
        tx,
        team,
        people.map((userId) => ({ userId })),
        now,
      )
      const [presented] = await showTeams(tx, readerOf(actor, organization), [team])
      return presented!
    },
  }),

  route(operations.getTeam, {
    at: inTeam,
    allow: 'view',
    handle: async ({ db, actor, organization, team }) => {
      const [presented] = await showTeams(db, readerOf(actor, organization), [team.row])
      return presented!
    },
  }),

  route(operations.updateTeam, {
    at: inTeam,
    allow: 'administer',
    handle: async ({ tx, actor, organization, team, body, now }) => {
      const row = await renameTeam(tx, team.row, body.title, now)
      const [presented] = await showTeams(tx, readerOf(actor, organization), [row])
      return presented!
    },
  }),

  route(operations.removeTeam, {
    at: atTeam,
    allow: 'administer',
    handle: async ({ tx, team }) => {
      if (team === undefined) return
      await removeGrantsOf(tx, team.row.organization_id, team.row.id)
      await deleteTeam(tx, team.row)
    },
  }),

  route(operations.listTeamMembers, {
    at: inTeam,
    allow: 'view',
    handle: async ({ db, actor, organization, team, query, services }) => {
      const page = await listTeamMembers(db, team.row, query)
      const reader = readerOf(actor, organization)
      return { ...page, items: await showTeamMembers(db, services.addresses, reader, page.items) }
    },
  }),

  route(operations.updateTeamMembers, {
    at: inTeam,
    allow: 'manage',
    handle: ({ tx, team, body, now }) => changeTeamMembers(tx, team.row, body, now),
  }),

  route(operations.addTeamMember, {
    at: inTeamMember,
    allow: 'manage',
    handle: async ({ tx, team, userId, body, now }) => {
      const [member] = await getMembers(tx, team.row.organization_id, [userId], () => 'userId')
      await putTeamMembers(tx, team.row, [{ userId: member!, role: body.role }], now)
    },
  }),

  route(operations.removeTeamMember, {
    at: inTeamMember,
    allow: 'manage',
    handle: ({ tx, team, userId }) => deleteTeamMembers(tx, team.row, [userId as UserId]),
  }),

  route(listMemberTeams, {
    at: inMember,
    allow: 'view',
    handle: async ({ db, actor, organization, member, query }) => {
      const { user_id: userId } = member.row
      const page = await listTeams(db, organization.row.id, query, { title: query.title, member: userId })
      const teams = await showTeams(db, readerOf(actor, organization), page.items)
      const roles = await loadTeamRoles(
        db,
        organization.row.id,
        userId,
        page.items.map(({ id }) => id),
      )
      return {
        ...page,
        items: teams.map((team) => ({ team, member: { role: roles.get(team.id as TeamId)! } })),
      }
    },
  }),
]
