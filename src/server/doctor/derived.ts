/**
 * Check of derived data: rebuilds the maps of order, paths and links from the pages and texts of a head. The same entries
 * give the same nodes, so damaged nodes of these maps are written again as they were; where intact maps differ from the
 * rebuilt ones, the space gets a revision with the right ones.
 */
import type { Hash } from '../../core/ids.js'
import { range } from '../../core/merkle/map.js'
import { runTogether } from '../../core/merkle/steps.js'
import type { MapNode } from '../../core/merkle/types.js'
import { buildSnapshot } from '../../core/pages/build.js'
import type { Description } from '../../core/pages/describe.js'
import type { Snapshot } from '../../core/pages/types.js'
import { commit } from '../../resources/content/commit.js'
import { contentFromRevision } from '../../resources/content/content.js'
import { ContentDamaged } from '../../store/content/content-damaged.js'
import { encodeNode, encodeText, hashOf } from '../../store/content/encoding.js'
import { getTexts, noObjectCache } from '../../store/content/objects.js'
import type { Revision } from '../../store/content/revisions.js'
import { createSink } from '../../store/content/sink.js'
import { type Head, repairObject } from '../../store/content/verify.js'
import { decodeDescription } from '../../store/reading/reader.js'
import { type CheckContext, repairAdvice, restoreAdvice } from './check-context.js'

/** Names of the maps of a snapshot. */
export type MapName = Exclude<keyof Snapshot, 'config'>

const derivedMaps = ['order', 'paths', 'links'] as const
const textsPerQuery = 100
const objectsPerWrite = 200

interface ExaminedHead {
  readonly head: Head
  readonly revision: Revision
  readonly unreadable: ReadonlySet<MapName>
}

export async function checkDerived(
  context: CheckContext,
  { head, revision, unreadable }: ExaminedHead,
): Promise<void> {
  const { reportProblem } = context
  const { snapshot } = revision
  // Reported already: nothing can be rebuilt from unreadable maps.
  if (unreadable.has('pages') || unreadable.has('files') || unreadable.has('names')) return
  const rebuilt = await rebuild(context, revision)
  const broken = derivedMaps.filter((map) => unreadable.has(map))
  if (rebuilt === undefined) {
    const problem = `The ${head.name}: its map of ${broken.join(' and ')} is damaged.`
    if (broken.length > 0)
      await reportProblem({ problem, advice: `${restoreAdvice} It follows from texts that are damaged too.` })
    return
  }
  const wrong = derivedMaps.filter((map) => rebuilt.snapshot[map] !== snapshot[map])
  if (wrong.length > 0) {
    await reportProblem({
      problem: `The ${head.name}: its map of ${wrong.join(' and ')} does not follow from its pages.`,
      advice: repairAdvice,
      repair: () => replaceDerived(context, revision, rebuilt),
    })
  } else if (broken.length > 0) {
    await reportProblem({
      problem: `The ${head.name}: its map of ${broken.join(' and ')} is damaged.`,
      advice: repairAdvice,
      repair: () => repairObjects(context, revision, rebuilt),
    })
  }
}

interface Rebuilt {
  readonly snapshot: Snapshot
  readonly objects: ReadonlyMap<Hash, Uint8Array>
}

/** Returns what the snapshot should be; undefined when a text that it is derived from is damaged. */
async function rebuild(
  { database, services }: CheckContext,
  revision: Revision,
): Promise<Rebuilt | undefined> {
  const { organizationId, snapshot } = revision
  const objects = noObjectCache
  const key = {
    db: database.read,
    services: { ...services, objects },
    organizationId,
    spaceId: revision.spaceId,
  }
  const [pageEntries, fileEntries, nameEntries] = await contentFromRevision(key, revision).run(
    runTogether(range(snapshot.pages), range(snapshot.files), range(snapshot.names)),
  )
  const pages = pageEntries.map(([, value]) => value)
  const names = nameEntries
  const nonPageTexts = names.flatMap(([path, entry]) => ('text' in entry ? [{ path, entry }] : []))
  const hashes = new Set<Hash>([
    ...pages.flatMap((page) => (page.type === 'document' && page.text !== undefined ? [page.text] : [])),
    ...nonPageTexts.map(({ entry }) => entry.text),
  ])
  const descriptions = new Map<Hash, Description>()
  const queue = [...hashes]
  try {
    for (let at = 0; at < queue.length; at += textsPerQuery) {
      const batch = queue.slice(at, at + textsPerQuery)
      const texts = await getTexts({ db: database.read, organizationId, cache: objects }, batch)
      const read = await Promise.all(texts.map((text) => services.reader.describe(text)))
      for (const [index, hash] of batch.entries()) descriptions.set(hash, decodeDescription(read[index]!))
    }
  } catch (error) {
    if (error instanceof ContentDamaged) return undefined
    throw error
  }
  const rebuiltObjects = new Map<Hash, Uint8Array>()
  const put = (bytes: Uint8Array): Hash => {
    const hash = hashOf(bytes)
    rebuiltObjects.set(hash, bytes)
    return hash
  }
  const sink = {
    putNode: (node: MapNode) => put(encodeNode(node)),
    putText: (text: string) => put(encodeText(text)),
  }
  const texts = nonPageTexts.map(({ path, entry: { text: hash, size, id } }) => ({
    path,
    text: { hash, size, description: descriptions.get(hash)! },
    ...(id !== undefined && { id }),
  }))
  const files = fileEntries.map(([, value]) => value)
  const plan = { config: snapshot.config, pages, files, texts, descriptions }
  return { snapshot: buildSnapshot(plan, sink), objects: rebuiltObjects }
}

/** Writes the rebuilt objects that are missing or damaged. */
async function repairObjects(
  { database }: CheckContext,
  { organizationId }: Revision,
  { objects }: Rebuilt,
): Promise<boolean> {
  const queue = [...objects]
  for (let at = 0; at < queue.length; at += objectsPerWrite) {
    await database.write(async (tx) => {
      for (const [hash, bytes] of queue.slice(at, at + objectsPerWrite))
        await repairObject(tx, organizationId, hash, bytes)
    })
  }
  return true
}

/** Commits the rebuilt maps as the new head, unless the head moved meanwhile. */
async function replaceDerived(context: CheckContext, revision: Revision, rebuilt: Rebuilt): Promise<boolean> {
  const { database, services, now } = context
  const { organizationId, spaceId } = revision
  await repairObjects(context, revision, rebuilt)
  await database.write(async (tx) => {
    const content = contentFromRevision({ db: tx, services, organizationId, spaceId }, revision)
    const sink = createSink(organizationId, services.objects)
    const { snapshot } = rebuilt
    const author = { userId: revision.createdBy, now, message: 'Repaired by octavo doctor' }
    await commit(tx, content, { type: 'computed', snapshot, sink, ...author })
  })
  return true
}
