/** Presents revisions with their authors, and with what they changed, in words. */
import { diffSnapshots } from '../../core/merge/diff-snapshots.js'
import { describeChanges } from '../../core/merge/describe-changes.js'
import type { ChangeRequestId, UserId } from '../../core/ids.js'
import { count } from '../../core/merkle/map.js'
import { runTogether } from '../../core/merkle/steps.js'
import { emptySnapshot } from '../../core/pages/build.js'
import type { PageBlame, PageRevision } from '../../contract/history.js'
import type { ListedRevision } from '../../contract/revisions.js'
import type { User } from '../../contract/users.js'
import type { Services } from '../../access/route/scope.js'
import { cacheKind } from '../../store/cache/kinds.js'
import type { Revision } from '../../store/content/revisions.js'
import type { Db } from '../../store/db/database.js'
import { findMergedChangeRequests } from '../change-requests/find-merged.js'
import { listEditorsOf } from '../change-requests/store.js'
import { type ContentContext, loadRevision } from '../content/content.js'
import { presentListedRevision } from '../content/present.js'
import { describeRevisions } from '../content/revision-list.js'
import { presentUser } from '../users/present.js'
import { findPeopleOf } from '../users/store.js'
import type { BlamedBlock, BlockOrigin } from './blame.js'
import type { ChangedPage } from './page-changes.js'

export interface HistoryView {
  readonly db: Db
  readonly services: Services
  readonly content: ContentContext
}

/** Returns revisions as they are listed; users, change requests and editors are loaded in bulk. */
export async function showRevisions(
  { db, services, content }: HistoryView,
  revisions: readonly Revision[],
  { summary: hasSummary = false } = {},
): Promise<ListedRevision[]> {
  const { addresses } = services
  const context = { db, services, findMerged: findMergedChangeRequests }
  const [described, authors] = [
    await describeRevisions(content, revisions, context),
    await findAuthors({ db, services, content }, revisions),
  ]
  const presented: ListedRevision[] = []
  for (const [at, revision] of revisions.entries()) {
    const summary = hasSummary ? await summaryOf({ db, services, content }, revision) : undefined
    const more = { authors: authors[at]!, ...(summary !== undefined && { summary }) }
    presented.push(presentListedRevision({ ...described[at]!, ...more }, content.spaceId, addresses))
  }
  return presented
}

/** Returns for each revision who wrote what it contains: the editors of what it merged, last first, else its creator. */
async function findAuthors(
  { db, services, content: { organizationId } }: HistoryView,
  revisions: readonly Revision[],
): Promise<readonly User[][]> {
  const merged = [...new Set(revisions.flatMap(({ mergedFrom }) => mergedFrom ?? []))]
  const editors = new Map<ChangeRequestId, UserId[]>()
  for (const { change_request_id: id, user_id: user } of await listEditorsOf(db, organizationId, merged))
    editors.set(id, [...(editors.get(id) ?? []), user])
  const authors = revisions.map(
    ({ mergedFrom, createdBy }) => (mergedFrom !== null && editors.get(mergedFrom)) || [createdBy],
  )
  const users = await findPeopleOf(db, organizationId, [...new Set(authors.flat())])
  return authors.map((ids) => ids.flatMap((id) => presentedUser(services, users.get(id))))
}

function presentedUser({ addresses }: Services, user: Parameters<typeof presentUser>[1] | undefined): User[] {
  return user === undefined ? [] : [presentUser(addresses, user)]
}

/** Returns users by their ids, presented. */
export async function showUsers(
  { db, services, content: { organizationId } }: HistoryView,
  ids: readonly UserId[],
): Promise<ReadonlyMap<UserId, User>> {
  const users = await findPeopleOf(db, organizationId, [...new Set(ids)])
  return new Map([...users].map(([id, row]) => [id, presentUser(services.addresses, row)]))
}

const summaryKind = cacheKind<{ readonly summary: string }>(
  'revision summaries',
  ({ summary }) => 2 * summary.length,
)

/** Pages by which the content may grow or shrink for its changes to be described: an import is longer. */
const maxDifference = 2_000

/** Returns what a revision changed from the one before it; undefined where that is much. */
async function summaryOf(
  { db, services, content }: HistoryView,
  { id, parents, snapshot }: Revision,
): Promise<string | undefined> {
  const { caches } = services
  const known = caches.find(summaryKind, id)
  if (known !== undefined) return known.summary
  const { organizationId, spaceId, run } = content
  const source = { db, services, organizationId, spaceId }
  const before = parents[0] === undefined ? undefined : await loadRevision(source, parents[0])
  // The former one was amended and is removed.
  if (before === undefined && parents[0] !== undefined) return undefined
  const from = before?.snapshot ?? emptySnapshot(snapshot.config)
  const [was, is] = await run(runTogether(count(from.pages), count(snapshot.pages)))
  if (Math.abs(is - was) > maxDifference) return undefined
  const summary = describeChanges(await run(diffSnapshots(from, snapshot)))
  caches.put(summaryKind, id, { summary })
  return summary
}

/** Returns the revisions that changed a page. */
export async function showPageChanges(
  view: HistoryView,
  changes: readonly ChangedPage[],
): Promise<PageRevision[]> {
  const revisions = await showRevisions(
    view,
    changes.map(({ revision }) => revision),
  )
  return changes.map(({ kinds, page }, at) => ({
    revision: revisions[at]!,
    changes: [...kinds],
    page: { id: page.id, type: page.type, title: page.title, ...('path' in page && { path: page.path }) },
  }))
}

/** Returns the blocks of a page with their sources, each once. */
export async function showBlame(view: HistoryView, blocks: readonly BlamedBlock[]): Promise<PageBlame> {
  const keyOf = ({ revision, merge }: BlockOrigin) => `${revision.id} ${merge?.id ?? ''}`
  const origins = new Map(blocks.flatMap(({ origin }) => (origin ? [[keyOf(origin), origin] as const] : [])))
  const listed = [...origins.values()]
  const revisions = await showRevisions(
    view,
    listed.map(({ revision, merge }) => merge ?? revision),
  )
  const users = await showUsers(
    view,
    listed.map(({ revision }) => revision.createdBy),
  )
  const indices = new Map([...origins.keys()].map((key, at) => [key, at]))
  return {
    revision: view.content.writtenRevision.id,
    blocks: blocks.map(({ key, type, span, origin, before }) => ({
      key,
      block: type,
      span,
      ...(origin && { source: indices.get(keyOf(origin))! }),
      ...(before !== undefined && { before: new Date(before).toISOString() }),
    })),
    sources: listed.map(({ revision }, at) => {
      const author = users.get(revision.createdBy)
      // A merge that changed a block itself is by all who edited what it merged.
      const isMerge = revision.mergedFrom !== null
      const authors = isMerge || author === undefined ? revisions[at]!.authors : [author]
      return { revision: revisions[at]!, authors, changedAt: new Date(revision.createdAt).toISOString() }
    }),
  }
}
