/**
 * History of a page as its comments see it: revision by revision from the one of an anchor to the one that is read, on
 * the branch of a change request first where the comment was made there, and on that of the space after the merge.
 */
import type { ChangeRequestId, Hash, PageId } from '../../core/ids.js'
import type { TrackedBlock } from '../../core/merge/track-blocks.js'
import { findPage } from '../../core/pages/read.js'
import { ContentDamaged } from '../../store/content/content-damaged.js'
import type { Revision } from '../../store/content/revisions.js'
import { findChangeRequest } from '../change-requests/store.js'
import {
  type ContentContext,
  type ContentSource,
  findRevisionInBranch,
  loadRevision,
} from '../content/content.js'
import type { BlockHistory } from './follow-block.js'
import type { CommentRow } from './store.js'

/** Consecutive revisions of one branch, by their numbers; both ends are included. */
interface Segment {
  /** Null for the space's own branch. */
  readonly branch: ChangeRequestId | null
  readonly from: number
  readonly to: number
}

interface PageHistoryContext {
  readonly source: ContentSource
  readonly run: ContentContext['run']
  readonly page: PageId
  track(before: Hash, after: Hash): Promise<ReadonlyMap<string, TrackedBlock>>
  moveRange?: BlockHistory<Hash>['moveRange']
}

/** Returns the history of the page of a comment up to the content; undefined where the two are not on one line. */
export async function historyOfComment(
  context: PageHistoryContext,
  { revision_id: anchorId, change_request_id: changeRequestId }: CommentRow,
  { writtenRevision: current }: ContentContext,
): Promise<BlockHistory<Hash> | undefined> {
  const anchor = await loadRevision(context.source, anchorId)
  if (anchor === undefined) return undefined
  const start = segmentOf(anchor)
  const end = segmentOf(current)
  if (changeRequestId !== null && current.changeRequestId === null) {
    const merged = await findMerge(context.source, changeRequestId)
    if (merged !== undefined && merged.number <= current.number) {
      const along = await segmentsToMerge(context.source, anchor, merged)
      if (along !== undefined) return historyOf(context, [...along, { ...end, from: merged.number }])
    }
  }
  if (anchor.changeRequestId === current.changeRequestId) {
    return anchor.number <= current.number
      ? historyOf(context, [{ ...start, to: current.number }])
      : undefined
  }
  // A change request continues the revision of the space on which it began.
  return anchor.changeRequestId === null ? historyOf(context, [start, { ...end, from: 1 }]) : undefined
}

const segmentOf = ({ changeRequestId, number }: Revision): Segment => ({
  branch: changeRequestId,
  from: number,
  to: number,
})

/** Returns the revision of the space that merged a change request; undefined where none did. */
async function findMerge(
  source: ContentSource,
  changeRequestId: ChangeRequestId,
): Promise<Revision | undefined> {
  const { db, organizationId, spaceId } = source
  const row = await findChangeRequest(db, { organization_id: organizationId, id: spaceId }, changeRequestId)
  return row === undefined || row.revision_merged_id === null
    ? undefined
    : loadRevision(source, row.revision_merged_id)
}

/** Returns the revisions from the anchor to the head that was merged, the merge itself excluded. */
async function segmentsToMerge(
  source: ContentSource,
  anchor: Revision,
  merge: Revision,
): Promise<readonly Segment[] | undefined> {
  const head = await mergedHead(source, merge)
  if (head === undefined) return undefined
  const branch = segmentOf(head)
  if (anchor.changeRequestId === null) return [segmentOf(anchor), { ...branch, from: 1 }]
  return anchor.changeRequestId === head.changeRequestId && anchor.number <= head.number
    ? [{ ...branch, from: anchor.number }]
    : undefined
}

/** Returns the head of the change request that a revision merged; undefined where that had no revision of its own. */
async function mergedHead(
  source: ContentSource,
  { parents, mergedFrom }: Revision,
): Promise<Revision | undefined> {
  const id = mergedFrom === null ? undefined : parents[1]
  const head = id && (await loadRevision(source, id))
  return head && head.changeRequestId === mergedFrom ? head : undefined
}

function historyOf(context: PageHistoryContext, segments: readonly Segment[]): BlockHistory<Hash> {
  const { source, run, page, track, moveRange } = context
  const length = segments.reduce((sum, { from, to }) => sum + to - from + 1, 0)

  async function revisionAt(version: number): Promise<Revision> {
    let left = version
    for (const { branch, from, to } of segments) {
      if (left <= to - from) {
        const found = await findRevisionInBranch(source, branch, from + left)
        if (found === undefined)
          throw new ContentDamaged(source.organizationId, `revision ${from + left} of a branch`, 'is missing')
        return found
      }
      left -= to - from + 1
    }
    throw new RangeError(`There is no version ${version}`)
  }

  /** Returns the version of a revision of the space; undefined where it is not in this history. */
  function versionOf({ number }: Revision): number | undefined {
    let before = 0
    for (const { branch, from, to } of segments) {
      if (branch === null && from <= number && number <= to) return before + number - from
      before += to - from + 1
    }
    return undefined
  }

  return {
    length,
    // Of the last branch, which is where histories grow.
    firstNumber: segments.at(-1)!.to - length + 1,
    track,
    ...(moveRange && { moveRange }),
    async textAt(version) {
      const { snapshot } = await revisionAt(version)
      const found = await run(findPage(snapshot, page))
      return found?.type === 'document' ? found.text : undefined
    },
    async branchAt(version) {
      const merge = await revisionAt(version)
      const head = merge.changeRequestId === null ? await mergedHead(source, merge) : undefined
      const first = head && (await findRevisionInBranch(source, head.changeRequestId, 1))
      const base = first?.parents[0] && (await loadRevision(source, first.parents[0]))
      if (head === undefined || !base) return undefined
      const along = [segmentOf(base), { ...segmentOf(head), from: 1 }, segmentOf(merge)]
      const { branchAt: _, ...history } = historyOf(context, along)
      return { base: versionOf(base), history }
    },
  }
}
