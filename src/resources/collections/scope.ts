/** The step `/collections/:collectionId`, and what a user may do there. */
import type { CollectionId, OrganizationId, UserId } from '../../core/ids.js'
import {
  type CollectionAction,
  type Level,
  collectionActions,
  judge,
  levelOnContent,
} from '../../access/rules/levels.js'
import { organizationOfId, place, recall, signedIn } from '../../access/route/scope.js'
import type { Db } from '../../store/db/database.js'
import { rowKind } from '../../store/cache/kinds.js'
import { type CollectionOf, findCollectionOf } from './store.js'

/** A collection as somebody sees it. */
export interface CollectionHere extends CollectionOf {
  readonly level: Level
}

const collectionKind = rowKind<CollectionHere>('collection', ({ row }) => [row.organization_id])

export const inCollection = place(signedIn, 'collectionId', {
  key: 'collection',
  thing: 'collection',
  async find(request, id) {
    const organizationId = await organizationOfId(request, id)
    if (organizationId === undefined) return undefined
    return recall(request, collectionKind, `${request.actor.userId} ${id}`, (db) =>
      findCollectionHere(db, organizationId, request.actor.userId, id as CollectionId),
    )
  },
  judge: (action: CollectionAction, { collection }) => judge(collection.level, collectionActions[action]),
  seen: 'view',
})

/** Returns a collection of the organization as the user sees it, whether or not they may. */
export async function findCollectionHere(
  db: Db,
  organizationId: OrganizationId,
  userId: UserId,
  id: CollectionId,
): Promise<CollectionHere | undefined> {
  const found = await findCollectionOf(db, organizationId, userId, id)
  return found && { ...found, level: levelOnContent(found) }
}
