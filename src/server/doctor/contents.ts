/**
 * Reachability check of the content: walks every revision of every space with its Merkle nodes, texts, uploaded files,
 * parents and merge bases. Then the maps derived from a head's pages and texts are rebuilt and compared; only those can
 * be repaired.
 *
 * A node that revisions share is checked once, so a long history costs what its edits wrote. The hashes of one space's
 * nodes are in memory, about a hundred bytes each.
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
import type { DamagedObjects } from './objects.js'
import { type CheckContext, restoreAdvice } from './check-context.js'

const maps: readonly MapName[] = ['pages', 'order', 'paths', 'files', 'names', 'links']
const nodesPerQuery = 200

/** Returns the number of checked heads. */
export async function checkContents(context: CheckContext, damaged: DamagedObjects): Promise<number> {
  const { database, report } = context
  const heads = await listHeads(database.read)
  const blobs = new Set((await listBlobs(database.read)).map(({ hash }) => hash))
  const task = report.startTask('Contents', heads.length)
  let done = 0
  for (const spaceHeads of groupBy(heads, (head) => head.spaceId).values()) {
    await checkSpace(context, spaceHeads, {
      damaged: damaged.get(spaceHeads[0]!.organizationId) ?? new Set(),
      blobs,
    })
    task.advance((done += spaceHeads.length))
  }
  task.end()
  return heads.length
}

interface ObjectStates {
  readonly damaged: ReadonlySet<Hash>
  readonly blobs: ReadonlySet<Hash>
}

async function checkSpace(
  context: CheckContext,
  heads: readonly Head[],
  states: ObjectStates,
): Promise<void> {
  const { database, reportProblem } = context
  const [first] = heads as [Head]
  const { organizationId, spaceId, name: space } = first
  const walk = createWalk(context, first, states)
  const referenced = new Map<RevisionId, string>(
    heads.map(({ revisionId, name }) => [revisionId, `the head of the ${name}`]),
  )
  for (const { id, as } of await listReferencedRevisions(database.read, { organizationId, spaceId })) {
    if (!referenced.has(id)) referenced.set(id, as)
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
        await reportProblem({
          problem: `The ${space}: its revision ${row.id} cannot be read.`,
          advice: restoreAdvice,
        })
        continue
      }
      for (const parent of revision.parents)
        if (!referenced.has(parent)) referenced.set(parent, `the parent of revision ${revision.id}`)
      const unreadable = await walk(revision)
      for (const head of heads)
        if (head.revisionId === revision.id) current.push({ head, revision, unreadable })
    }
  }
  for (const [id, as] of referenced) {
    if (present.has(id)) continue
    await reportProblem({
      problem: `The ${space}: the revision ${id} is missing, ${as}.`,
      advice: restoreAdvice,
    })
  }
  for (const examined of current) await checkDerived(context, examined)
}

/** Returns a function that checks revisions of one space, no node twice; it resolves to the maps that are unreadable. */
function createWalk(
  { database, reportProblem }: CheckContext,
  { organizationId, name: space }: Head,
  { damaged, blobs }: ObjectStates,
): (revision: Revision) => Promise<ReadonlySet<MapName>> {
  const visited = new Set<Hash>()
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
      const single: (readonly [Hash, MapNode | undefined])[] = []
      for (const hash of hashes) single.push(...(await load([hash])))
      return single
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
        await reportProblem({ problem, advice: restoreAdvice })
      }
    }
    const fresh = [...texts.keys()].filter((hash) => !visited.has(hash))
    for (const hash of fresh) visited.add(hash)
    const missing = new Set(await findMissingObjects(database.read, organizationId, fresh))
    for (const hash of fresh) {
      const state = missing.has(hash) ? 'missing' : damaged.has(hash) ? 'damaged' : undefined
      if (state === undefined) continue
      const problem = `The ${space}, ${where}: the text ${hash} of ${texts.get(hash)} is ${state}.`
      await reportProblem({ problem, advice: restoreAdvice })
    }
  }

  return async ({ id, snapshot }) => {
    const where = `revision ${id}`
    const unreadable = new Set<MapName>()
    for (const map of maps) {
      const root = snapshot[map as keyof Snapshot] as Hash | null
      for (let level = root === null ? [] : [root]; level.length > 0;) {
        if (level.some((hash) => unreadableNodes.has(hash))) unreadable.add(map)
        const fresh = level.filter((hash) => !visited.has(hash))
        for (const hash of fresh) visited.add(hash)
        const below: Hash[] = []
        for (let at = 0; at < fresh.length; at += nodesPerQuery) {
          for (const [hash, node] of await load(fresh.slice(at, at + nodesPerQuery))) {
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
      // Derived maps are reported where they are rebuilt.
      if (unreadable.has(map) && (map === 'pages' || map === 'files' || map === 'names')) {
        await reportProblem({
          problem: `The ${space}, ${where}: its map of ${map} is damaged.`,
          advice: restoreAdvice,
        })
      }
    }
    return unreadable
  }
}
