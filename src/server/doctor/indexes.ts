/** The search index follows from the contents: behind, of another version, with pages missing, or not whole in itself. */
import type { PageId, SpaceId } from '../../core/ids.js'
import { getContent } from '../../resources/content/content.js'
import { type IndexablePage, collectIndexable, isIndexed } from '../../resources/search/index-pages.js'
import { indexSpace } from '../../resources/search/index-space.js'
import { findReferencedSpecifications } from '../../resources/search/referenced-specifications.js'
import { indexSpaceJob } from '../../resources/content/content-jobs.js'
import { indexComputedJob } from '../../resources/openapi-specs/announce.js'
import { isJobPending } from '../../store/jobs/outbox.js'
import { findSpace } from '../../resources/spaces/store.js'
import { ContentDamaged } from '../../store/content/content-damaged.js'
import { noObjectCache } from '../../store/content/objects.js'
import { listHeads } from '../../store/content/verify.js'
import type { IndexedSpace } from '../../store/search/engine.js'
import { deleteSpace, listFailedPages, listIndexedPages } from '../../store/search/pages.js'
import { findIndexState } from '../../store/search/index-state.js'
import { clearStrayWords, countStrayWords, listEmptyPages } from '../../store/search/verify.js'
import { type Patient, repairable } from './check-context.js'

export async function checkIndexes(patient: Patient): Promise<void> {
  const { database, report, complain } = patient
  const stray = await countStrayWords(database.read)
  if (stray > 0) {
    await complain({
      problem: `The search index holds ${stray} sections whose words and texts are not both there.`,
      advice: repairable,
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
    await checkIndex(patient, space)
    task.advance(index + 1)
  }
  task.end()
}

async function checkIndex(patient: Patient, { organizationId, spaceId }: IndexedSpace): Promise<void> {
  const { database, services, complain } = patient
  const row = await findSpace(database.read, organizationId, spaceId)
  // Removed since it was listed.
  if (row === undefined) return
  const name = `space ${spaceId} (${row.title})`
  const objects = noObjectCache
  const place = { db: database.read, services: { ...services, objects }, organizationId, spaceId }
  const state = await findIndexState(database.read, place)
  if (state?.isExact !== true || state.headNumber < row.head_number) {
    await complainBehind(patient, spaceId, name)
    return
  }
  let wanted: ReadonlyMap<PageId, IndexablePage>
  try {
    const content = await getContent(place, state.revisionId!)
    const specifications = await findReferencedSpecifications(database.read, content)
    if (specifications.key !== state.specifications) {
      if (await isJobPending(database.read, indexComputedJob, organizationId)) return
      return await complainBehind(patient, spaceId, name)
    }
    wanted = await collectIndexable(content, specifications)
  } catch (error) {
    // Told of where the contents are looked at.
    if (error instanceof ContentDamaged) return
    throw error
  }
  const known = await listIndexedPages(database.read, place)
  const empty = new Set<PageId>(await listEmptyPages(database.read, place))
  // Compared with what was read just before: a server that writes meanwhile moves both.
  if ((await findIndexState(database.read, place))?.revisionId !== state.revisionId) return
  const wrong = [...wanted.values()].filter(
    (one) => !isIndexed(one, known.get(one.page.id)) || empty.has(one.page.id),
  )
  const surplus = [...known.keys()].filter((id) => !wanted.has(id))
  if (wrong.length + surplus.length > 0) {
    const paths = wrong.slice(0, 3).map(({ page: { path } }) => `"${path}"`)
    const problem =
      `The search index of the ${name} is wrong about ${wrong.length + surplus.length} pages` +
      `${paths.length > 0 ? `, among them ${paths.join(', ')}` : ''}.`
    await complain({ problem, advice: repairable, repair: () => remake(patient, place) })
    return
  }
  const [failed, ...more] = await listFailedPages(database.read, place)
  if (failed === undefined) return
  const problem = `${more.length + 1} pages of the ${name} are found by their titles alone: "${failed.path}", ${failed.reason}.`
  await complain({ problem, advice: repairable, repair: () => bringUp(patient, spaceId) })
}

async function complainBehind(patient: Patient, spaceId: SpaceId, name: string): Promise<void> {
  // That is how it should be while somebody is about to bring it up.
  if (await isJobPending(patient.database.read, indexSpaceJob, spaceId)) return
  const problem = `The search index of the ${name} is behind its content, and no job brings it up.`
  await patient.complain({ problem, advice: repairable, repair: () => bringUp(patient, spaceId) })
}

/** Brings the index up to the head and tries failed texts again; answers whether every text is in it. */
async function bringUp({ services }: Patient, spaceId: SpaceId): Promise<boolean> {
  const { signal } = new AbortController()
  return (await indexSpace({ services, spaceId, signal, now: Date.now, retriesFailed: true })) === 0
}

/** Throws away what the index holds of the space, and makes it anew. */
async function remake(patient: Patient, place: IndexedSpace): Promise<boolean> {
  await patient.database.write((tx) => deleteSpace(tx, place))
  return bringUp(patient, place.spaceId)
}
