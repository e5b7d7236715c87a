/**
 * Comment targets: the page and block of a comment in the current content, tracked through edits.
 *
 * A comment stores its anchor: a revision, and for a block the hash of the text that contained it. Nothing is written
 * when content changes; a block is followed on read, through the revisions in which it changed.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Hash, PageId, ReviewId, RevisionId } from '../../core/ids.js'
import { type TrackedBlock, findBlockText, trackBlocks } from '../../core/merge/track-blocks.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { findPage, findPages } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import { cacheKind } from '../../store/cache/kinds.js'
import type { Db } from '../../store/db/database.js'
import { type ContentContext, type ContentSource, getContent } from '../content/content.js'
import { followBlock } from './follow-block.js'
import { historyOfComment } from './page-history.js'
import type { CommentRow } from './store.js'

export interface CommentTarget {
  /** The revision that page and node refer to: the current content, or the revision of the anchor. */
  readonly revision: RevisionId
  readonly page: PageRecord | undefined
  readonly node: string | undefined
  readonly isOutdated: boolean
}

/** What a new comment is attached to. */
export interface CommentAnchor {
  readonly revision: RevisionId
  readonly page: PageId | null
  readonly text: Hash | null
  readonly node: string | null
  readonly preview: string | null
  /** The review that the comment belongs to. */
  readonly review?: ReviewId
}

const trackedBlocksKind = cacheKind<ReadonlyMap<string, TrackedBlock>>(
  'tracked blocks',
  (blocks) => 120 * blocks.size,
)
const followedKind = cacheKind<{ readonly node: string | undefined }>('followed comments', () => 60)

/** Pairs of texts that are compared to follow one comment, and revisions that are looked up. */
const [maxComparisons, maxDivisions] = [64, 400]

/** Characters that are parsed in this thread, about five milliseconds; longer texts go to a worker thread. */
const inlineTextLength = 20_000
const previewLength = 100

/** Returns the anchor of a comment on the whole content. */
export function wholeContentAnchor({ revision }: ContentContext): CommentAnchor {
  return { revision: revision.id, page: null, text: null, node: null, preview: null }
}

/** Returns the anchor of a new comment; throws 400 when the page or the block does not exist. */
export async function resolveAnchor(
  content: ContentContext,
  { page: id, node }: { readonly page?: string; readonly node?: string },
  { reader }: Services,
): Promise<CommentAnchor> {
  const anchor = wholeContentAnchor(content)
  if (id === undefined) {
    if (node === undefined) return anchor
    throw new ApiError('invalid_request', {
      problem: 'The member "node" names a block, and the member "page" that says on which page is missing.',
    })
  }
  const page = await content.run(findPage(content.revision.snapshot, id as PageId))
  if (page === undefined) throw new ApiError('invalid_reference', { member: 'page', thing: 'a page' })
  if (node === undefined) return { ...anchor, page: page.id }
  const hash = page.type === 'document' ? page.text : undefined
  const [text = ''] = await content.run(loadTexts(hash === undefined ? [] : [hash]))
  const words =
    text.length > inlineTextLength ? await reader.findWords(text, node) : findBlockText(text, node)
  if (words === undefined || hash === undefined) {
    throw new ApiError('invalid_reference', { member: 'node', thing: 'a block of the page' })
  }
  return { ...anchor, page: page.id, text: hash, node, preview: firstWords(words) }
}

/** Cuts the preview without splitting a surrogate pair; a column cannot hold what the bytes of a page can. */
function firstWords(words: string): string {
  const first = words.slice(0, previewLength).replace(/[\ud800-\udbff]$/, '')
  return Buffer.from(first).toString().replaceAll('\0', '\ufffd')
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

  const targets: CommentTarget[] = []
  for (const row of rows) {
    const current = { revision: content.revision.id, page: undefined, node: undefined, isOutdated: false }
    const page = row.page_id === null ? undefined : pages.get(row.page_id)
    if (row.page_id === null) targets.push(current)
    else if (page === undefined) targets.push(await originalTarget(row))
    else if (row.node === null) targets.push({ ...current, page })
    else {
      const node = await followNode(source, content, row, page, services)
      targets.push(node === undefined ? await originalTarget(row) : { ...current, page, node })
    }
  }
  return targets
}

/** Returns the key of the comment's block in the page as it is now, undefined once it is gone. */
async function followNode(
  source: ContentSource,
  content: ContentContext,
  row: CommentRow,
  page: PageRecord,
  services: Services,
): Promise<string | undefined> {
  const after = page.type === 'document' ? page.text : undefined
  const [before, node] = [row.text_hash!, row.node!]
  if (after === before) return node
  if (after === undefined) return undefined
  const { caches } = services
  const key = JSON.stringify([row.revision_id, page.id, node, row.change_request_id, content.revision.id])
  const known = caches.find(followedKind, key)
  if (known !== undefined) return known.node
  const { run } = content
  const track = (was: Hash, is: Hash) => trackTexts(content, was, is, services)
  const history = await historyOfComment({ source, run, page: page.id, track }, row, content)
  const found =
    history === undefined
      ? (await track(before, after)).get(node)?.key
      : await followBlock(
          history,
          { text: before, node },
          {
            comparisons: maxComparisons,
            divisions: maxDivisions,
          },
        )
  caches.put(followedKind, key, { node: found })
  return found
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
