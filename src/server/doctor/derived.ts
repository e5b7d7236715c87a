/**
 * What follows from the pages and texts of a head is made anew: the order, the paths and the links. The same entries
 * give the same nodes, so damaged nodes of these maps are written again as they were; where they differ although
 * they are whole, the space gets a revision with the right ones.
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
import { type Patient, repairable, restore } from './check-context.js'

/** The maps that a snapshot is. */
export type MapName = Exclude<keyof Snapshot, 'config'>

const derivedMaps = ['order', 'paths', 'links'] as const
const textsPerQuestion = 100
const objectsPerMend = 200

interface ExaminedHead {
  readonly head: Head
  readonly revision: Revision
  readonly unreadable: ReadonlySet<MapName>
}

export async function checkDerived(
  patient: Patient,
  { head, revision, unreadable }: ExaminedHead,
): Promise<void> {
  const { complain } = patient
  const { snapshot } = revision
  // Told of already: nothing can be made of what cannot be read.
  if (unreadable.has('pages') || unreadable.has('files') || unreadable.has('names')) return
  const rebuilt = await rebuild(patient, revision)
  const broken = derivedMaps.filter((map) => unreadable.has(map))
  if (rebuilt === undefined) {
    const problem = `The ${head.name}: its map of ${broken.join(' and ')} is damaged.`
    if (broken.length > 0)
      await complain({ problem, advice: `${restore} It follows from texts that are damaged too.` })
    return
  }
  const wrong = derivedMaps.filter((map) => rebuilt.snapshot[map] !== snapshot[map])
  if (wrong.length > 0) {
    await complain({
      problem: `The ${head.name}: its map of ${wrong.join(' and ')} does not follow from its pages.`,
      advice: repairable,
      repair: () => replaceDerived(patient, revision, rebuilt),
    })
  } else if (broken.length > 0) {
    await complain({
      problem: `The ${head.name}: its map of ${broken.join(' and ')} is damaged.`,
      advice: repairable,
      repair: () => mendAll(patient, revision, rebuilt),
    })
  }
}

interface Rebuilt {
  readonly snapshot: Snapshot
  readonly objects: ReadonlyMap<Hash, Uint8Array>
}

/** Answers what the snapshot should be, undefined when a text that it follows from is damaged. */
async function rebuild({ database, services }: Patient, revision: Revision): Promise<Rebuilt | undefined> {
  const { organizationId, snapshot } = revision
  const objects = noObjectCache
  const place = {
    db: database.read,
    services: { ...services, objects },
    organizationId,
    spaceId: revision.spaceId,
  }
  const [pageEntries, fileEntries, nameEntries] = await contentFromRevision(place, revision).run(
    runTogether(range(snapshot.pages), range(snapshot.files), range(snapshot.names)),
  )
  const pages = pageEntries.map(([, value]) => value)
  const names = nameEntries
  const asides = names.flatMap(([path, entry]) => ('text' in entry ? [{ path, entry }] : []))
  const hashes = new Set<Hash>([
    ...pages.flatMap((page) => (page.type === 'document' && page.text !== undefined ? [page.text] : [])),
    ...asides.map(({ entry }) => entry.text),
  ])
  const descriptions = new Map<Hash, Description>()
  const waiting = [...hashes]
  try {
    for (let at = 0; at < waiting.length; at += textsPerQuestion) {
      const part = waiting.slice(at, at + textsPerQuestion)
      const texts = await getTexts({ db: database.read, organizationId, cache: objects }, part)
      const read = await Promise.all(texts.map((text) => services.reader.describe(text)))
      for (const [index, hash] of part.entries()) descriptions.set(hash, decodeDescription(read[index]!))
    }
  } catch (error) {
    if (error instanceof ContentDamaged) return undefined
    throw error
  }
  const made = new Map<Hash, Uint8Array>()
  const put = (bytes: Uint8Array): Hash => {
    const hash = hashOf(bytes)
    made.set(hash, bytes)
    return hash
  }
  const sink = {
    putNode: (node: MapNode) => put(encodeNode(node)),
    putText: (text: string) => put(encodeText(text)),
  }
  const texts = asides.map(({ path, entry: { text: hash, size, id } }) => ({
    path,
    text: { hash, size, description: descriptions.get(hash)! },
    ...(id !== undefined && { id }),
  }))
  const files = fileEntries.map(([, value]) => value)
  const plan = { config: snapshot.config, pages, files, texts, descriptions }
  return { snapshot: buildSnapshot(plan, sink), objects: made }
}

/** Writes what should be there wherever it is not. */
async function mendAll(
  { database }: Patient,
  { organizationId }: Revision,
  { objects }: Rebuilt,
): Promise<boolean> {
  const waiting = [...objects]
  for (let at = 0; at < waiting.length; at += objectsPerMend) {
    await database.write(async (tx) => {
      for (const [hash, bytes] of waiting.slice(at, at + objectsPerMend))
        await repairObject(tx, organizationId, hash, bytes)
    })
  }
  return true
}

/** Makes the right maps the head, unless somebody moved it meanwhile. */
async function replaceDerived(patient: Patient, revision: Revision, rebuilt: Rebuilt): Promise<boolean> {
  const { database, services, now } = patient
  const { organizationId, spaceId } = revision
  await mendAll(patient, revision, rebuilt)
  await database.write(async (tx) => {
    const content = contentFromRevision({ db: tx, services, organizationId, spaceId }, revision)
    const sink = createSink(organizationId, services.objects)
    const { snapshot } = rebuilt
    const author = { userId: revision.createdBy, now, message: 'Repaired by octavo doctor' }
    await commit(tx, content, { type: 'computed', snapshot, sink, ...author })
  })
  return true
}
