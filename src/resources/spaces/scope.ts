/** Loads and authorizes `/spaces/:spaceId`, its content and its revisions. */
import type { OrganizationId, RevisionId, SpaceId, UserId } from '../../core/ids.js'
import {
  type Level,
  type SpaceAction,
  authorizeRole,
  levelOnContent,
  reaches,
  spaceActions,
  strongest,
} from '../../access/rules/levels.js'
import {
  type LoadRequest,
  organizationOfId,
  prefetchOrganizationOfId,
  prefetchRow,
  resourceScope,
  readThrough,
  signedIn,
  subresourceScope,
  withLoaded,
} from '../../access/route/scope.js'
import type { SiteReading } from '../../access/signin/actor.js'
import { ApiError } from '../../contract/errors.js'
import type { Role } from '../../contract/shapes.js'
import type { Db } from '../../store/db/database.js'
import { rowCacheKind } from '../../store/cache/kinds.js'
import type { MovedContent } from '../collections/placement.js'
import { findContent, forActor, getContent } from '../content/content.js'
import { isPublishedRevision } from '../content/published-revisions.js'
import {
  type SpaceKey,
  type SpaceWithFacts,
  defaultLevelOf,
  findSpace,
  findSpaceWithFacts,
  headOf,
} from './store.js'

/** A space with the actor's level on it. */
export interface SpaceContext extends SpaceWithFacts {
  readonly level: Level
  /** True when the actor is a reader of a site. */
  readonly isForReaders?: boolean
}

const spaceKind = rowCacheKind<SpaceContext>('space', ({ row }) => [row.organization_id])

/** A space, also in the trash, for restoring and deleting. */
export const inSpaceOrTrash = resourceScope(signedIn, 'spaceId', {
  key: 'space',
  noun: 'space',
  async find(request, id) {
    const { reading } = request.actor
    if (reading !== undefined) return findPublishedSpace(request, reading, id as SpaceId)
    const organizationId = await organizationOfId(request, id)
    if (organizationId === undefined) return undefined
    const { userId } = request.actor
    return readThrough(request, spaceKind, `${organizationId} ${userId} ${id}`, (db) =>
      findSpaceContext(db, organizationId, userId, id as SpaceId),
    )
  },
  prefetch(request, id) {
    const { organizationId, actor } = request
    prefetchOrganizationOfId(request, id)
    prefetchRow(request, spaceKind, `${organizationId} ${actor.userId} ${id}`, (db) =>
      findSpaceContext(db, organizationId, actor.userId, id as SpaceId),
    )
  },
  organizationOf: ({ row }) => row.organization_id,
  authorize: (action: SpaceAction, { space }) =>
    authorizeRole(
      space.level,
      strongest([spaceActions[action], minimumVisibleRole(space)])!,
      minimumVisibleRole(space),
    ),
  visibleIf: 'view',
})

async function findSpaceContext(
  db: Db,
  organizationId: OrganizationId,
  userId: UserId,
  id: SpaceId,
): Promise<SpaceContext | undefined> {
  const found = await findSpaceWithFacts(db, organizationId, userId, id)
  return found && withLevel(found)
}

/** Returns a space of the site that the actor reads. */
async function findPublishedSpace(
  request: LoadRequest,
  { organizationId, spaces }: SiteReading,
  id: SpaceId,
): Promise<SpaceContext | undefined> {
  if (!spaces.has(id)) return undefined
  return readThrough(request, spaceKind, ` ${id}`, async (db) => {
    const row = await findSpace(db, organizationId, id)
    return row && { row, role: null, steps: [], level: 'read', isForReaders: true }
  })
}

/** A space; in the trash it is read-only. */
export const inSpace: typeof inSpaceOrTrash = {
  ...inSpaceOrTrash,
  requireWritable({ space }) {
    if (space.row.deleted_at !== null) throw new ApiError('space_deleted')
  },
}

/** A deleted space is visible only to users who could restore it. */
function minimumVisibleRole({ row }: SpaceContext): Role {
  return row.deleted_at === null ? 'read' : 'create'
}

export function withLevel(space: SpaceWithFacts): SpaceContext {
  return { ...space, level: levelOnContent(space) }
}

/** Returns an existing space with the user's current level. */
export async function getSpaceContext(
  db: Db,
  userId: UserId,
  { organization_id: organizationId, id }: SpaceKey,
): Promise<SpaceContext> {
  return withLevel((await findSpaceWithFacts(db, organizationId, userId, id))!)
}

/** Returns the space as content that is moved or whose levels are granted, with its position. */
export function movedOf({ row, level }: SpaceContext): MovedContent {
  const { id, position, collection_id: parentId } = row
  return { kind: 'space', id, position, level, defaultLevel: defaultLevelOf(row), parentId }
}

/** True when the level allows changing a space's settings. */
export function canAdminister(level: Level): boolean {
  return reaches(level, spaceActions.administer)
}

/** A space with its current content. */
export const inSpaceContent = withLoaded(
  inSpace,
  'content',
  async ({ actor, immutable, services }, { space }) => {
    const { organization_id: organizationId, id: spaceId } = space.row
    const content = await getContent({ db: immutable, services, organizationId, spaceId }, headOf(space.row))
    return forActor(content, actor)
  },
)

export const inRevision = subresourceScope(inSpace, 'revisionId', {
  key: 'content',
  noun: 'revision',
  async find({ actor, immutable, services }, id, { space }) {
    const source = {
      db: immutable,
      services,
      organizationId: space.row.organization_id,
      spaceId: space.row.id,
    }
    const content = await findContent(source, id as RevisionId)
    if (content === undefined) return undefined
    const { reading } = actor
    if (reading !== undefined && !(await isPublishedRevision(reading, space.row, content, source)))
      return undefined
    return { ...forActor(content, actor), isPinned: true }
  },
})
