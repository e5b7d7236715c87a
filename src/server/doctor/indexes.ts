/** Check of the search index against the content: outdated, of another version, incomplete, or inconsistent in itself. */
import type { PageId, SpaceId } from '../../core/ids.js'
import { getContent } from '../../resources/content/content.js'
import { type IndexablePage, collectIndexable, isIndexed } from '../../resources/search/index-pages.js'
import { indexSpace } from '../../resources/search/index-space.js'
import { findReferencedSpecifications } from '../../resources/search/referenced-specifications.js'
import { indexSpaceJob } from '../../resources/content/content-jobs.js'
import { indexComputedJob } from '../../resources/openapi-specs/index-job.js'
import { isJobPending } from '../../store/jobs/outbox.js'
import { findSpace, findSpaceAnywhere } from '../../resources/spaces/store.js'
import { ContentDamaged } from '../../store/content/content-damaged.js'
import { noObjectCache } from '../../store/content/objects.js'
import { type DeadJob, listHeads } from '../../store/content/verify.js'
import type { IndexedSpace } from '../../store/search/engine.js'
import { deleteSpace, listFailedPages, listIndexedPages } from '../../store/search/pages.js'
import { findIndexState } from '../../store/search/index-state.js'
import { clearStrayWords, countStrayWords, listEmptyPages } from '../../store/search/verify.js'
import { type CheckContext, repairAdvice } from './check-context.js'

export async function checkIndexes(context: CheckContext): Promise<void> {
  const { database, report, reportProblem } = context
  const stray = await countStrayWords(database.read)
  if (stray > 0) {
    await reportProblem({
      problem: `The search index holds ${stray} sections whose words and texts are not both there.`,
      advice: repairAdvice,
      repair: async () => {
        await database.write((tx) => clearStrayWords(tx))
        return true
      },
    })
  }
  const heads = await listHeads(database.read)
  const spaces = [...new Map(heads.map((head) => [head.spaceId, head])).values()]
  const task = report.startTask('Search index', spaces.length)
  for (const [index, space] of spaces.entries()) {
    await checkIndex(context, space)
    task.advance(index + 1)
  }
  task.end()
}

/** Returns whether the index that a dead job should have updated is current, or its space gone. */
export async function isIndexCurrent(
  { database }: Pick<CheckContext, 'database'>,
  { type, key }: Pick<DeadJob, 'type' | 'key'>,
): Promise<boolean> {
  if (type !== indexSpaceJob || key === null) return false
  const row = await findSpaceAnywhere(database.read, key as SpaceId)
  if (row === undefined) return true
  const place = { organizationId: row.organization_id, spaceId: row.id }
  const state = await findIndexState(database.read, place)
  return state?.isExact === true && state.headNumber >= row.head_number
}

async function checkIndex(context: CheckContext, { organizationId, spaceId }: IndexedSpace): Promise<void> {
  const { database, services, reportProblem } = context
  const row = await findSpace(database.read, organizationId, spaceId)
  // Removed since it was listed.
  if (row === undefined) return
  const name = `space ${spaceId} (${row.title})`
  const objects = noObjectCache
  const key = { db: database.read, services: { ...services, objects }, organizationId, spaceId }
  const state = await findIndexState(database.read, key)
  if (state?.isExact !== true || state.headNumber < row.head_number) {
    await reportOutdated(context, spaceId, name)
    return
  }
  let expected: ReadonlyMap<PageId, IndexablePage>
  try {
    const content = await getContent(key, state.revisionId!)
    const specifications = await findReferencedSpecifications(database.read, content)
    if (specifications.key !== state.specifications) {
      if (await isJobPending(database.read, indexComputedJob, organizationId)) return
      return await reportOutdated(context, spaceId, name)
    }
    expected = await collectIndexable(content, specifications)
  } catch (error) {
    // Reported by the check of the contents.
    if (error instanceof ContentDamaged) return
    throw error
  }
  const indexed = await listIndexedPages(database.read, key)
  const empty = new Set<PageId>(await listEmptyPages(database.read, key))
  // Skipped when the index changed meanwhile: a running server updates it.
  if ((await findIndexState(database.read, key))?.revisionId !== state.revisionId) return
  const wrong = [...expected.values()].filter(
    (entry) => !isIndexed(entry, indexed.get(entry.page.id)) || empty.has(entry.page.id),
  )
  const surplus = [...indexed.keys()].filter((id) => !expected.has(id))
  if (wrong.length + surplus.length > 0) {
    const paths = wrong.slice(0, 3).map(({ page: { path } }) => `"${path}"`)
    const problem =
      `The search index of the ${name} is wrong about ${wrong.length + surplus.length} pages` +
      `${paths.length > 0 ? `, among them ${paths.join(', ')}` : ''}.`
    await reportProblem({ problem, advice: repairAdvice, repair: () => rebuildIndex(context, key) })
    return
  }
  const [failed, ...more] = await listFailedPages(database.read, key)
  if (failed === undefined) return
  const problem = `${more.length + 1} pages of the ${name} are found by their titles alone: "${failed.path}", ${failed.reason}.`
  await reportProblem({ problem, advice: repairAdvice, repair: () => updateIndex(context, spaceId) })
}

async function reportOutdated(context: CheckContext, spaceId: SpaceId, name: string): Promise<void> {
  // A pending job will update the index: no problem.
  if (await isJobPending(context.database.read, indexSpaceJob, spaceId)) return
  const problem = `The search index of the ${name} is behind its content, and no job brings it up.`
  await context.reportProblem({ problem, advice: repairAdvice, repair: () => updateIndex(context, spaceId) })
}

/** Updates the index to the head and retries failed texts; returns whether every text is indexed. */
async function updateIndex({ services }: CheckContext, spaceId: SpaceId): Promise<boolean> {
  const { signal } = new AbortController()
  return (await indexSpace({ services, spaceId, signal, now: Date.now, retriesFailed: true })) === 0
}

/** Deletes the index of the space and rebuilds it. */
async function rebuildIndex(context: CheckContext, key: IndexedSpace): Promise<boolean> {
  await context.database.write((tx) => deleteSpace(tx, key))
  return updateIndex(context, key.spaceId)
}
