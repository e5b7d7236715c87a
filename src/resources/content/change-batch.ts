/**
 * What the operations of a batch have in common: the content as changed so far, the edits that they make of it, and the
 * names that the batch gives to what it creates.
 */
import type { FileId, PageId, RevisionId } from '../../core/ids.js'
import { runTogether } from '../../core/merkle/steps.js'
import type { Step } from '../../core/merkle/types.js'
import type { Edit } from '../../core/pages/edit.js'
import { findSources } from '../../core/pages/affected-links.js'
import { entryAt, findFile, findPages } from '../../core/pages/read.js'
import type { FileRecord, Snapshot } from '../../core/pages/types.js'
import type { ChangeOutcome } from '../../contract/changes.js'
import { ApiError } from '../../contract/errors.js'
import type { ContentContext } from './content.js'

export interface ChangeBatch {
  /** As changed so far. */
  readonly snapshot: Snapshot
  readonly outcomes: ChangeOutcome[]
  /** New files, with the names that the batch gave them. */
  readonly files: readonly { readonly ref?: string; readonly file: FileRecord }[]
  /** Ids of new pages and reusable contents by the names that the batch gave them. */
  readonly pages: Map<string, PageId>
  /** Pages whose text came with this batch: the only ones that can refer to what it names. */
  readonly pagesWithNewText: Set<PageId>
  readonly reusableContents: Map<string, string>
  /** Files of reusable contents whose text came with this batch, and may use its names. */
  readonly textsWithReferences: Set<string>
  readonly deletions: Deletion[]
  /** Returns the id of a page that the batch named; other names are ids. */
  pageId(name: string): PageId
  /** Returns the content of a revision as written, of the base of the batch where none is named; undefined for an unknown one. */
  earlierContent(revision: RevisionId | undefined): Promise<ContentContext | undefined>
  /** Returns the sites that use a file. */
  listUsingSites(id: FileId): Promise<readonly { readonly id: string }[]>
  addPageOutcome(object: 'created_page' | 'updated_page', id: PageId, ref?: string): void
  edit(...edits: Edit[]): Promise<void>
  run<Result>(step: Step<Result>): Promise<Result>
}

/** What the batch deleted; after the last change what still refers to it is added to the outcome. */
export interface Deletion {
  readonly outcome: ChangeOutcome
  listUses(): Promise<Uses>
}

type Uses = NonNullable<ChangeOutcome['usedBy']>

/** Returns the file of an id, or of a name of this batch; throws 400 with the member of the change. */
export async function requireFile(batch: ChangeBatch, name: string, member: string): Promise<FileRecord> {
  const known = batch.files.find(({ ref }) => ref === name)?.file.id
  const file = await batch.run(findFile(batch.snapshot, known ?? (name as FileId)))
  if (file === undefined) throw new ApiError('invalid_reference', { member, thing: 'a file of the content' })
  return file
}

/** Longest list of uses in an outcome; the list of backlinks has all. */
export const maxUses = 100

/** Returns what refers to a deleted link target now, besides computed pages that named it. */
export async function listUses(
  batch: ChangeBatch,
  { path, otherNames = [] }: { readonly path: string; readonly otherNames?: readonly string[] },
  computed: readonly PageId[] = [],
): Promise<Uses> {
  const { snapshot } = batch
  // Something else may have taken its place.
  if ((await batch.run(entryAt(snapshot, path))) !== undefined) return []
  const sources = await batch.run(findSources(snapshot, new Set([path, ...otherNames])))
  const ids = sources.flatMap((source) => ('page' in source ? [source.page] : []))
  const pages = await batch.run(findPages(snapshot, [...new Set([...ids, ...computed])]))
  const paths = sources.flatMap((source) => ('text' in source ? [source.text] : []))
  const entries = await batch.run(runTogether(...paths.map((path) => entryAt(snapshot, path))))
  return [
    ...pages.flatMap((page) => (page === undefined ? [] : [{ page: page.id }])),
    ...entries.flatMap((entry) =>
      entry !== undefined && 'text' in entry && entry.id !== undefined ? [{ reusableContent: entry.id }] : [],
    ),
  ].slice(0, maxUses)
}

/** Throws 400 for a value of a member. */
export function refuseMember(member: string, problem: string): never {
  throw new ApiError('invalid_request', { problem: `The member "${member}" ${problem}.` })
}
