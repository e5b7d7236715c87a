/**
 * Every revision of every space is walked: nodes, texts, uploaded bytes, parents, bases of merges. Then what follows
 * from a head's pages and texts is made anew and compared; that part can be repaired.
 *
 * A node that two revisions share is looked at once, so a long history costs what its edits wrote. In memory are the
 * names of one space's nodes, about a hundred bytes each.
 */
import { groupBy } from '../../core/group.js'
import type { Hash, RevisionId } from '../../core/ids.js'
import type { Json, MapNode } from '../../core/merkle/types.js'
import type { FileRecord, NameEntry, PageRecord, Snapshot } from '../../core/pages/types.js'
import { ContentDamaged } from '../../store/content/content-damaged.js'
import { getNodes, noObjectCache } from '../../store/content/objects.js'
import { type Revision, toRevision } from '../../store/content/revisions.js'
import {
  type Head,
  findMissingObjects,
  listBlobs,
  listHeads,
  listReferencedRevisions,
  walkRevisions,
} from '../../store/content/verify.js'
import { type MapName, checkDerived } from './derived.js'
import type { Damaged } from './objects.js'
import { type Patient, restore } from './check-context.js'

const maps: readonly MapName[] = ['pages', 'order', 'paths', 'files', 'names', 'links']
const nodesPerQuestion = 200

/** Answers how many heads were looked at. */
export async function checkContents(patient: Patient, damaged: Damaged): Promise<number> {
  const { database, report } = patient
  const heads = await listHeads(database.read)
  const blobs = new Set((await listBlobs(database.read)).map(({ hash }) => hash))
  const task = report.startTask('Contents', heads.length)
  let done = 0
  for (const ofSpace of groupBy(heads, (head) => head.spaceId).values()) {
    await checkSpace(patient, ofSpace, {
      damaged: damaged.get(ofSpace[0]!.organizationId) ?? new Set(),
      blobs,
    })
    task.advance((done += ofSpace.length))
  }
  task.end()
  return heads.length
}

interface Known {
  readonly damaged: ReadonlySet<Hash>
  readonly blobs: ReadonlySet<Hash>
}

async function checkSpace(patient: Patient, heads: readonly Head[], known: Known): Promise<void> {
  const { database, complain } = patient
  const [first] = heads as [Head]
  const { organizationId, spaceId, name: space } = first
  const walk = createWalk(patient, first, known)
  const wanted = new Map<RevisionId, string>(
    heads.map(({ revisionId, name }) => [revisionId, `the head of the ${name}`]),
  )
  for (const { id, as } of await listReferencedRevisions(database.read, { organizationId, spaceId })) {
    if (!wanted.has(id)) wanted.set(id, as)
  }
  const present = new Set<RevisionId>()
  const current: {
    readonly head: Head
    readonly revision: Revision
    readonly unreadable: ReadonlySet<MapName>
  }[] = []
  for await (const rows of walkRevisions(database.read, { organizationId, spaceId })) {
    for (const row of rows) {
      present.add(row.id)
      let revision: Revision
      try {
        revision = toRevision(row)
      } catch (error) {
        if (!(error instanceof ContentDamaged)) throw error
        await complain({ problem: `The ${space}: its revision ${row.id} cannot be read.`, advice: restore })
        continue
      }
      for (const parent of revision.parents)
        if (!wanted.has(parent)) wanted.set(parent, `the parent of revision ${revision.id}`)
      const unreadable = await walk(revision)
      for (const head of heads)
        if (head.revisionId === revision.id) current.push({ head, revision, unreadable })
    }
  }
  for (const [id, as] of wanted) {
    if (present.has(id)) continue
    await complain({ problem: `The ${space}: the revision ${id} is missing, ${as}.`, advice: restore })
  }
  for (const one of current) await checkDerived(patient, one)
}

/** Returns a walk through the revisions of one space that looks at nothing twice; it answers the maps it could not read. */
function createWalk(
  { database, complain }: Patient,
  { organizationId, name: space }: Head,
  { damaged, blobs }: Known,
): (revision: Revision) => Promise<ReadonlySet<MapName>> {
  const seen = new Set<Hash>()
  const unreadableNodes = new Set<Hash>()
  const cache = noObjectCache
  const source = { db: database.read, organizationId, cache }

  async function load(hashes: readonly Hash[]): Promise<readonly (readonly [Hash, MapNode | undefined])[]> {
    try {
      const nodes = await getNodes(source, hashes)
      return hashes.map((hash, index) => [hash, nodes[index]!])
    } catch (error) {
      if (!(error instanceof ContentDamaged)) throw error
      if (hashes.length === 1) return [[hashes[0]!, undefined]]
      const apart: (readonly [Hash, MapNode | undefined])[] = []
      for (const hash of hashes) apart.push(...(await load([hash])))
      return apart
    }
  }

  async function checkLeaves(map: MapName, leaves: readonly Json[], where: string): Promise<void> {
    const texts = new Map<Hash, string>()
    // Nodes are read by hash, so the map's name alone gives the type of its values.
    for (const leaf of leaves) {
      if (map === 'pages') {
        const page = leaf as unknown as PageRecord
        if (page.type === 'document' && page.text !== undefined) texts.set(page.text, `page "${page.path}"`)
      } else if (map === 'names') {
        const entry = leaf as unknown as NameEntry
        if ('text' in entry) texts.set(entry.text, 'a text that is no page')
      } else if (map === 'files') {
        const { hash, path } = leaf as unknown as FileRecord
        if (blobs.has(hash)) continue
        const problem = `The ${space}, ${where}: the bytes of ${path} are not known to the file storage.`
        await complain({ problem, advice: restore })
      }
    }
    const fresh = [...texts.keys()].filter((hash) => !seen.has(hash))
    for (const hash of fresh) seen.add(hash)
    const missing = new Set(await findMissingObjects(database.read, organizationId, fresh))
    for (const hash of fresh) {
      const state = missing.has(hash) ? 'missing' : damaged.has(hash) ? 'damaged' : undefined
      if (state === undefined) continue
      const problem = `The ${space}, ${where}: the text ${hash} of ${texts.get(hash)} is ${state}.`
      await complain({ problem, advice: restore })
    }
  }

  return async ({ id, snapshot }) => {
    const where = `revision ${id}`
    const unreadable = new Set<MapName>()
    for (const map of maps) {
      const root = snapshot[map as keyof Snapshot] as Hash | null
      for (let level = root === null ? [] : [root]; level.length > 0;) {
        if (level.some((hash) => unreadableNodes.has(hash))) unreadable.add(map)
        const fresh = level.filter((hash) => !seen.has(hash))
        for (const hash of fresh) seen.add(hash)
        const below: Hash[] = []
        for (let at = 0; at < fresh.length; at += nodesPerQuestion) {
          for (const [hash, node] of await load(fresh.slice(at, at + nodesPerQuestion))) {
            if (node === undefined) {
              unreadableNodes.add(hash)
              unreadable.add(map)
            } else if (node.level > 0) below.push(...node.entries.map(([, child]) => child as Hash))
            else
              await checkLeaves(
                map,
                node.entries.map(([, value]) => value as Json),
                where,
              )
          }
        }
        level = below
      }
      // What follows from the rest is told of where it is made anew.
      if (unreadable.has(map) && (map === 'pages' || map === 'files' || map === 'names')) {
        await complain({ problem: `The ${space}, ${where}: its map of ${map} is damaged.`, advice: restore })
      }
    }
    return unreadable
  }
}
