/**
 * Content at hand: one revision, and the means to read in it. Handlers that receive this do not know
 * by which door it was reached: a space, a change request or a revision.
 */
import type { ChangeRequestId, OrganizationId, PageId, RevisionId, SpaceId } from '../../core/ids.js'
import type { Step } from '../../core/merkle/types.js'
import type { Visitor } from '../../core/visitor/visitor.js'
import type { Actor } from '../../access/signin/actor.js'
import type { Db } from '../../store/db/database.js'
import { type PendingObjects, run } from '../../store/content/objects.js'
import { ContentDamaged } from '../../store/content/content-damaged.js'
import { type Revision, findRevision } from '../../store/content/revisions.js'
import {
  type ContentServices,
  type FindLatestVersions,
  findComputed,
  readComputedId,
  shownId,
} from './computed.js'

export interface ContentContext {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
  /** Set when the content is a change request's. */
  readonly changeRequestId: ChangeRequestId | null
  readonly revision: Revision
  /** True when it was asked for by the id of the revision, and not as the head of anything. */
  readonly isPinned?: boolean
  /** True where a reader of a site asks, who is told what it says and not how it came to be. */
  readonly isForReaders?: boolean
  /** Who that is, where what stands under conditions is shown to those alone for whom they hold. */
  readonly visitor?: Visitor
  /** Of content with its computed pages: the same as it was written. */
  readonly written?: ContentContext
  /** Objects that are stored nowhere, which `run` finds too. */
  readonly pending?: PendingObjects
  /** What the index is told of pages, in place of their texts. */
  readonly searchTexts?: ReadonlyMap<PageId, string>
  /** Runs a reading step in this revision. */
  run<Result>(step: Step<Result>): Promise<Result>
}

/** Bytes that a revision takes. */
const revisionWeight = 1_000

/** Where content is read: the rows of one space, in or outside of a transaction. */
export interface ContentSource {
  readonly db: Db
  readonly services: ContentServices
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
}

/** Returns the content of a revision, undefined when the space has none of this id. */
export async function findContent(place: ContentSource, id: RevisionId): Promise<ContentContext | undefined> {
  const computed = readComputedId(id)
  const revision = await loadRevision(place, computed?.source ?? id)
  const content = revision && contentFromRevision(place, revision)
  return computed === undefined ? content : content && withComputed(place, content, computed.key)
}

/** Returns the content with the computed pages that a key names; undefined where it names none. */
async function withComputed(
  place: ContentSource,
  written: ContentContext,
  key: string,
): Promise<ContentContext | undefined> {
  const computed = await findComputed(place, written.revision, key)
  if (computed === undefined) return undefined
  const { db, services, organizationId } = place
  return {
    ...written,
    ...computed,
    written,
    run: (step) => run(step, { db, organizationId, cache: services.objects, pending: computed.pending }),
  }
}

/** Returns the content as it is shown now: with the pages that are made of specifications. */
export async function shownContent(
  place: ContentSource,
  content: ContentContext,
  recall?: FindLatestVersions,
): Promise<ContentContext> {
  if (content.written !== undefined) return content
  const { revision, isPinned, isForReaders, visitor } = content
  const computed = readComputedId(await shownId(place, revision, recall))
  if (computed === undefined) return content
  // A specification that changes in between gives other versions: they are asked for once more.
  const found =
    (await withComputed(place, content, computed.key)) ??
    (await withComputed(place, content, readComputedId(await shownId(place, revision))!.key))
  return {
    ...(found ?? content),
    ...(isPinned === true && { isPinned }),
    ...(isForReaders === true && { isForReaders }),
    ...(visitor !== undefined && { visitor }),
  }
}

/** Returns the content of a head; it must exist, because heads point to revisions that are written. */
export async function getContent(place: ContentSource, id: RevisionId): Promise<ContentContext> {
  const content = await findContent(place, id)
  if (content === undefined) throw new ContentDamaged(place.organizationId, `revision ${id}`, 'is missing')
  return content
}

/** Returns another revision of the same space, as what it was: its files are asked for by its id. */
export async function contentAtRevision(
  db: Db,
  { organizationId, spaceId }: ContentContext,
  id: RevisionId,
  services: ContentServices,
): Promise<ContentContext> {
  return { ...(await getContent({ db, services, organizationId, spaceId }, id)), isPinned: true }
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
    run: (step) => run(step, { db, organizationId, cache: services.objects }),
  }
}

/** Returns the content as a reader of a site is shown it; as it is for everybody else. */
export function forActor(content: ContentContext, { reading }: Pick<Actor, 'reading'>): ContentContext {
  if (reading === undefined) return content
  return {
    ...content,
    isForReaders: true,
    ...(reading.visitor !== undefined && { visitor: reading.visitor }),
  }
}

/** Runs a step that also sees objects which are not written yet. */
export function runWith<Result>(
  { db, services, organizationId }: ContentSource,
  pending: PendingObjects,
  step: Step<Result>,
): Promise<Result> {
  return run(step, { db, organizationId, cache: services.objects, pending })
}

async function loadRevision(
  { db, services, organizationId, spaceId }: ContentSource,
  id: RevisionId,
): Promise<Revision | undefined> {
  const key = `${spaceId}${id}`
  const known = services.objects.revisions.get(key)
  if (known !== undefined) return known
  const revision = await findRevision(db, organizationId, spaceId, id)
  // A revision read inside a transaction may be rolled back with it; it is remembered when next read.
  if (revision !== undefined && !db.isTransaction)
    services.objects.revisions.set(key, revision, revisionWeight)
  return revision
}
