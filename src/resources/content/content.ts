/**
 * Content resolver: a revision as written, or expanded with the pages computed from OpenAPI specifications, and the means
 * to read in it. Readers of a content need not know which of the two it is, nor whether it came from a space, a change
 * request or a revision.
 */
import type { ChangeRequestId, OrganizationId, PageId, RevisionId, SpaceId } from '../../core/ids.js'
import type { Step } from '../../core/merkle/types.js'
import type { Visitor } from '../../core/visitor/visitor.js'
import { type LoadRequest, readThrough } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import { rowCacheKind } from '../../store/cache/kinds.js'
import type { Db } from '../../store/db/database.js'
import { type PendingObjects, run } from '../../store/content/objects.js'
import { ContentDamaged } from '../../store/content/content-damaged.js'
import type { Amendable } from '../../store/content/heads.js'
import { type Revision, findRevision, findRevisionByNumber } from '../../store/content/revisions.js'
import { type OutlinedVersion, findLatestVersions } from '../openapi-specs/outlined-versions.js'
import {
  type ContentServices,
  type Expansion,
  type FindVersions,
  earlierExpansions,
  findExpansion,
  latestExpansion,
  parseContentId,
} from './expansion.js'

export interface ContentContext {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
  /** Set when the content is a change request's. */
  readonly changeRequestId: ChangeRequestId | null
  /** Of the head of a change request: whose next save amends it. */
  readonly amendable?: Amendable
  /** The revision that is read, as written or expanded. */
  readonly revision: Revision
  /** The same revision as written. */
  readonly writtenRevision: Revision
  /** True when it was requested by the id of the revision, and not as a head. */
  readonly isPinned?: boolean
  /** True for a reader of a site, who receives no history and no authors. */
  readonly isForReaders?: boolean
  /** The reader of an adaptive site, for whom conditions are evaluated. */
  readonly visitor?: Visitor
  /** Objects of an expansion, which are not stored; `run` finds them too. */
  readonly pending?: PendingObjects
  /** Texts to index for computed pages instead of their own. */
  readonly searchTexts?: ReadonlyMap<PageId, string>
  /** Runs a reading step in this revision. */
  run<Result>(step: Step<Result>): Promise<Result>
}

/** Where content is read: the rows of one space, inside or outside of a transaction. */
export interface ContentSource {
  readonly db: Db
  readonly services: ContentServices
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
}

/** Bytes that a cached revision takes. */
const revisionWeight = 1_000

/** Returns the content with this id, written or expanded; undefined when the space has none. */
export async function findContent(
  source: ContentSource,
  id: RevisionId,
): Promise<ContentContext | undefined> {
  const { writtenId, key } = parseContentId(id)
  const revision = await loadRevision(source, writtenId)
  if (revision === undefined) return undefined
  const content = contentFromRevision(source, revision)
  if (key === undefined) return content
  const expansion = await findExpansion(source, revision, key)
  return expansion && withExpansion(source, content, expansion)
}

/** Returns the content of a head, which always exists: throws `ContentDamaged` otherwise. */
export async function getContent(source: ContentSource, id: RevisionId): Promise<ContentContext> {
  const content = await findContent(source, id)
  if (content === undefined) throw new ContentDamaged(source.organizationId, `revision ${id}`, 'is missing')
  return content
}

/** Returns another revision of the same space, pinned: its files are addressed by its id. */
export async function contentAtRevision(
  db: Db,
  { organizationId, spaceId }: ContentContext,
  id: RevisionId,
  services: ContentServices,
): Promise<ContentContext> {
  return { ...(await getContent({ db, services, organizationId, spaceId }, id)), isPinned: true }
}

/** Returns the content with the pages computed from the latest specifications; unchanged when it is expanded already. */
export async function expandContent(
  { db, services }: Pick<ContentSource, 'db' | 'services'>,
  content: ContentContext,
  findVersions?: FindVersions,
): Promise<ContentContext> {
  if (content.revision !== content.writtenRevision) return content
  const { organizationId, spaceId } = content
  const source = { db, services, organizationId, spaceId }
  const expansion = await latestExpansion(source, content.revision, findVersions)
  return expansion === undefined ? content : withExpansion(source, content, expansion)
}

const versionsKind = rowCacheKind<{
  readonly organizationId: OrganizationId
  readonly versions: readonly OutlinedVersion[]
}>(
  'latest specifications',
  ({ organizationId }) => [organizationId],
  ({ versions }) => 200 + versions.length * 400,
)

/** Does the same for a request: the latest versions are cached until a row of the organization changes. */
export function expandForRequest(request: LoadRequest, content: ContentContext): Promise<ContentContext> {
  const { organizationId } = content
  const { immutable: db, services } = request
  return expandContent({ db, services }, content, async (slugs) => {
    const key = [organizationId, ...slugs].join(' ')
    const found = await readThrough(request, versionsKind, key, async (rows) => ({
      organizationId,
      versions: await findLatestVersions(rows, organizationId, slugs),
    }))
    return found!.versions
  })
}

/** Yields the content with the pages of earlier specification versions, the latest first. */
export async function* earlierContents(
  { immutable: db, services }: Pick<LoadRequest, 'immutable' | 'services'>,
  content: ContentContext,
): AsyncGenerator<ContentContext> {
  const written = asWritten(content)
  const { organizationId, spaceId } = written
  const source = { db, services, organizationId, spaceId }
  for await (const expansion of earlierExpansions(source, written.revision))
    yield withExpansion(source, written, expansion)
}

/** Returns the content as written, without computed pages, for the same reader. */
export function asWritten(content: ContentContext): ContentContext {
  return { ...content, revision: content.writtenRevision }
}

/** Returns the content as a reader of a site may see it; unchanged for everyone else. */
export function forActor(content: ContentContext, { reading }: Pick<Actor, 'reading'>): ContentContext {
  if (reading === undefined) return content
  return {
    ...content,
    isForReaders: true,
    ...(reading.visitor !== undefined && { visitor: reading.visitor }),
  }
}

/** Runs a step that also finds objects which are not stored yet. */
export function runWith<Result>(
  { db, services, organizationId }: ContentSource,
  pending: PendingObjects,
  step: Step<Result>,
): Promise<Result> {
  return run(step, { db, organizationId, cache: services.objects, pending })
}

export function contentFromRevision(
  { db, services, organizationId, spaceId }: ContentSource,
  revision: Revision,
): ContentContext {
  return {
    organizationId,
    spaceId,
    changeRequestId: revision.changeRequestId,
    revision,
    writtenRevision: revision,
    run: (step) => run(step, { db, organizationId, cache: services.objects }),
  }
}

function withExpansion(source: ContentSource, content: ContentContext, expansion: Expansion): ContentContext {
  return { ...content, ...expansion, run: (step) => runWith(source, expansion.pending, step) }
}

/** Caches a revision that has just been written: the next edit reads it. If it is rolled back, no one knows its id. */
export function cacheWrittenRevision({ objects }: ContentServices, revision: Revision): void {
  objects.revisions.set(revisionKey(revision.spaceId, revision.id), revision, revisionWeight)
}

/**
 * With a period of the process, because an amended revision is deleted at last: from a cache it would be found when its
 * objects are gone. Those are deleted a day after it was written at the earliest (`graceOfSaves`).
 */
function revisionKey(spaceId: SpaceId, id: RevisionId): string {
  return `${spaceId}${id} ${Math.floor(performance.now() / cachePeriod)}`
}

const cachePeriod = 12 * 60 * 60 * 1000

/** Returns a revision by its id, undefined when the space has none. */
export async function loadRevision(
  { db, services, organizationId, spaceId }: ContentSource,
  id: RevisionId,
): Promise<Revision | undefined> {
  const key = revisionKey(spaceId, id)
  const known = services.objects.revisions.get(key)
  if (known !== undefined) return known
  const revision = await findRevision(db, organizationId, spaceId, id)
  // A revision read inside a transaction may be rolled back with it: it is not cached.
  if (revision !== undefined && !db.isTransaction)
    services.objects.revisions.set(key, revision, revisionWeight)
  return revision
}

/** Returns the revision at a position of a branch of the space; null for the space's own branch. */
export async function findRevisionInBranch(
  { db, services, organizationId, spaceId }: ContentSource,
  changeRequestId: ChangeRequestId | null,
  number: number,
): Promise<Revision | undefined> {
  // In a change request a revision may be amended, by another one with its number.
  const isFinal = changeRequestId === null
  const key = `${spaceId} ${number}`
  const known = isFinal ? services.objects.revisions.get(key) : undefined
  if (known !== undefined) return known
  const revision = await findRevisionByNumber(db, { organizationId, spaceId, changeRequestId }, number)
  if (revision !== undefined && isFinal && !db.isTransaction)
    services.objects.revisions.set(key, revision, revisionWeight)
  return revision
}
