/** Spaces, and reading their content. */
import { type Route, route } from '../../access/route/route.js'
import type { Services } from '../../access/route/scope.js'
import { revisionContent, spaceContent } from '../../contract/content.js'
import { createSpace, getSpace, listSpaces, searchSpace, updateSpace } from '../../contract/spaces.js'
import type { Db } from '../../store/db/database.js'
import { inOrganization } from '../organizations/scope.js'
import { contentAt } from './content/content-at.js'
import { createSpace as create } from './create.js'
import { presentSpace } from './present.js'
import { type SpaceHere, inRevision, inSpace, inSpaceContent, withLevel } from './scope.js'
import { searchPages } from './search.js'
import { listVisibleSpaces, loadSurroundings } from './store.js'
import { changeSpace } from './update.js'
import { writeFirstPage } from './content/first-page.js'

async function present(db: Db, { addresses }: Services, { row, level }: SpaceHere) {
  const surroundings = await loadSurroundings(db, [row.id])
  return presentSpace(addresses, row, level, surroundings.get(row.id)!)
}

export const spaceRoutes: readonly Route[] = [
  route(listSpaces, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ db, actor, organization, query, services }) => {
      const list = await listVisibleSpaces(db, organization.row.id, actor.userId, query)
      const surroundings = await loadSurroundings(
        db,
        list.items.map(({ id }) => id),
      )
      const items = list.items.map((row) => {
        const { level } = withLevel({ row, role: organization.role }, actor.userId)
        return presentSpace(services.addresses, row, level, surroundings.get(row.id)!)
      })
      return { ...list, items }
    },
  }),

  route(createSpace, {
    at: inOrganization,
    allow: 'createContent',
    handle: async ({ tx, actor, organization, body, now, services }) => {
      const circumstances = { organizationId: organization.row.id, userId: actor.userId, now }
      const snapshot = body.empty === true ? undefined : await writeFirstPage(tx, services, circumstances)
      const row = await create(tx, body, circumstances, snapshot)
      return present(tx, services, withLevel({ row, role: organization.role }, actor.userId))
    },
  }),

  route(getSpace, {
    at: inSpace,
    allow: 'view',
    handle: ({ db, space, services }) => present(db, services, space),
  }),

  route(updateSpace, {
    at: inSpace,
    allow: 'administer',
    handle: async ({ tx, actor, space, body, now, services }) => {
      const row = await changeSpace(tx, space.row, body, now)
      return present(tx, services, withLevel({ row, role: space.role }, actor.userId))
    },
  }),

  route(searchSpace, {
    at: inSpace,
    allow: 'view',
    handle: ({ db, space, query, services }) => searchPages(db, space.row, query, services.addresses),
  }),

  ...contentAt(spaceContent, inSpaceContent),
  ...contentAt(revisionContent, inRevision),
]
