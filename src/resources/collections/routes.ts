/** Routes of collections; those that also affect the spaces inside are in the folder of spaces. */
import type { CollectionId, UserId } from '../../core/ids.js'
import { newId } from '../../access/ids.js'
import { type Route, route } from '../../access/route/route.js'
import type { Services } from '../../access/route/scope.js'
import {
  createCollection,
  getCollection,
  listCollections,
  moveCollection,
  updateCollection,
} from '../../contract/collections.js'
import type { Actor } from '../../access/signin/actor.js'
import type { DefaultLevel } from '../../contract/shapes.js'
import type { Db } from '../../store/db/database.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import {
  type MovedContent,
  type Mover,
  resolvePlacement,
  getParent,
  requireGivableByDefault,
  requireTopLevel,
} from './placement.js'
import { presentCollection } from './present.js'
import { type CollectionContext, findCollectionContext, inCollection } from './scope.js'
import { showCollections } from './show.js'
import { type CollectionRow, insertCollection, listVisibleCollections, updateCollectionRow } from './store.js'

async function presentCurrentCollection(
  db: Db,
  { addresses }: Services,
  userId: UserId,
  { organization_id: organizationId, id }: CollectionRow,
) {
  const { row, level } = (await findCollectionContext(db, organizationId, userId, id))!
  return presentCollection(addresses, row, level)
}

function moverOf({ userId }: Actor, { row, role }: CollectionContext): Mover {
  return { userId, organizationId: row.organization_id, role }
}

function movedOf({ row, level }: CollectionContext): MovedContent {
  const { id, position, parent_id: parentId } = row
  const defaultLevel = row.default_level as DefaultLevel
  return { kind: 'collection', id, position, level, defaultLevel, parentId }
}

export const collectionRoutes: readonly Route[] = [
  route(listCollections, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ db, actor, organization, query, services }) => {
      const reader = readerOf(actor, organization)
      const { page, limit, nested = true } = query
      const list = await listVisibleCollections(db, reader, { page, limit, nested })
      return { ...list, items: await showCollections(db, services.addresses, reader, list.items) }
    },
  }),

  route(createCollection, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ tx, actor, organization, body, now, services }) => {
      const mover = readerOf(actor, organization)
      const parent = body.parent === undefined ? null : await getParent(tx, mover, body.parent)
      if (parent === null) requireTopLevel(mover)
      const row = await insertCollection(tx, {
        id: newId<CollectionId>(),
        organization_id: mover.organizationId,
        parent_id: parent && parent.row.id,
        title: body.title === undefined || body.title === '' ? 'Untitled collection' : body.title,
        description: null,
        default_level: 'inherit',
        created_by: actor.userId,
        created_at: now,
        updated_at: now,
      })
      return presentCurrentCollection(tx, services, actor.userId, row)
    },
  }),

  route(getCollection, {
    at: inCollection,
    allow: 'view',
    handle: async ({ collection, services }) =>
      presentCollection(services.addresses, collection.row, collection.level),
  }),

  route(updateCollection, {
    at: inCollection,
    allow: 'administer',
    handle: async ({ tx, actor, collection, body, now, services }) => {
      const { defaultLevel } = body
      if (defaultLevel !== undefined && defaultLevel !== collection.row.default_level) {
        const mover = moverOf(actor, collection)
        await requireGivableByDefault(tx, mover, { ...movedOf(collection), defaultLevel })
      }
      await updateCollectionRow(tx, collection.row, {
        updated_at: now,
        ...(body.title !== undefined && { title: body.title }),
        ...(body.description !== undefined && { description: body.description }),
        ...(defaultLevel !== undefined && { default_level: defaultLevel }),
      })
      return presentCurrentCollection(tx, services, actor.userId, collection.row)
    },
  }),

  route(moveCollection, {
    at: inCollection,
    allow: 'administer',
    handle: async ({ tx, actor, collection, body, now, services }) => {
      const { row } = collection
      const mover = moverOf(actor, collection)
      const { parentId, position } = await resolvePlacement(tx, mover, movedOf(collection), body)
      await updateCollectionRow(tx, row, { parent_id: parentId, position, updated_at: now })
      return presentCurrentCollection(tx, services, actor.userId, row)
    },
  }),
]
