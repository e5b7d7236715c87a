/** The step `/spaces/:spaceId`, and what a user may do there. */
import type { RevisionId, SpaceId, UserId } from '../../core/ids.js'
import {
  type Level,
  type SpaceAction,
  judge,
  levelOnContent,
  reaches,
  spaceActions,
  strongest,
} from '../../access/rules/levels.js'
import {
  type LoadRequest,
  organizationOfId,
  place,
  recall,
  signedIn,
  within,
  withMore,
} from '../../access/route/scope.js'
import type { SiteReading } from '../../access/signin/actor.js'
import { ApiError } from '../../contract/errors.js'
import type { Role } from '../../contract/shapes.js'
import type { Db } from '../../store/db/database.js'
import { rowKind } from '../../store/cache/kinds.js'
import type { Moved } from '../collections/parent.js'
import { findContent, forReader, getContent } from '../content/content.js'
import { isShown } from '../content/shown.js'
import { type SpaceKey, type SpaceOf, defaultLevelOf, findSpace, findSpaceOf, headOf } from './store.js'

/** A space as somebody sees it. */
export interface SpaceHere extends SpaceOf {
  readonly level: Level
  /** True where a reader of a site asks. */
  readonly isForReaders?: boolean
}

const spaceKind = rowKind<SpaceHere>('space', ({ row }) => [row.organization_id])

/** A space wherever it is, for what takes it out of the trash or finds it there already. */
export const inSpaceOrTrash = place(signedIn, 'spaceId', {
  key: 'space',
  thing: 'space',
  async find(request, id) {
    const { reading } = request.actor
    if (reading !== undefined) return findShown(request, reading, id as SpaceId)
    const organizationId = await organizationOfId(request, id)
    if (organizationId === undefined) return undefined
    return recall(request, spaceKind, `${request.actor.userId} ${id}`, async (db) => {
      const found = await findSpaceOf(db, organizationId, request.actor.userId, id as SpaceId)
      return found && withLevel(found)
    })
  },
  judge: (action: SpaceAction, { space }) =>
    judge(space.level, strongest([spaceActions[action], leastKnown(space)])!, leastKnown(space)),
  seen: 'view',
})

/** Returns a space of the one site that is read. */
async function findShown(
  request: LoadRequest,
  { organizationId, spaces }: SiteReading,
  id: SpaceId,
): Promise<SpaceHere | undefined> {
  if (!spaces.has(id)) return undefined
  return recall(request, spaceKind, ` ${id}`, async (db) => {
    const row = await findSpace(db, organizationId, id)
    return row && { row, role: null, steps: [], level: 'read', isForReaders: true }
  })
}

/** A space; in the trash it is read, and nothing below it is written. */
export const inSpace: typeof inSpaceOrTrash = {
  ...inSpaceOrTrash,
  requireWritable({ space }) {
    if (space.row.deleted_at !== null) throw new ApiError('space_deleted')
  },
}

/** A deleted space is known to those who could restore it, and to nobody else. */
function leastKnown({ row }: SpaceHere): Role {
  return row.deleted_at === null ? 'read' : 'create'
}

export function withLevel(space: SpaceOf): SpaceHere {
  return { ...space, level: levelOnContent(space) }
}

/** Returns a space that is known to exist, as the user sees it now. */
export async function getSpaceHere(
  db: Db,
  userId: UserId,
  { organization_id: organizationId, id }: SpaceKey,
): Promise<SpaceHere> {
  return withLevel((await findSpaceOf(db, organizationId, userId, id))!)
}

/** Returns the space as what its levels are given on, in the place where it stands. */
export function movedOf({ row, level }: SpaceHere): Moved {
  const { id, position, collection_id: parentId } = row
  return { kind: 'space', id, position, level, defaultLevel: defaultLevelOf(row), parentId }
}

/** True for those who may change a space's settings. */
export function administers(level: Level): boolean {
  return reaches(level, spaceActions.administer)
}

/** A space with its current content. */
export const inSpaceContent = withMore(
  inSpace,
  'content',
  async ({ actor, immutable, services }, { space }) => {
    const { organization_id: organizationId, id: spaceId } = space.row
    const content = await getContent({ db: immutable, services, organizationId, spaceId }, headOf(space.row))
    return forReader(content, actor)
  },
)

export const inRevision = within(inSpace, 'revisionId', {
  key: 'content',
  thing: 'revision',
  async find({ actor, immutable, services }, id, { space }) {
    const place = {
      db: immutable,
      services,
      organizationId: space.row.organization_id,
      spaceId: space.row.id,
    }
    const content = await findContent(place, id as RevisionId)
    if (content === undefined) return undefined
    const { reading } = actor
    if (reading !== undefined && !(await isShown(reading, space.row, content, place))) return undefined
    return { ...forReader(content, actor), isFixed: true }
  },
})
