/** The step `/collections/:collectionId`, and what a user may do there. */
import type { CollectionId, UserId } from '../../core/ids.js'
import {
  type CollectionAction,
  type Level,
  collectionActions,
  judge,
  levelOnContent,
} from '../../access/rules/levels.js'
import { place, recall, signedIn } from '../../access/route/scope.js'
import type { Db } from '../../store/db/database.js'
import { memoryPerDatabase } from '../../store/db/memory.js'
import { type CollectionOf, findCollectionOf } from './store.js'

/** A collection as somebody sees it. */
export interface CollectionHere extends CollectionOf {
  readonly level: Level
}

const known = memoryPerDatabase<CollectionHere>(10_000)

export const inCollection = place(signedIn, 'collectionId', {
  key: 'collection',
  thing: 'collection',
  find: (request, id) =>
    recall(request, known, `${request.actor.userId} ${id}`, (db) =>
      findCollectionHere(db, request.actor.userId, id as CollectionId),
    ),
  judge: (action: CollectionAction, { collection }) => judge(collection.level, collectionActions[action]),
  seen: 'view',
})

/** Returns a collection as the user sees it, whether or not they may. */
export async function findCollectionHere(
  db: Db,
  userId: UserId,
  id: CollectionId,
): Promise<CollectionHere | undefined> {
  const found = await findCollectionOf(db, userId, id)
  return found && { ...found, level: levelOnContent(found) }
}
