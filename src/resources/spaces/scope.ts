/** The step `/spaces/:spaceId`, and what a user may do there. */
import type { SpaceId } from '../../core/ids.js'
import {
  type Level,
  type SpaceAction,
  judge,
  levelOnSpace,
  reaches,
  spaceActions,
} from '../../access/rules/levels.js'
import { place, recall, signedIn } from '../../access/route/scope.js'
import { memoryPerDatabase } from '../../store/db/memory.js'
import { type SpaceOf, type SpaceRow, defaultLevelOf, findSpaceOf } from './store.js'

/** A space as somebody sees it. */
export interface SpaceHere extends SpaceOf {
  readonly level: Level
}

const known = memoryPerDatabase<SpaceHere>(10_000)

export const inSpace = place(signedIn, 'spaceId', {
  key: 'space',
  thing: 'space',
  find: (request, id) =>
    recall(request, known, `${request.actor.userId} ${id}`, async (db) => {
      const found = await findSpaceOf(db, request.actor.userId, id as SpaceId)
      return found && withLevel(found, request.actor.userId)
    }),
  judge: (action: SpaceAction, { space }) =>
    // A deleted space is known to those who could restore it, and to nobody else.
    judge(space.level, spaceActions[action], space.row.deleted_at === null ? 'read' : 'create'),
  seen: 'view',
})

export function withLevel({ row, role }: SpaceOf, userId: string): SpaceHere {
  const facts = { role, isCreator: row.created_by === userId, defaultLevel: defaultLevelOf(row) }
  return { row, role, level: levelOnSpace(facts) }
}

/** True for those who may change a space's settings. */
export function administers(level: Level): boolean {
  return reaches(level, spaceActions.administer)
}
