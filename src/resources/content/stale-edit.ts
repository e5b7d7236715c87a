/**
 * Optimistic concurrency of edits: an edit that says on which earlier content it is based is merged with what came
 * between, by the three-way merge of change requests. Where both changed the same, nothing is written, and the error
 * holds the page as both have it.
 *
 * A base is a revision of the space, or of the page the hash of one of its texts: the latest revision with that text.
 */
import type { Hash, PageId, RevisionId } from '../../core/ids.js'
import { type Conflict, swapSides } from '../../core/merge/conflict.js'
import { mergeSnapshots } from '../../core/merge/merge-snapshots.js'
import { loadTexts } from '../../core/merkle/steps.js'
import type { Step } from '../../core/merkle/types.js'
import { entryAt, findPage, listReusableContents, titleOfText } from '../../core/pages/read.js'
import type { PageRecord, Snapshot } from '../../core/pages/types.js'
import { type EditConflict, EditConflictError, type PageVersion } from '../../contract/edit-conflict.js'
import { encodeText, hashOf } from '../../store/content/encoding.js'
import { isStored } from '../../store/content/objects.js'
import { type Revision, type RevisionPosition, listRevisionsUpTo } from '../../store/content/revisions.js'
import type { ObjectSink } from '../../store/content/sink.js'
import { type ContentContext, type ContentSource, loadRevision, runWith } from './content.js'
import { describeInto } from './describe.js'
import { parseContentId } from './expansion.js'

/** SHA-256, base64url: longer than any id of a revision. */
const textHash = /^[\w-]{43}$/

/** Of a page without a text. */
export const emptyText = hashOf(encodeText(''))

/**
 * Revisions of the branch, and of the space below a change request, in which a text is looked for: with those that were
 * amended, the saves of an hour at one in two seconds.
 */
const [maxSearchedRevisions, revisionsPerRound] = [2_000, 50]

/** The text that an edit replaces. */
type EditedText = { readonly page: PageId } | { readonly reusableContent: string }

/** Returns the snapshot that a base names: a revision, or the last one in which the page has this text. */
export async function findEditBase(
  source: ContentSource,
  { writtenRevision: head }: ContentContext,
  edited: EditedText,
  base: string,
): Promise<Snapshot | undefined> {
  if (!textHash.test(base)) return (await findRevisionOfTag(source, base))?.snapshot
  if ('page' in edited) return (await findRevisionOfText(source, head, edited.page, base as Hash))?.snapshot
  const found = await findRevisionWhere(source, head, function* (snapshot) {
    const texts = yield* listReusableContents(snapshot)
    return texts.some(({ id, text }) => id === edited.reusableContent && text === base)
  })
  return found?.snapshot
}

/** Returns the last revision in which the page has this text. */
export async function findRevisionOfText(
  source: ContentSource,
  head: RevisionPosition,
  id: PageId,
  text: Hash,
): Promise<Revision | undefined> {
  if (text !== emptyText && !(await isStored(source.db, source.organizationId, text))) return undefined
  return findInHistory(
    source,
    head,
    id,
    (page) => page?.type === 'document' && (page.text ?? emptyText) === text,
  )
}

/** Returns the last revision of the branch, or of the space below a change request, in which the page is as required. */
export function findInHistory(
  source: ContentSource,
  head: RevisionPosition,
  id: PageId,
  matches: (page: PageRecord | undefined) => boolean,
): Promise<Revision | undefined> {
  return findRevisionWhere(source, head, function* (snapshot) {
    return matches(yield* findPage(snapshot, id))
  })
}

const allSaves = Number.MAX_SAFE_INTEGER

async function findRevisionWhere(
  source: ContentSource,
  head: RevisionPosition,
  matches: (snapshot: Snapshot) => Step<boolean>,
): Promise<Revision | undefined> {
  let position: RevisionPosition | undefined = head
  for (let left = maxSearchedRevisions; left > 0 && position !== undefined; left -= revisionsPerRound) {
    const revisions: readonly Revision[] = await listRevisionsUpTo(source.db, position, revisionsPerRound)
    for (const revision of revisions)
      if (await runWith(source, noPending, matches(revision.snapshot))) return revision
    position = await positionBefore(source, revisions.at(-1))
  }
  return undefined
}

/** Returns the position before a revision: the first one of a change request follows one of the space. */
async function positionBefore(
  source: ContentSource,
  revision: Revision | undefined,
): Promise<RevisionPosition | undefined> {
  if (revision === undefined) return undefined
  const { number, saves, parents } = revision
  if (saves > 1) return { ...revision, saves: saves - 1 }
  if (number > 1) return { ...revision, number: number - 1, saves: allSaves }
  return parents[0] && loadRevision(source, parents[0])
}

const noPending = { findNode: () => undefined, findText: () => undefined }

/** Returns the revision of an entity tag, which may name it with its computed pages. */
export function findRevisionOfTag(source: ContentSource, tag: string): Promise<Revision | undefined> {
  return loadRevision(source, parseContentId(tag as RevisionId).writtenId)
}

export interface StaleEdit {
  /** What the edit was made on. */
  readonly base: Snapshot
  readonly ours: Snapshot
  readonly theirs: Snapshot
}

/**
 * Returns the merged snapshot, or the conflicts that keep it from being written. What came between is merged as the
 * side that keeps its paths and positions: the edit makes room for it.
 */
export function* mergeStaleEdit(
  { base, ours, theirs }: StaleEdit,
  sink: ObjectSink,
): Step<{ readonly snapshot: Snapshot; readonly conflicts: readonly EditConflict[] }> {
  const merged = yield* mergeSnapshots(base, theirs, ours, {
    sink,
    describe: describeInto(sink),
    prefer: 'ours',
  })
  const { snapshot } = merged
  const conflicts = merged.conflicts.map(swapSides)
  const found = new Map<string, EditConflict>()
  for (const conflict of conflicts) {
    const presented = yield* presentEditConflict(conflict, ours, theirs)
    const { page, path, file, member = '' } = presented
    found.set(`${page ?? path ?? file} ${member}`, presented)
  }
  return { snapshot, conflicts: [...found.values()] }
}

/** Throws 409 for conflicts; `revision` is what the edit would have been written on. */
export function refuseConflicts(conflicts: readonly EditConflict[], { revision }: ContentContext): void {
  if (conflicts.length > 0) throw new EditConflictError(conflicts, revision.id)
}

/** A page is shown as a whole, with both of its texts; anything else by the values in conflict. */
function* presentEditConflict(conflict: Conflict, ours: Snapshot, theirs: Snapshot): Step<EditConflict> {
  if (conflict.kind === 'page' || (conflict.kind === 'block' && conflict.page !== undefined)) {
    const page = conflict.page!
    const mine = yield* pageVersion(ours, page)
    const current = yield* pageVersion(theirs, page)
    const path = current.path ?? mine.path
    return { page, ...(path !== undefined && { path }), ours: mine.version, theirs: current.version }
  }
  const values = { ours: conflict.ours, theirs: conflict.theirs }
  if (conflict.kind === 'member') {
    const { path } = yield* pageVersion(theirs, conflict.page)
    return { page: conflict.page, ...(path !== undefined && { path }), member: conflict.member, ...values }
  }
  if (conflict.kind === 'file') return { file: conflict.file, ...values }
  const { path } = conflict
  const [mine, current] = [yield* textVersion(ours, path), yield* textVersion(theirs, path)]
  const reusableContent = mine.id ?? current.id
  if (reusableContent === undefined) return { path, ...values }
  return { reusableContent, path, ours: mine.version, theirs: current.version }
}

function* textVersion(
  snapshot: Snapshot,
  path: string,
): Step<{ readonly id: string | undefined; readonly version: PageVersion }> {
  const entry = yield* entryAt(snapshot, path)
  if (entry === undefined || !('text' in entry)) return { id: undefined, version: null }
  const [markdown] = yield* loadTexts([entry.text])
  return {
    id: entry.id,
    version: { title: titleOfText(path, entry), markdown: markdown!, hash: entry.text },
  }
}

export function* pageVersion(
  snapshot: Snapshot,
  id: PageId,
): Step<{ readonly path: string | undefined; readonly version: PageVersion }> {
  const page = yield* findPage(snapshot, id)
  if (page === undefined) return { path: undefined, version: null }
  const path = page.type === 'link' ? undefined : page.path
  if (page.type !== 'document') return { path, version: { title: page.title } }
  const [markdown = ''] = page.text === undefined ? [] : yield* loadTexts([page.text])
  return {
    path,
    version: { title: page.title, markdown, ...(page.text !== undefined && { hash: page.text }) },
  }
}
