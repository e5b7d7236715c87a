/**
 * Base of an edit by splices: the text that a client has, found by its hash alone. It is the current text, or one before
 * recent edits (`store/content/text-edits.ts`), or one of a former revision.
 */
import { applySplices, composeAll, type Splice } from '../../core/editing/splice.js'
import type { Hash } from '../../core/ids.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { findPage } from '../../core/pages/read.js'
import type { DocumentPage, PageRecord, Snapshot } from '../../core/pages/types.js'
import { ContentDamaged } from '../../store/content/content-damaged.js'
import { type TextEditRow, type TextLine, listEditsSince } from '../../store/content/text-edits.js'
import { type ContentContext, type ContentSource, asWritten } from './content.js'
import { hashOfText } from './page-text.js'
import { emptyText, findRevisionOfText } from './stale-edit.js'

/** The page on its branch, as it is now. */
export interface CurrentPage {
  readonly line: TextLine
  readonly snapshot: Snapshot
  /** Undefined when it was deleted. */
  readonly page: DocumentPage | undefined
  /** Its text, empty where it has none, and the hash of that. */
  readonly text: string
  readonly hash: Hash | undefined
}

/** Returns a page of the head; another type for one that is no document. */
export async function readCurrentPage(
  content: ContentContext,
  line: TextLine,
): Promise<CurrentPage | { readonly type: PageRecord['type'] }> {
  const { run, revision } = asWritten(content)
  const { snapshot } = revision
  const page = await run(findPage(snapshot, line.pageId))
  if (page === undefined) return { line, snapshot, page, text: '', hash: undefined }
  if (page.type !== 'document') return { type: page.type }
  const [text = ''] = page.text === undefined ? [] : await run(loadTexts([page.text]))
  return { line, snapshot, page, text, hash: page.text ?? emptyText }
}

/** A text that a client has edited, and what was done to it since. */
export interface EditBase {
  readonly text: string
  /** The recorded edits since, as far as they are a chain. */
  readonly edits: readonly TextEditRow[]
  /** What they do together. */
  readonly came: readonly Splice[]
  /** The text after them: the current one, or the last one before it that is known. */
  readonly last: {
    readonly text: string
    readonly isCurrent: boolean
    /** A revision with that text, where it is not the current one and there is one. */
    readonly snapshot?: Snapshot
  }
}

/** Returns the base with this hash; undefined when it is no known text of the page. */
export async function findTextBase(
  source: ContentSource,
  content: ContentContext,
  { line, hash: current, text: currentText }: CurrentPage,
  base: Hash,
): Promise<EditBase | undefined> {
  const edits = base === current ? [] : await listEditsSince(source.db, line, base)
  const lastHash = edits.at(-1)?.after ?? base
  const last =
    lastHash === current
      ? { text: currentText, isCurrent: true }
      : await findFormerText(source, content, line, { hash: lastHash, isRecorded: edits.length > 0 })
  if (last === undefined) return undefined
  const inverse = composeAll(edits.map((edit) => edit.inverse).toReversed())
  const text = applySplices(last.text, inverse)
  if (edits.length > 0 && hashOfText(text) !== base) return undefined
  return { text, edits, came: composeAll(edits.map(({ splices }) => splices)), last }
}

/** Returns a text of a former revision, or of one that was amended since, as long as that is stored. */
async function findFormerText(
  source: ContentSource,
  content: ContentContext,
  { pageId }: TextLine,
  { hash, isRecorded }: { readonly hash: Hash; readonly isRecorded: boolean },
): Promise<EditBase['last'] | undefined> {
  const revision = await findRevisionOfText(source, content.writtenRevision, pageId, hash)
  // The hash of any other text is no right to read it.
  if (revision === undefined && !isRecorded) return undefined
  try {
    const [text = ''] = hash === emptyText ? [] : await content.run(loadTexts([hash]))
    return { text, isCurrent: false, ...(revision && { snapshot: revision.snapshot }) }
  } catch (error) {
    if (error instanceof ContentDamaged) return undefined
    throw error
  }
}
