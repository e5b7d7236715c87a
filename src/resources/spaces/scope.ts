/** The step `/spaces/:spaceId`, and what a user may do there. */
import type { RevisionId, SpaceId } from '../../core/ids.js'
import {
  type Level,
  type SpaceAction,
  judge,
  levelOnSpace,
  reaches,
  spaceActions,
} from '../../access/rules/levels.js'
import { place, recall, signedIn, within, withMore } from '../../access/route/scope.js'
import { memoryPerDatabase } from '../../store/db/memory.js'
import { findContent, getContent } from './content/content.js'
import { type SpaceOf, defaultLevelOf, findSpaceOf, headOf } from './store.js'

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

/** A space with its current content. */
export const inSpaceContent = withMore(inSpace, 'content', ({ db, services }, { space }) =>
  getContent(
    { db, services, organizationId: space.row.organization_id, spaceId: space.row.id },
    headOf(space.row),
  ),
)

export const inRevision = within(inSpace, 'revisionId', {
  key: 'content',
  thing: 'revision',
  find: ({ db, services }, id, { space }) =>
    findContent(
      { db, services, organizationId: space.row.organization_id, spaceId: space.row.id },
      id as RevisionId,
    ),
})
