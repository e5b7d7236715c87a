/**
 * Blame: for each block of a page's text the revision that changed it last, as Git finds it for lines.
 *
 * Blocks go back from revision to revision: what an edit left as it was belongs to the text before, what a merge or update
 * brought to the text of its second parent, and the rest to the revision itself. Between two changes of a text, revisions
 * are passed over by galloping search: a text that was changed and brought back counts as unchanged.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Hash, PageId } from '../../core/ids.js'
import { type BlockSource, findUnchangedBlocks, listBlockSources } from '../../core/merge/unchanged-blocks.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { findPage } from '../../core/pages/read.js'
import { limits } from '../../contract/limits.js'
import type { Services } from '../../access/route/scope.js'
import { cacheKind } from '../../store/cache/kinds.js'
import type { Revision } from '../../store/content/revisions.js'
import {
  type ContentContext,
  type ContentSource,
  findRevisionInBranch,
  loadRevision,
} from '../content/content.js'

/** What changed a block. */
export interface BlockOrigin {
  readonly revision: Revision
  /** The revision of the space that merged it. */
  readonly merge?: Revision
}

export interface BlamedBlock extends BlockSource {
  /** Undefined where the search ended before it was found. */
  readonly origin?: BlockOrigin
  /** Then it has not changed since this time, in milliseconds since 1970. */
  readonly before?: number
}

interface BlameContext {
  readonly source: ContentSource
  readonly content: ContentContext
  readonly services: Services
  readonly page: PageId
}

/** Blocks that one text has, by their keys in it, with the keys that they have at last. */
interface Batch {
  /** The first revision that has this text. */
  readonly revision: Revision
  readonly text: Hash
  readonly merge: Revision | undefined
  readonly blocks: Map<string, string[]>
}

const unchangedKind = cacheKind<ReadonlyMap<string, string>>(
  'unchanged blocks',
  (blocks) => 120 * blocks.size,
)
const sourcesKind = cacheKind<readonly BlockSource[]>('block sources', (blocks) => 150 * blocks.length)
const blameKind = cacheKind<readonly BlamedBlock[]>('blame', (blocks) => 1_500 * blocks.length)

/** Characters that are compared in this thread, about five milliseconds; longer texts go to a worker thread. */
const inlineTextLength = 20_000
/** Revisions that are looked up for one answer. */
const maxLookups = 4_000

/** Returns the blocks of the page's text in the content, with what changed each. */
export async function blamePage(context: BlameContext): Promise<readonly BlamedBlock[]> {
  const { content, services, page } = context
  const head = content.writtenRevision
  const text = await textIn(context, head)
  if (text === undefined) return []
  const key = `${content.spaceId} ${head.id} ${page}`
  const known = services.caches.find(blameKind, key)
  if (known !== undefined) return known
  const blamed = await new Blame(context).run(head, text)
  services.caches.put(blameKind, key, blamed)
  return blamed
}

class Blame {
  private readonly batches = new Map<string, Batch>()
  private readonly origins = new Map<string, BlockOrigin>()
  private readonly unfound = new Map<string, number>()
  private comparisons: number = limits.blamedVersions
  private lookups = maxLookups

  constructor(private readonly context: BlameContext) {}

  async run(head: Revision, text: Hash): Promise<readonly BlamedBlock[]> {
    const blocks = await this.listBlocks(text)
    const keys = new Map(blocks.map(({ key }) => [key, [key]]))
    await this.add(head, { text, blocks: keys, merge: undefined })
    for (let batch = this.takeNewest(); batch !== undefined; batch = this.takeNewest()) {
      if (this.comparisons > 0 && this.lookups > 0) await this.pass(batch)
      else
        for (const last of [...batch.blocks.values()].flat()) this.unfound.set(last, batch.revision.createdAt)
    }
    return blocks.map((block) => {
      const [origin, before] = [this.origins.get(block.key), this.unfound.get(block.key)]
      return { ...block, ...(origin && { origin }), ...(before !== undefined && { before }) }
    })
  }

  /** Passes the blocks on to the parents that have them, and attributes the rest to the revision. */
  private async pass({ revision, text, merge, blocks: left }: Batch): Promise<void> {
    for (const id of revision.parents) {
      if (left.size === 0) return
      const parent = await loadRevision(this.context.source, id)
      const before = parent && (await textIn(this.context, parent))
      if (parent === undefined || before === undefined) continue
      const unchanged = before === text ? undefined : await this.findUnchanged(before, text)
      const passed = new Map<string, string[]>()
      for (const [key, last] of left) {
        const former = unchanged === undefined ? key : unchanged.get(key)
        if (former === undefined) continue
        passed.set(former, last)
        left.delete(key)
      }
      if (passed.size === 0) continue
      const isMergedBranch = revision.changeRequestId === null && parent.changeRequestId !== null
      const within = parent.changeRequestId === null ? undefined : isMergedBranch ? revision : merge
      await this.add(parent, { text: before, blocks: passed, merge: within })
    }
    for (const last of [...left.values()].flat())
      this.origins.set(last, { revision, ...(merge !== undefined && { merge }) })
  }

  /** Adds blocks of a revision to those of the first revision that has the same text. */
  private async add(
    at: Revision,
    { text, blocks, merge }: Pick<Batch, 'text' | 'blocks' | 'merge'>,
  ): Promise<void> {
    const revision = await this.firstWithText(at, text)
    const isInBranch = revision.changeRequestId !== null
    const within = isInBranch ? merge : undefined
    const key = `${revision.id} ${within?.id ?? ''}`
    const batch = this.batches.get(key)
    if (batch === undefined) {
      this.batches.set(key, { revision, text, merge: within, blocks })
      return
    }
    for (const [former, last] of blocks)
      batch.blocks.set(former, [...(batch.blocks.get(former) ?? []), ...last])
  }

  /** A revision is never older than its parents: all that leads to the newest is there already. */
  private takeNewest(): Batch | undefined {
    let found: readonly [string, Batch] | undefined
    for (const entry of this.batches) {
      const [one, best] = [entry[1].revision, found?.[1].revision]
      if (best === undefined || compareAge(one, best) > 0) found = entry
    }
    if (found !== undefined) this.batches.delete(found[0])
    return found?.[1]
  }

  /** Returns the revision that gave the page its text: the one before it on its line has another. */
  private async firstWithText(from: Revision, text: Hash): Promise<Revision> {
    let first = from
    for (;;) {
      first = await this.firstInBranch(first, text)
      // The branch of a change request continues the space.
      if (first.number > 1 || first.changeRequestId === null || this.lookups <= 0) return first
      const base = first.parents[0] && (await loadRevision(this.context.source, first.parents[0]))
      if (!base || (await textIn(this.context, base)) !== text) return first
      first = base
    }
  }

  private async firstInBranch(from: Revision, text: Hash): Promise<Revision> {
    let has = from
    let step = 1
    let lacks = 0
    while (has.number > 1 && this.lookups > 0) {
      const number = Math.max(1, has.number - step)
      const found = await this.revisionWith(has, number, text)
      if (found === undefined) {
        lacks = number
        break
      }
      has = found
      step *= 2
    }
    while (has.number - lacks > 1 && lacks > 0 && this.lookups > 0) {
      const number = Math.floor((has.number + lacks) / 2)
      const found = await this.revisionWith(has, number, text)
      if (found === undefined) lacks = number
      else has = found
    }
    return has
  }

  /** Returns the revision with this number in the branch, if the page has the text there. */
  private async revisionWith(
    { changeRequestId }: Revision,
    number: number,
    text: Hash,
  ): Promise<Revision | undefined> {
    this.lookups -= 1
    const revision = await findRevisionInBranch(this.context.source, changeRequestId, number)
    return revision !== undefined && (await textIn(this.context, revision)) === text ? revision : undefined
  }

  private async listBlocks(hash: Hash): Promise<readonly BlockSource[]> {
    const { content, services } = this.context
    const known = services.caches.find(sourcesKind, hash)
    if (known !== undefined) return known
    const [text = ''] = await content.run(loadTexts([hash]))
    const isLong = text.length > inlineTextLength
    const blocks = isLong ? await services.reader.listBlocks(text) : listBlockSources(text)
    services.caches.put(sourcesKind, hash, blocks)
    return blocks
  }

  private async findUnchanged(before: Hash, after: Hash): Promise<ReadonlyMap<string, string>> {
    const { content, services } = this.context
    const name = `${before} ${after}`
    const known = services.caches.find(unchangedKind, name)
    if (known !== undefined) return known
    this.comparisons -= 1
    const [was, is] = (await content.run(loadTexts([before, after]))) as [string, string]
    await nextTurn()
    const isLong = was.length + is.length > inlineTextLength
    const found = isLong ? await services.reader.findUnchanged(was, is) : findUnchangedBlocks(was, is)
    services.caches.put(unchangedKind, name, found)
    return found
  }
}

/** In one branch numbers decide: revisions may have the same time. */
function compareAge(a: Revision, b: Revision): number {
  if (a.changeRequestId === b.changeRequestId) return a.number - b.number
  // A merge comes after what it merged, and the base of a branch before it.
  return a.createdAt - b.createdAt || Number(isMergeOf(a, b)) - Number(isMergeOf(b, a))
}

const isMergeOf = ({ mergedFrom, parents }: Revision, { changeRequestId, id }: Revision): boolean =>
  (mergedFrom !== null && mergedFrom === changeRequestId) || parents.includes(id)

async function textIn({ content, page }: BlameContext, { snapshot }: Revision): Promise<Hash | undefined> {
  const found = await content.run(findPage(snapshot, page))
  return found?.type === 'document' ? found.text : undefined
}
