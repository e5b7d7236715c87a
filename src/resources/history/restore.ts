/**
 * Restoring an earlier revision, or pages of it, in a new change request: the space changes when it is merged, with what
 * came meanwhile, and everything stays in the history.
 */
import type { PageId } from '../../core/ids.js'
import { equal } from '../../core/merge/decisions.js'
import { runTogether } from '../../core/merkle/steps.js'
import type { Step } from '../../core/merkle/types.js'
import { sameSnapshot } from '../../core/pages/build.js'
import { ancestors, children, findPage, findPages } from '../../core/pages/read.js'
import type { PageRecord, Snapshot } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import type { Revision } from '../../store/content/revisions.js'
import { createSink } from '../../store/content/sink.js'
import type { Tx } from '../../store/db/database.js'
import { inBranch } from '../change-requests/branch.js'
import { createChangeRequest } from '../change-requests/create.js'
import { type ChangeRequestRow, recordContribution } from '../change-requests/store.js'
import { changeContent } from '../content/change.js'
import { commit } from '../content/commit.js'
import { type ContentContext, asWritten, getContent } from '../content/content.js'
import type { SpaceRow } from '../spaces/store.js'

interface RestoreInput {
  /** The whole content when absent. */
  readonly pages?: readonly string[] | undefined
  readonly subject?: string | undefined
  readonly actor: Actor
  readonly now: number
  readonly services: Services
}

/** Returns the new change request; throws `no_change` where the current content is already that of the revision. */
export async function restoreRevision(
  tx: Tx,
  space: SpaceRow,
  content: ContentContext,
  { pages, subject, actor, now, services }: RestoreInput,
): Promise<ChangeRequestRow> {
  const earlier = asWritten(content)
  const { organization_id: organizationId, id: spaceId } = space
  const source = { db: tx, services, organizationId, spaceId }
  const head = await getContent(source, space.revision_id)
  const { revision } = earlier
  const restored = pages && (await pagesToRestore(earlier, head.revision.snapshot, pages))
  if (restored === undefined && sameSnapshot(head.revision.snapshot, revision.snapshot))
    throw new ApiError('no_change', { problem: 'this revision is the current content' })
  if (restored?.length === 0)
    throw new ApiError('no_change', { problem: 'the pages are as they are in this revision' })

  const named = restored === undefined ? undefined : restored[0]!
  const row = await createChangeRequest(tx, space, {
    subject: subject ?? subjectOf(revision, named, restored?.length ?? 0),
    actor,
    now,
  })
  const branch = inBranch(head, row)
  const written =
    restored === undefined
      ? await commit(tx, branch, {
          type: 'rollback',
          snapshot: revision.snapshot,
          sink: createSink(organizationId, services.objects),
          userId: actor.userId,
          now,
          message: `Back to revision ${revision.id}`,
        })
      : (
          await changeContent(tx, branch, {
            changes: restored.map(({ id }) => ({
              operation: 'revert_page' as const,
              page: id,
              revision: revision.id,
            })),
            uploads: new Map(),
            base: revision.id,
            ifMatch: undefined,
            actor,
            now,
            services,
          })
        ).revision
  await recordContribution(tx, row, actor.userId, now)
  return { ...row, revision_id: written.id, updated_at: written.createdAt }
}

/** Returns the pages that differ from the revision, parents before their subpages. */
async function pagesToRestore(
  { revision: { snapshot }, run }: ContentContext,
  current: Snapshot,
  names: readonly string[],
): Promise<PageRecord[]> {
  const ids = [...new Set(names)] as PageId[]
  const found = await run(findPages(snapshot, ids))
  const missing = found.indexOf(undefined)
  if (missing >= 0)
    throw new ApiError('invalid_reference', {
      member: `pages[${names.indexOf(ids[missing]!)}]`,
      thing: 'a page of the revision',
    })
  const all = await run(withDeletedSubpages(snapshot, current, found as PageRecord[]))
  if (all.length > limits.restoredPages)
    throw new ApiError('invalid_request', {
      problem: `With their subpages these are more than ${limits.restoredPages} pages.`,
    })
  const now = await run(
    findPages(
      current,
      all.map(({ id }) => id),
    ),
  )
  const differing = all.filter((page, at) => !isRestored(page, now[at]))
  const depths = await run(runTogether(...differing.map((page) => ancestors(snapshot, page))))
  return differing
    .map((page, at) => ({ page, depth: depths[at]!.length }))
    .toSorted((a, b) => a.depth - b.depth)
    .map(({ page }) => page)
}

/** Returns the pages, and below those that were deleted their subpages that were deleted too. */
function* withDeletedSubpages(
  earlier: Snapshot,
  current: Snapshot,
  pages: readonly PageRecord[],
): Step<PageRecord[]> {
  const found = new Map(pages.map((page) => [page.id, page]))
  for (const page of found.values()) {
    // Of more than this none is restored.
    if (found.size > limits.restoredPages) break
    if ((yield* findPage(current, page.id)) !== undefined) continue
    for (const child of yield* children(earlier, page.id)) {
      if ((yield* findPage(current, child.id)) === undefined) found.set(child.id, child)
    }
  }
  return [...found.values()]
}

/** The members that follow from others, and from the clock, do not count. */
function isRestored(page: PageRecord, now: PageRecord | undefined): boolean {
  const same = (member: string) =>
    equal(new Map(Object.entries(page)).get(member), new Map(Object.entries(now!)).get(member))
  return (
    now !== undefined && Object.keys({ ...page, ...now }).every((one) => one === 'updatedAt' || same(one))
  )
}

const maxTitleLength = 50

function subjectOf({ number }: Revision, page: PageRecord | undefined, count: number): string {
  if (page === undefined) return `Restore revision ${number}`
  const title = page.title.length > maxTitleLength ? `${page.title.slice(0, maxTitleLength)}…` : page.title
  const more = count > 1 ? ` and ${count - 1} more` : ''
  return `Restore “${title}”${more} as of revision ${number}`
}
