/**
 * Comment targets: the page and block of a comment in the current content, tracked through edits.
 *
 * A comment stores its anchor: a revision, and for a block the hash of the text that contained it. Nothing is written
 * when content changes; a block is followed on read, through the revisions in which it changed.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Span } from '../../core/document/types.js'
import type { Hash, PageId, ReviewId, RevisionId } from '../../core/ids.js'
import { type Quote, findQuote, quoteOf } from '../../core/comments/find-quote.js'
import { type TrackedBlock, findBlockText, trackBlocks } from '../../core/merge/track-blocks.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { findPage, findPages } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { maxQuoteLength } from '../../contract/comments.js'
import { ApiError } from '../../contract/errors.js'
import { cacheKind } from '../../store/cache/kinds.js'
import type { Db } from '../../store/db/database.js'
import { type ContentContext, type ContentSource, getContent } from '../content/content.js'
import { type BlockHistory, type RangePosition, followBlock } from './follow-block.js'
import { historyOfComment } from './page-history.js'
import type { CommentRow } from './store.js'
import { requireApplicable } from './suggestion.js'
import { type TargetWords, inlineTextLength, moveRange, readWordBlocks, storable } from './word-range.js'

export interface CommentTarget {
  /** The revision that page and node refer to: the current content, or the revision of the anchor. */
  readonly revision: RevisionId
  readonly page: PageRecord | undefined
  readonly node: string | undefined
  readonly isOutdated: boolean
  /** Of a comment on words. */
  readonly words?: TargetWords
}

/** What a new comment is attached to. */
export interface CommentAnchor {
  readonly revision: RevisionId
  readonly page: PageId | null
  readonly text: Hash | null
  readonly node: string | null
  readonly preview: string | null
  /** Of a comment on words. */
  readonly range?: Span
  readonly words?: string
  readonly suggestion?: string
  /** The review that the comment belongs to. */
  readonly review?: ReviewId
}

const trackedBlocksKind = cacheKind<ReadonlyMap<string, TrackedBlock>>(
  'tracked blocks',
  (blocks) => 120 * blocks.size,
)
const followedKind = cacheKind<{ readonly position: RangePosition | undefined }>(
  'followed comments',
  () => 100,
)

/** Pairs of texts that are compared to follow one comment, and revisions that are looked up. */
const [maxComparisons, maxDivisions] = [64, 400]

const previewLength = 100

/** Returns the anchor of a comment on the whole content. */
export function wholeContentAnchor({ revision }: ContentContext): CommentAnchor {
  return { revision: revision.id, page: null, text: null, node: null, preview: null }
}

/** Returns the anchor of a new comment; throws 400 when the page or the block does not exist. */
export async function resolveAnchor(
  content: ContentContext,
  target: NewTarget,
  services: Services,
): Promise<CommentAnchor> {
  const { page: id, node, range, quote } = target
  const anchor = wholeContentAnchor(content)
  requireMembers(target)
  if (id === undefined) {
    if (node === undefined) return anchor
    throw new ApiError('invalid_request', {
      problem: 'The member "node" names a block, and the member "page" that says on which page is missing.',
    })
  }
  const page = await content.run(findPage(content.revision.snapshot, id as PageId))
  if (page === undefined) throw new ApiError('invalid_reference', { member: 'page', thing: 'a page' })
  if (node === undefined && quote === undefined) return { ...anchor, page: page.id }
  const hash = page.type === 'document' ? page.text : undefined
  const [text = ''] = await content.run(loadTexts(hash === undefined ? [] : [hash]))
  if (range !== undefined || quote !== undefined) {
    const words = hash && (await resolveWords(content, hash, target, services))
    if (!words) throw new ApiError('invalid_reference', { member: 'quote', thing: 'words of a page' })
    return { ...anchor, page: page.id, text: hash, ...words }
  }
  const words =
    text.length > inlineTextLength ? await services.reader.findWords(text, node!) : findBlockText(text, node!)
  if (words === undefined || hash === undefined) {
    throw new ApiError('invalid_reference', { member: 'node', thing: 'a block of the page' })
  }
  return { ...anchor, page: page.id, text: hash, node: node!, preview: firstWords(words) }
}

interface NewTarget {
  readonly page?: string
  readonly node?: string
  readonly range?: Span
  readonly quote?: Quote
  readonly suggestion?: { readonly replacement: string }
}

/** Throws 400 for members that need others, or exclude them. */
function requireMembers({ page, node, range, quote, suggestion }: NewTarget): void {
  const refuse = (problem: string) => new ApiError('invalid_request', { problem })
  if (quote !== undefined && (node !== undefined || range !== undefined))
    throw refuse('The member "quote" names words without "node" and "range": send one or the others.')
  if (quote !== undefined && page === undefined)
    throw refuse('The member "quote" names words, and the member "page" that says on which page is missing.')
  if (range !== undefined && node === undefined)
    throw refuse(
      'The member "range" names words of a block, and the member "node" that says which is missing.',
    )
  if (suggestion !== undefined && range === undefined && quote === undefined)
    throw refuse('The member "suggestion" replaces words: say which in "range" or "quote".')
}

/** Returns the part of an anchor that a comment on words adds; throws 400 for words that are not there. */
async function resolveWords(
  content: ContentContext,
  text: Hash,
  { node, range, quote, suggestion }: NewTarget,
  services: Services,
): Promise<Pick<CommentAnchor, 'node' | 'preview' | 'range' | 'words' | 'suggestion'> | undefined> {
  const blocks = await readWordBlocks(content, text, services)
  const block = blocks.find(({ key }) => key === node)
  const place = quote ? findQuote(blocks, quote) : block && { block, range: range! }
  if (place === undefined) {
    if (quote) return undefined
    throw new ApiError('invalid_reference', { member: 'node', thing: 'a block with words' })
  }
  const { words } = place.block
  const { start, end } = place.range
  if (start >= end || end > words.length || isInsidePair(words, start) || isInsidePair(words, end)) {
    const problem = `The member "range" must be words of the block: from a "start" to a greater "end", at most ${words.length}.`
    throw new ApiError('invalid_request', { problem })
  }
  if (end - start > maxQuoteLength) {
    const problem = `The member "range" may cover ${maxQuoteLength} characters.`
    throw new ApiError('invalid_request', { problem })
  }
  if (suggestion !== undefined)
    await requireApplicable(content, text, { place, replacement: suggestion.replacement }, services)
  return {
    node: place.block.key,
    preview: firstWords(words),
    range: { start, end },
    words: storable(words.slice(start, end)),
    ...(suggestion && { suggestion: suggestion.replacement }),
  }
}

const isInsidePair = (text: string, at: number): boolean => at > 0 && text.codePointAt(at - 1)! > 0xffff

/** Cuts the preview without splitting a surrogate pair; a column cannot hold what the bytes of a page can. */
function firstWords(words: string): string {
  const first = words.slice(0, previewLength).replace(/[\ud800-\udbff]$/, '')
  return storable(first)
}

/** Returns the target of each of these comments in the content, in their order. */
export async function findTargets(
  db: Db,
  content: ContentContext,
  rows: readonly CommentRow[],
  services: Services,
): Promise<readonly CommentTarget[]> {
  const ids = [...new Set(rows.flatMap(({ page_id: id }) => id ?? []))]
  const found = await content.run(findPages(content.revision.snapshot, ids))
  const pages = new Map(ids.map((id, at) => [id, found[at]]))
  const source = { db, services, organizationId: content.organizationId, spaceId: content.spaceId }

  /** The target in the revision of the anchor, marked as outdated. */
  async function originalTarget({
    revision_id: revision,
    page_id: id,
    node,
  }: CommentRow): Promise<CommentTarget> {
    const then = await getContent(source, revision)
    const page = await then.run(findPage(then.revision.snapshot, id!))
    return { revision, page, node: node ?? undefined, isOutdated: true }
  }

  async function findBlockTarget(row: CommentRow, page: PageRecord): Promise<CommentTarget> {
    const revision = content.revision.id
    const position = await followRow(source, content, row, page, services)
    if (position?.range !== undefined) {
      const { node } = position
      const words = await wordsAt(page, position)
      return { revision, page, node, isOutdated: false, ...(words && { words }) }
    }
    const words = row.words === null ? undefined : { ...noContext, words: row.words, range: undefined }
    // The block may be left when its words are gone.
    const block =
      words && position === undefined
        ? await followRow(source, content, { ...row, range_start: null }, page, services)
        : position
    const found = block && { revision, page, node: block.node, isOutdated: false }
    return { ...(found ?? (await originalTarget(row))), ...(words && { words }) }
  }

  async function wordsAt(page: PageRecord, { node, range }: RangePosition): Promise<TargetWords | undefined> {
    const hash = page.type === 'document' ? page.text : undefined
    const blocks = hash === undefined ? [] : await readWordBlocks(content, hash, services)
    const block = blocks.find(({ key }) => key === node)
    return block && { ...quoteOf(blocks, { block, range: range! }), range }
  }

  const targets: CommentTarget[] = []
  for (const row of rows) {
    const current = { revision: content.revision.id, page: undefined, node: undefined, isOutdated: false }
    const page = row.page_id === null ? undefined : pages.get(row.page_id)
    if (row.page_id === null) targets.push(current)
    else if (page === undefined) targets.push(await originalTarget(row))
    else if (row.node === null) targets.push({ ...current, page })
    else targets.push(await findBlockTarget(row, page))
  }
  return targets
}

const noContext = { before: '', after: '', occurrence: 0 }

/** Returns where the comment's block is in the page as it is now, with the range of its words; undefined once these are gone. */
async function followRow(
  source: ContentSource,
  content: ContentContext,
  row: CommentRow,
  page: PageRecord,
  services: Services,
): Promise<RangePosition | undefined> {
  const after = page.type === 'document' ? page.text : undefined
  const [before, node] = [row.text_hash!, row.node!]
  const range = row.range_start === null ? undefined : { start: row.range_start, end: row.range_end! }
  const anchor = { text: before, node, ...(range && { range }) }
  if (after === before) return anchor
  if (after === undefined) return undefined
  const { caches } = services
  const key = JSON.stringify([
    row.revision_id,
    page.id,
    node,
    row.change_request_id,
    content.revision.id,
    range,
  ])
  const known = caches.find(followedKind, key)
  if (known !== undefined) return known.position
  const { run } = content
  const track = (was: Hash, is: Hash) => trackTexts(content, was, is, services)

  const move: NonNullable<BlockHistory<Hash>['moveRange']> = (from, to) =>
    moveRange(content, services, from, to)
  const context = { source, run, page: page.id, track, ...(range && { moveRange: move }) }
  const history = await historyOfComment(context, row, content)
  const two = { length: 2, firstNumber: 0, track, ...(range && { moveRange: move }) }
  const position = await followBlock(
    history ?? { ...two, textAt: async (version) => (version === 0 ? before : after) },
    anchor,
    { comparisons: maxComparisons, divisions: maxDivisions },
  )
  caches.put(followedKind, key, { position })
  return position
}

/** Returns the blocks of a text in another one, cached. */
async function trackTexts(
  { run }: ContentContext,
  before: Hash,
  after: Hash,
  { caches, reader }: Services,
): Promise<ReadonlyMap<string, TrackedBlock>> {
  const name = `${before} ${after}`
  let blocks = caches.find(trackedBlocksKind, name)
  if (blocks === undefined) {
    const [was, is] = (await run(loadTexts([before, after]))) as [string, string]
    // Yields per comparison, so that many comments on old texts do not block other requests.
    await nextTurn()
    blocks = was.length + is.length > inlineTextLength ? await reader.follow(was, is) : trackBlocks(was, is)
    caches.put(trackedBlocksKind, name, blocks)
  }
  return blocks
}
