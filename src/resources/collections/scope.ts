/** Route scope `/collections/:collectionId`: loading and authorization. */
import type { CollectionId, OrganizationId, UserId } from '../../core/ids.js'
import {
  type CollectionAction,
  type Level,
  collectionActions,
  authorizeRole,
  levelOnContent,
} from '../../access/rules/levels.js'
import { organizationOfId, resourceScope, readThrough, signedIn } from '../../access/route/scope.js'
import type { Db } from '../../store/db/database.js'
import { rowCacheKind } from '../../store/cache/kinds.js'
import { type CollectionFacts, findCollectionOf } from './store.js'

/** A collection with the caller's level on it. */
export interface CollectionContext extends CollectionFacts {
  readonly level: Level
}

const collectionKind = rowCacheKind<CollectionContext>('collection', ({ row }) => [row.organization_id])

export const inCollection = resourceScope(signedIn, 'collectionId', {
  key: 'collection',
  noun: 'collection',
  async find(request, id) {
    const organizationId = await organizationOfId(request, id)
    if (organizationId === undefined) return undefined
    return readThrough(request, collectionKind, `${request.actor.userId} ${id}`, (db) =>
      findCollectionContext(db, organizationId, request.actor.userId, id as CollectionId),
    )
  },
  organizationOf: ({ row }) => row.organization_id,
  authorize: (action: CollectionAction, { collection }) =>
    authorizeRole(collection.level, collectionActions[action]),
  visibleIf: 'view',
})

/** Returns a collection of the organization with the user's level; no authorization. */
export async function findCollectionContext(
  db: Db,
  organizationId: OrganizationId,
  userId: UserId,
  id: CollectionId,
): Promise<CollectionContext | undefined> {
  const found = await findCollectionOf(db, organizationId, userId, id)
  return found && { ...found, level: levelOnContent(found) }
}
