/**
 * Collects what no revision of an organization names: objects, and the rows that hold uploaded bytes.
 *
 * Mark: every revision is read, and everything its snapshot reaches is remembered. Sweep: what is not, and was last
 * put longer ago than the grace, is deleted, a few hundred at a time. Why no writer can lose anything to it, with
 * no lock and in steps:
 *
 * 1. A revision that is there when the mark begins is read: the order of ids passes over none. Should one have left
 *    meanwhile, `departures` has moved in that transaction, and the mark is thrown away.
 * 2. A revision that comes later names two kinds of things: what its writer put, and what was in a revision that
 *    was there when it was written. The latter is marked, or came later itself, so the same is true of it.
 * 3. What its writer put was put less than six days before its commit. A put notes its time also on what is there
 *    already (sink.ts), so the sweep, which deletes only what was put more than a week before the mark, finds it new.
 * 4. A put and a sweep of one object meet in its row: the later of them waits, and sees what the earlier did. A put
 *    after the sweep inserts it again; a sweep after the put finds its time new.
 *
 * The texts of OpenAPI specifications are named by rows of their own, and marked, too; so are the snapshots that
 * translations were made of.
 *
 * What is missing on the way ends the collection with an error: an organization that is damaged is left as it is.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Hash, OrganizationId, RevisionId } from '../../core/ids.js'
import type { Json } from '../../core/merkle/types.js'
import type { Snapshot } from '../../core/pages/types.js'
import { decodeNode } from '../content/encoding.js'
import { readClock } from '../db/clock.js'
import type { Database, Db } from '../db/database.js'
import { nothing } from '../db/hold.js'
import { countDepartures } from './gc-triggers.js'
import { grace } from '../files/gc-grace.js'
import { type HashSet, createHashSet } from './hash-set.js'

export interface Collection {
  readonly database: Database
  readonly organizationId: OrganizationId
  readonly signal: AbortSignal
}

export interface Collected {
  readonly objects: number
  /** Of the objects. */
  readonly bytes: number
  /** Files that the organization does not hold any more. */
  readonly files: number
}

const revisionsPerQuery = 200
/** Few, because a node takes a quarter of a millisecond to read, and on SQLite nobody else runs meanwhile. */
const nodesPerQuery = 32
const rowsPerStep = 500

/** Deletes what nothing names; undefined when revisions left meanwhile, and it must be begun again. */
export async function collectObjects(collection: Collection): Promise<Collected | undefined> {
  const { database, organizationId } = collection
  const departures = await countDepartures(database.read, organizationId)
  const began = await readClock(database.read)
  const reached = createHashSet()
  const roots = await markRoots(collection, reached)
  roots.push(...(await markMachines(collection, reached)))
  await markSpecifications(collection, reached)
  await markPdfs(collection, reached)
  if ((await countDepartures(database.read, organizationId)) !== departures) return undefined
  await markBelow(collection, roots, reached)
  const objects = await sweep(collection, 'objects', reached, began - grace)
  const files = await sweep(collection, 'blobs', reached, began - grace)
  return { objects: objects.count, bytes: objects.bytes, files: files.count }
}

/** Answers the roots of all snapshots, each once. */
async function markRoots(
  { database, organizationId, signal }: Collection,
  reached: HashSet,
): Promise<Hash[]> {
  const roots: Hash[] = []
  for (let last = '' as RevisionId; ;) {
    signal.throwIfAborted()
    const rows = await database.read
      .selectFrom('revisions')
      .select(['id', 'snapshot'])
      .where('organization_id', '=', organizationId)
      .where('id', '>', last)
      .orderBy('organization_id')
      .orderBy('id')
      .limit(revisionsPerQuery)
      .execute()
    for (const row of rows) {
      roots.push(...markSnapshot(row.snapshot, reached))
    }
    if (rows.length < revisionsPerQuery) return roots
    last = rows.at(-1)!.id
    await nextTurn()
  }
}

/**
 * Answers the roots of what translations were made of, each once. One that comes later names what was put shortly
 * before, and what the one before it or a revision of its source named.
 */
async function markMachines({ database, organizationId }: Collection, reached: HashSet): Promise<Hash[]> {
  const rows = await database.read
    .selectFrom('space_translations')
    .select('machine')
    .where('organization_id', '=', organizationId)
    .execute()
  return rows.flatMap(({ machine }) => markSnapshot(machine, reached))
}

/** Answers the roots of a snapshot that were not reached yet. */
function markSnapshot(snapshot: string, reached: HashSet): Hash[] {
  const { pages, order, paths, files, names, links } = JSON.parse(snapshot) as Snapshot
  const roots = [pages, order, paths, files, names, links]
  return roots.filter((root): root is Hash => root !== null && reached.add(root))
}

/** Marks the texts of OpenAPI specifications: one that comes later was put shortly before its commit, as above. */
async function markSpecifications({ database, organizationId }: Collection, reached: HashSet): Promise<void> {
  const versions = await database.read
    .selectFrom('openapi_spec_versions')
    .select(['hash', 'raw_hash'])
    .where('organization_id', '=', organizationId)
    .execute()
  for (const { hash, raw_hash: raw } of versions) {
    reached.add(hash)
    reached.add(raw)
  }
  const specs = await database.read
    .selectFrom('openapi_specs')
    .select('source_hash')
    .where('organization_id', '=', organizationId)
    .where('source_hash', 'is not', null)
    .execute()
  for (const { source_hash: source } of specs) reached.add(source!)
}

/** Marks the bytes of PDFs that have not expired: one that comes later was put shortly before its commit, too. */
async function markPdfs({ database, organizationId }: Collection, reached: HashSet): Promise<void> {
  const made = await database.read
    .selectFrom('pdfs')
    .select('hash')
    .where('organization_id', '=', organizationId)
    .where('hash', 'is not', null)
    .execute()
  for (const { hash } of made) reached.add(hash!)
}

/** Marks all that is named below nodes; of what a leaf names, whatever may be a hash: texts and files look alike. */
async function markBelow(
  { database, organizationId, signal }: Collection,
  roots: Hash[],
  reached: HashSet,
): Promise<void> {
  const waiting = roots
  while (waiting.length > 0) {
    signal.throwIfAborted()
    const nodes = waiting.splice(-nodesPerQuery)
    const rows = await database.read
      .selectFrom('objects')
      .select('bytes')
      .where('organization_id', '=', organizationId)
      .where('hash', 'in', nodes)
      .execute()
    if (rows.length < nodes.length) {
      throw new Error(`Objects of organization ${organizationId} are missing: nothing is collected there`)
    }
    for (const { bytes } of rows) {
      const { level, entries } = decodeNode(bytes)
      for (const [, value] of entries) {
        if (level === 0) markHashes(value as Json, reached)
        else if (reached.add(value as Hash)) waiting.push(value as Hash)
      }
    }
    await nextTurn()
  }
}

function markHashes(value: Json | undefined, reached: HashSet): void {
  if (typeof value === 'string') {
    if (/^[\w-]{43}$/.test(value)) reached.add(value as Hash)
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) markHashes(inner, reached)
  }
}

/** Deletes the rows of the organization that are not reached and were put before a time. */
async function sweep(
  { database, organizationId, signal }: Collection,
  table: 'objects' | 'blobs',
  reached: HashSet,
  putBefore: number,
): Promise<{ count: number; bytes: number }> {
  const swept = { count: 0, bytes: 0 }
  for (let last = '' as Hash; ;) {
    signal.throwIfAborted()
    const hashes = await listHashes(database.read, table, organizationId, last)
    const unnamed = hashes.filter((hash) => !reached.has(hash))
    if (unnamed.length > 0) {
      const size = table === 'objects' ? sql<number>`length(bytes)` : sql<number>`size`
      const gone = await database.writeHolding(nothing, (tx) =>
        tx
          .deleteFrom(table)
          .where('organization_id', '=', organizationId)
          .where('hash', 'in', unnamed)
          .where('put_at', '<', putBefore)
          .returning(size.as('size'))
          .execute(),
      )
      swept.count += gone.length
      for (const row of gone) swept.bytes += row.size
    }
    if (hashes.length < rowsPerStep) return swept
    last = hashes.at(-1)!
    await nextTurn()
  }
}

/** From the key alone: the rows themselves hold what was stored. */
async function listHashes(
  db: Db,
  table: 'objects' | 'blobs',
  organizationId: OrganizationId,
  after: Hash,
): Promise<Hash[]> {
  const rows = await db
    .selectFrom(table)
    .select('hash')
    .where('organization_id', '=', organizationId)
    .where('hash', '>', after)
    .orderBy('organization_id')
    .orderBy('hash')
    .limit(rowsPerStep)
    .execute()
  return rows.map(({ hash }) => hash)
}
