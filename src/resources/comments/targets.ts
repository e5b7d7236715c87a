/**
 * What comments are about, as it is now: their page in the content at hand, and the block on it, wherever it went.
 *
 * A comment keeps what it was put on: a revision, and for a block the text that it stood in. Nothing is written when
 * content changes; a block is looked for when somebody asks, once for each pair of texts, whatever came between.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Hash, PageId, ReviewId, RevisionId } from '../../core/ids.js'
import { findWords, followBlocks } from '../../core/merge/track-blocks.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { findPage, findPages } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import { kindOf } from '../../store/cache/kinds.js'
import type { Db } from '../../store/db/database.js'
import { type ContentHere, getContent } from '../content/content.js'
import type { CommentRow } from './store.js'

export interface Target {
  /** Where the page and the block are as they are told here: the content at hand, or what the comment was put on. */
  readonly revision: RevisionId
  readonly page: PageRecord | undefined
  readonly node: string | undefined
  readonly isOutdated: boolean
}

/** What a new comment is put on. */
export interface Aim {
  readonly revision: RevisionId
  readonly page: PageId | null
  readonly text: Hash | null
  readonly node: string | null
  readonly preview: string | null
  /** The review that says it. */
  readonly review?: ReviewId
}

const followedKind = kindOf<ReadonlyMap<string, string>>('followed blocks', (keys) => 60 * keys.size)

/** Texts up to this length together are read at once: about five milliseconds. Longer ones go to a thread. */
const readAtOnce = 20_000
const previewLength = 100

/** What a comment is put on that is about the content as a whole. */
export function aimAtAll({ revision }: ContentHere): Aim {
  return { revision: revision.id, page: null, text: null, node: null, preview: null }
}

/** Returns what a new comment is put on; throws 400 when the page or the block is not there. */
export async function takeAim(
  content: ContentHere,
  { page: id, node }: { readonly page?: string; readonly node?: string },
  { reader }: Services,
): Promise<Aim> {
  const nothing = aimAtAll(content)
  if (id === undefined) {
    if (node === undefined) return nothing
    throw new ApiError('invalid_request', {
      problem: 'The member "node" names a block, and the member "page" that says on which page is missing.',
    })
  }
  const page = await content.run(findPage(content.revision.snapshot, id as PageId))
  if (page === undefined) throw new ApiError('invalid_reference', { member: 'page', thing: 'a page' })
  if (node === undefined) return { ...nothing, page: page.id }
  const hash = page.type === 'document' ? page.text : undefined
  const [text = ''] = await content.run(loadTexts(hash === undefined ? [] : [hash]))
  const words = text.length > readAtOnce ? await reader.findWords(text, node) : findWords(text, node)
  if (words === undefined || hash === undefined) {
    throw new ApiError('invalid_reference', { member: 'node', thing: 'a block of the page' })
  }
  return { ...nothing, page: page.id, text: hash, node, preview: firstWords(words) }
}

/** Cut where a character ends. */
function firstWords(words: string): string {
  return words.slice(0, previewLength).replace(/[\ud800-\udbff]$/, '')
}

/** Returns what each of these comments is about in the content at hand, in their order. */
export async function findTargets(
  db: Db,
  content: ContentHere,
  rows: readonly CommentRow[],
  services: Services,
): Promise<readonly Target[]> {
  const ids = [...new Set(rows.flatMap(({ page_id: id }) => id ?? []))]
  const found = await content.run(findPages(content.revision.snapshot, ids))
  const pages = new Map(ids.map((id, at) => [id, found[at]]))
  const place = { db, services, organizationId: content.organizationId, spaceId: content.spaceId }

  /** As it was when the comment was put: nothing of it changes any more. */
  async function asPut({ revision_id: revision, page_id: id, node }: CommentRow): Promise<Target> {
    const then = await getContent(place, revision)
    const page = await then.run(findPage(then.revision.snapshot, id!))
    return { revision, page, node: node ?? undefined, isOutdated: true }
  }

  const targets: Target[] = []
  for (const row of rows) {
    const here = { revision: content.revision.id, page: undefined, node: undefined, isOutdated: false }
    const page = row.page_id === null ? undefined : pages.get(row.page_id)
    if (row.page_id === null) targets.push(here)
    else if (page === undefined) targets.push(await asPut(row))
    else if (row.node === null) targets.push({ ...here, page })
    else {
      const node = await followNode(content, row, page, services)
      targets.push(node === undefined ? await asPut(row) : { ...here, page, node })
    }
  }
  return targets
}

/** Returns the key of the comment's block in the page as it is now, undefined once it is gone. */
async function followNode(
  content: ContentHere,
  { text_hash: before, node }: CommentRow,
  page: PageRecord,
  { caches, reader }: Services,
): Promise<string | undefined> {
  const after = page.type === 'document' ? page.text : undefined
  if (after === before) return node!
  if (after === undefined) return undefined
  const name = `${before} ${after}`
  let keys = caches.find(followedKind, name)
  if (keys === undefined) {
    const [was, is] = (await content.run(loadTexts([before!, after]))) as [string, string]
    // Of many comments on many old texts, none keeps others waiting for more than its own.
    await nextTurn()
    keys = was.length + is.length > readAtOnce ? await reader.follow(was, is) : followBlocks(was, is)
    caches.keep(followedKind, name, keys)
  }
  return keys.get(node!)
}
