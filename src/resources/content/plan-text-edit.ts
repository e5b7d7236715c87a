/**
 * Plan of an edit by splices (operational transformation): what it makes of the current text.
 *
 * An edit is made on the text that the client has, its base. What others wrote since is known as splices: the edit is
 * rebased over it. Where it is not, because a whole text was written meanwhile or the base is old, both are merged as in a
 * change request. Where both changed the same, the error has all versions.
 */
import { byteLength } from '../../core/bytes.js'
import type { HashMemo } from '../../core/editing/canonical.js'
import { changedBlocks } from '../../core/editing/changed-blocks.js'
import { diffTexts } from '../../core/editing/diff-texts.js'
import { rebaseSplices } from '../../core/editing/rebase.js'
import {
  type Splice,
  applySplices,
  composeSplices,
  findSpliceFault,
  joinSplices,
  moveSpan,
} from '../../core/editing/splice.js'
import { type VerifiedEdit, verifyEdit } from '../../core/editing/verify-edit.js'
import type { Hash, PageId } from '../../core/ids.js'
import { mergeTexts } from '../../core/merge/merge-texts.js'
import { editSnapshot } from '../../core/pages/edit.js'
import type { DocumentPage, Snapshot } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { type EditConflict, type PageVersion, TextConflictError } from '../../contract/edit-conflict.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import type { TextEdit, TextEdited } from '../../contract/page-text.js'
import { type ObjectSink, createSink } from '../../store/content/sink.js'
import { hasEdits } from '../../store/content/text-edits.js'
import { type ContentContext, type ContentSource, runWith } from './content.js'
import { describeThrough } from './describe.js'
import { type CurrentPage, type EditBase, findTextBase, readCurrentPage } from './edit-base.js'
import { type PageParser, hashOfText } from './page-text.js'
import { findInHistory, mergeStaleEdit, pageVersion } from './stale-edit.js'

export interface TextEditInput {
  readonly pageId: PageId
  readonly edit: TextEdit
  readonly now: number
  readonly services: Services
  readonly parser: PageParser
}

/** How an edit meets what was written since its base. */
export type MergePath = 'current' | 'rebased' | 'merged'

export interface PlannedTextEdit {
  readonly before: Hash
  readonly after: Hash
  readonly text: string
  /** The text that is replaced, and the splices that do it. */
  readonly currentText: string
  readonly splices: readonly Splice[]
  /** The whole content after a merge of revisions, and its objects. */
  readonly merged: MergedContent | undefined
  readonly mergePath: MergePath
  readonly reply: Omit<TextEdited, 'revision'>
}

interface MergedContent {
  readonly snapshot: Snapshot
  readonly sink: ObjectSink
}

/** Returns the plan for the content as it is; throws an `ApiError` for an edit that cannot be made. */
export async function planTextEdit(
  source: ContentSource,
  content: ContentContext,
  input: TextEditInput,
): Promise<PlannedTextEdit> {
  const { edit, parser } = input
  const current = await readPageOfEdit(content, input.pageId)
  const base = await findTextBase(source, content, current, edit.base as Hash)
  const context = { source, content, input, current }
  if (current.page === undefined) throw await pageGone(context, base)
  if (base === undefined) {
    const conflict = { page: input.pageId, path: current.page.path, ours: null }
    const theirs = versionOf(current.page, current.text, parser)
    throw refusal('edit_base_unknown', context, [{ ...conflict, theirs }])
  }
  const own = readOwnEdit(base.text, edit, parser)
  const merge = await mergeOwnEdit({ ...context, page: current.page }, base, own)
  const { text, came } = merge
  if (byteLength(text) > limits.bodyBytes)
    throw new ApiError('page_too_large', {
      page: current.page.path,
      limit: `${limits.bodyBytes / 1_000_000} MB`,
    })
  const after = text === current.text ? current.hash! : hashOfText(text)
  const before = parser.document(base.text, edit.base as Hash)
  return {
    ...merge,
    before: current.hash!,
    after,
    currentText: current.text,
    reply: {
      hash: after,
      path: current.page.path,
      came: [...came],
      ...blocksReply(changedBlocks(before, parser.document(text, after), composeSplices(own.splices, came))),
      ...(own.width !== undefined && { width: own.width }),
      ...(own.asSource.length > 0 && { asSource: own.asSource.map((span) => moveSpan(came, span)) }),
    },
  }
}

/** Returns the changed blocks as members of the reply. */
export function blocksReply({
  frontMatter,
  title,
  blocks,
  footnotes,
}: ReturnType<typeof changedBlocks>): Pick<TextEdited, 'frontMatter' | 'title' | 'blocks' | 'footnotes'> {
  return {
    ...(frontMatter && { frontMatter }),
    ...(title && { title }),
    blocks: [...blocks],
    ...(footnotes.length > 0 && { footnotes: [...footnotes] }),
  }
}

/** Returns the page of an edit, which may be deleted; throws 404 for one that is no document. */
export async function readPageOfEdit(content: ContentContext, pageId: PageId): Promise<CurrentPage> {
  const { organizationId, spaceId, changeRequestId } = content
  const current = await readCurrentPage(content, { organizationId, spaceId, changeRequestId, pageId })
  if ('type' in current) throw new ApiError('not_found', { thing: 'document' })
  return current
}

/** Canonical hashes of blocks, for as long as their documents are cached. */
const blockHashes: HashMemo = new WeakMap()

type OwnEdit = Pick<VerifiedEdit, 'splices' | 'text' | 'width' | 'asSource'>

/** Returns the edit of the client on its base, in the width that parses to what is meant. */
function readOwnEdit(
  text: string,
  { base, splices, wider = [], canonical }: TextEdit,
  parser: PageParser,
): OwnEdit {
  requireSplices(text, splices, 'splices')
  for (const [index, width] of wider.entries()) requireSplices(text, width, `wider[${index}]`)
  const own =
    canonical === undefined
      ? { splices, text: applySplices(text, splices), asSource: [] }
      : verifyEdit(text, [splices, ...wider], canonical, (after) => parser.document(after), {
          document: parser.document(text, base as Hash),
          memo: blockHashes,
        })
  return { ...own, splices: joinSplices(own.splices) }
}

function requireSplices(text: string, splices: readonly Splice[], member: string): void {
  const fault = findSpliceFault(text, splices)
  if (fault === undefined) return
  const path = `body.${member}[${fault.index}]`
  const problem = `The member "${path}" cannot be applied: ${fault.message}.`
  throw new ApiError('invalid_request', { problem }, [{ path, message: fault.message }])
}

/** What a plan is made from. */
interface PlanContext {
  readonly source: ContentSource
  readonly content: ContentContext
  readonly input: TextEditInput
  readonly current: CurrentPage
}

interface MergedEdit extends Pick<PlannedTextEdit, 'text' | 'splices' | 'merged' | 'mergePath'> {
  /** Splices of the text after the own edit. */
  readonly came: readonly Splice[]
}

async function mergeOwnEdit(
  context: PlanContext & { readonly page: DocumentPage },
  { text: baseText, came, last }: EditBase,
  own: OwnEdit,
): Promise<MergedEdit> {
  const { current, page, input } = context
  const { parser } = input
  const conflict = () =>
    refusal('edit_conflict', context, [
      {
        page: input.pageId,
        path: page.path,
        base: versionOf(page, baseText, parser),
        ours: versionOf(page, own.text, parser),
        theirs: versionOf(page, current.text, parser),
      },
    ])
  const rebased = rebaseSplices(baseText, own.splices, came)
  if (last.isCurrent && rebased.conflicts.length === 0)
    return {
      text: applySplices(current.text, rebased.splices),
      splices: rebased.splices,
      came: rebaseSplices(baseText, came, own.splices, 'before').splices,
      merged: undefined,
      mergePath: came.length === 0 ? 'current' : 'rebased',
    }
  // A merge compares blocks, not splices: it may agree where ranges overlap.
  const [mergeBase, ours] =
    rebased.conflicts.length === 0
      ? [last.text, applySplices(last.text, rebased.splices)]
      : [baseText, own.text]
  if (last.snapshot !== undefined && mergeBase === last.text) {
    const merged = await mergeRevisions(context, last.snapshot, ours)
    // Of this page alone, the only one that the edit changes.
    if (merged.conflicts.length > 0) throw conflict()
    return mergedTo(merged.text, { own, current, merged })
  }
  const merged = mergeTexts(mergeBase, ours, current.text)
  if (merged.conflicts.length > 0) throw conflict()
  return mergedTo(merged.text, { own, current, merged: undefined })
}

function mergedTo(
  text: string,
  {
    own,
    current,
    merged,
  }: {
    readonly own: OwnEdit
    readonly current: CurrentPage
    readonly merged: MergedContent | undefined
  },
): MergedEdit {
  const [splices, came] = [diffTexts(current.text, text), diffTexts(own.text, text)]
  return { text, splices, came, merged, mergePath: 'merged' }
}

/** Merges the content of a former revision with the text in it, and the current content: links follow moved pages. */
async function mergeRevisions(
  { source, input: { pageId, now, parser, services }, current }: PlanContext,
  base: Snapshot,
  text: string,
) {
  const sink = createSink(source.organizationId, services.objects)
  const describe = describeThrough(services.caches, sink, parser.page)
  const run = <Result>(step: Parameters<typeof runWith<Result>>[2]) => runWith(source, sink, step)
  const edited = await run(
    editSnapshot(base, [{ kind: 'update-page', page: pageId, text }], { sink, describe, now }),
  )
  const merge = mergeStaleEdit({ base, ours: edited.snapshot, theirs: current.snapshot }, sink)
  const { snapshot, conflicts } = await run(merge)
  const { version } = await run(pageVersion(snapshot, pageId))
  return { snapshot, sink, conflicts, text: version?.markdown ?? '' }
}

/* Refusals */

function versionOf(page: DocumentPage, markdown: string, parser: PageParser): PageVersion {
  return { title: parser.page(markdown).title?.text ?? page.title, markdown, hash: hashOfText(markdown) }
}

function refusal(
  name: ConstructorParameters<typeof TextConflictError>[0],
  { content, input: { edit } }: PlanContext,
  conflicts: readonly EditConflict[],
  lastRevision?: string,
): TextConflictError {
  const { base, splices } = edit
  return new TextConflictError(name, {
    revision: content.writtenRevision.id,
    conflicts,
    ...(lastRevision !== undefined && { lastRevision }),
    sent: { base, splices },
  })
}

/** Returns the error for a page that is not there: 404 if it never was. */
async function pageGone(context: PlanContext, base: EditBase | undefined): Promise<ApiError> {
  const { source, content, input, current } = context
  const { pageId, edit } = input
  const last = await findInHistory(source, content.writtenRevision, pageId, (page) => page !== undefined)
  if (last === undefined && !(await hasEdits(source.db, current.line)))
    return new ApiError('not_found', { thing: 'page' })
  const known = last && (await content.run(pageVersion(last.snapshot, pageId)))
  const title = known?.version?.title ?? ''
  const ours =
    base && findSpliceFault(base.text, edit.splices) === undefined
      ? { title, markdown: applySplices(base.text, edit.splices) }
      : null
  const conflict: EditConflict = {
    page: pageId,
    ...(known?.path !== undefined && { path: known.path }),
    ...(base && { base: { title, markdown: base.text, hash: edit.base } }),
    ours,
    theirs: null,
  }
  return refusal('page_gone', context, [conflict], last?.id)
}
