/** Routes that move spaces: between collections, to the trash and back, to other organizations; and list them by location. */
import type { UserId } from '../../core/ids.js'
import { nothingRemoved } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import type { Services } from '../../access/route/scope.js'
import * as collectionOperations from '../../contract/collections.js'
import type { Role } from '../../contract/shapes.js'
import * as spaceOperations from '../../contract/spaces.js'
import type { Db } from '../../store/db/database.js'
import {
  resolvePlacement,
  getParent,
  requireGivableByDefault,
  requireTopLevel,
} from '../collections/placement.js'
import { presentCollection } from '../collections/present.js'
import { findCollectionContext, inCollection } from '../collections/scope.js'
import { inMember } from '../members/scope.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { loadLevels } from '../../access/rules/level-facts.js'
import { requireOnDescendants } from '../../access/rules/descendants.js'
import { spaceActions } from '../../access/rules/levels.js'
import { duplicateSpace } from './duplicate.js'
import { getSpaceContext, inSpace, inSpaceOrTrash, movedOf } from './scope.js'
import { showSpace, showSpaces } from './show.js'
import { type SpaceKey, listVisibleSpaces, updateSpace } from './store.js'
import { precopyCollection, precopySpace, transferCollection, transferSpace } from './transfer.js'
import { deleteCollection, deleteSpace, listTrash, purgeSpace, restoreSpace } from './trash.js'

async function show(db: Db, { addresses }: Services, userId: UserId, space: SpaceKey) {
  return showSpace(db, addresses, await getSpaceContext(db, userId, space))
}

export const spaceLocationRoutes: readonly Route[] = [
  route(spaceOperations.deleteSpace, {
    at: inSpaceOrTrash,
    allow: 'administer',
    locks: 'organization',
    handle: async ({ tx, actor: { userId }, space, now }) =>
      (await deleteSpace(tx, space.row, { userId, now })) ? undefined : nothingRemoved,
  }),

  route(spaceOperations.restoreSpace, {
    at: inSpaceOrTrash,
    allow: 'administer',
    locks: 'organization',
    handle: async ({ tx, actor: { userId }, space, now, services }) => {
      await restoreSpace(tx, space.row, { userId, now })
      return show(tx, services, userId, space.row)
    },
  }),

  route(spaceOperations.purgeSpace, {
    at: inSpaceOrTrash,
    allow: 'administer',
    locks: 'organization',
    handle: ({ tx, space, now }) => purgeSpace(tx, space.row, now),
  }),

  route(spaceOperations.listTrash, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ db, actor, organization, query, now, services }) => {
      const reader = readerOf(actor, organization)
      const list = await listTrash(db, reader, query, now)
      return { ...list, items: await showSpaces(db, services.addresses, reader, list.items) }
    },
  }),

  route(spaceOperations.duplicateSpace, {
    at: inSpace,
    allow: 'administer',
    locks: 'organization',
    handle: async ({ tx, actor: { userId }, space, now, services }) => {
      const { row, role } = space
      const mover = { userId, organizationId: row.organization_id, role }
      if (row.collection_id === null) requireTopLevel(mover)
      else await getParent(tx, mover, row.collection_id)
      await requireGivableByDefault(tx, mover, movedOf(space))
      const copy = await duplicateSpace(tx, row, { userId, now, services })
      return show(tx, services, userId, copy)
    },
  }),

  route(collectionOperations.moveSpace, {
    at: inSpace,
    allow: 'administer',
    locks: 'organization',
    handle: async ({ tx, actor: { userId }, space, body, now, services }) => {
      const { row, role } = space
      const mover = { userId, organizationId: row.organization_id, role }
      const { parentId, position } = await resolvePlacement(tx, mover, movedOf(space), body)
      await updateSpace(tx, row, { collection_id: parentId, position, updated_at: now })
      return show(tx, services, userId, row)
    },
  }),

  route(collectionOperations.transferSpace, {
    at: inSpace,
    allow: 'administer',
    handleLong: async ({ actor, space, body: { organization }, now, services, commit }) => {
      const handover = { actor, now, services }
      const copied = await precopySpace(space, organization, handover)
      return commit(async ({ tx, space: current }) => {
        const moved = await transferSpace(tx, current, organization, handover, copied)
        return show(tx, services, actor.userId, moved)
      })
    },
  }),

  route(collectionOperations.listCollectionSpaces, {
    at: inCollection,
    allow: 'view',
    handle: async ({ db, actor: { userId }, collection: { row, role }, query, services }) => {
      const reader = { userId, organizationId: row.organization_id, role }
      const list = await listVisibleSpaces(db, reader, query, { collection: row.id })
      return { ...list, items: await showSpaces(db, services.addresses, reader, list.items) }
    },
  }),

  route(collectionOperations.deleteCollection, {
    at: inCollection,
    allow: 'administer',
    handle: async ({ tx, actor: { userId }, collection, now }) => {
      const { row, role } = collection
      await requireOnDescendants(tx, { userId, organizationId: row.organization_id, role }, row.id, {
        action: 'delete the collection with all that is inside',
        needs: () => spaceActions.administer,
      })
      await deleteCollection(tx, collection, { userId, now })
    },
  }),

  route(collectionOperations.transferCollection, {
    at: inCollection,
    allow: 'administer',
    handleLong: async ({ actor, collection, body: { organization }, now, services, commit }) => {
      const handover = { actor, now, services }
      const copied = await precopyCollection(collection, organization, handover)
      return commit(async ({ tx, collection: current }) => {
        const to = await transferCollection(tx, current, organization, handover, copied)
        const { row, level } = (await findCollectionContext(tx, to, actor.userId, current.row.id))!
        return presentCollection(services.addresses, row, level)
      })
    },
  }),

  route(spaceOperations.listMemberSpaces, {
    at: inMember,
    allow: 'view',
    handle: async ({ db, actor, organization, member, query, services }) => {
      const reader = readerOf(actor, organization)
      const { user_id: userId, disabled, role } = member.row
      const memberReader = { ...reader, userId, role: disabled === 1 ? undefined : (role as Role | null) }
      const filter = { member: memberReader, order: query.order ?? 'desc' }
      const list = await listVisibleSpaces(db, reader, query, filter)
      const spaces = await showSpaces(db, services.addresses, reader, list.items)
      const levels = await loadLevels(
        db,
        memberReader,
        'space',
        list.items.map(({ id }) => id),
      )
      return {
        ...list,
        items: list.items.map(({ id }, at) => ({ permission: levels.get(id)!, space: spaces[at]! })),
      }
    },
  }),
]
