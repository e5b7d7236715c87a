/** Spaces: listed, created, read, changed. */
import { type Route, route } from '../../access/route/route.js'
import type { Services } from '../../access/route/scope.js'
import { createSpace, getSpace, listSpaces, updateSpace } from '../../contract/spaces.js'
import type { Db } from '../../store/db/database.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { getParent, requireGivableByDefault, requireTop } from '../collections/parent.js'
import { createSpace as create } from './create.js'
import { presentSpaces } from './present-many.js'
import { presentSpace } from './present.js'
import { type SpaceHere, getSpaceHere, inSpace, movedOf } from './scope.js'
import { listVisibleSpaces, loadSurroundings } from './store.js'
import { changeSpace } from './update.js'
import { writeFirstPage } from '../content/first-page.js'

async function present(db: Db, { addresses }: Services, { row, level }: SpaceHere) {
  const surroundings = await loadSurroundings(db, row.organization_id, [row.id])
  return presentSpace(addresses, row, level, surroundings.get(row.id)!)
}

export const spaceRoutes: readonly Route[] = [
  route(listSpaces, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ db, actor, organization, query, services }) => {
      const reader = readerOf(actor, organization)
      const list = await listVisibleSpaces(db, reader, query)
      return { ...list, items: await presentSpaces(db, services.addresses, reader, list.items) }
    },
  }),

  route(createSpace, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ tx, actor, organization, body, now, services }) => {
      const mover = readerOf(actor, organization)
      const parent = body.parent === undefined ? null : await getParent(tx, mover, body.parent)
      if (parent === null) requireTop(mover)
      const collectionId = parent && parent.row.id
      const circumstances = { organizationId: organization.row.id, collectionId, userId: actor.userId, now }
      const snapshot = body.empty === true ? undefined : await writeFirstPage(tx, services, circumstances)
      const row = await create(tx, body, circumstances, snapshot)
      return present(tx, services, await getSpaceHere(tx, actor.userId, row))
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
      const { defaultLevel } = body
      if (defaultLevel !== undefined && defaultLevel !== space.row.default_level) {
        const mover = { userId: actor.userId, organizationId: space.row.organization_id, role: space.role }
        await requireGivableByDefault(tx, mover, { ...movedOf(space), defaultLevel })
      }
      const row = await changeSpace(tx, space.row, body, now)
      return present(tx, services, await getSpaceHere(tx, actor.userId, row))
    },
  }),
]
