/**
 * Mark-and-sweep garbage collection of objects, and of the rows that reference uploaded files.
 *
 * Mark: reads every revision of the organization, and marks all that its snapshot reaches. Sweep: deletes what is not
 * marked and was last put longer ago than the grace period, a few hundred at a time. Why this is safe with concurrent
 * writers and without locks:
 *
 * 1. A revision that exists when the mark begins is read: the order of ids skips none. If one was removed meanwhile,
 *    `departures` was incremented in that transaction, and the mark is discarded.
 * 2. A later revision references two kinds of objects: those that its writer put, and those of a revision that existed
 *    when it was written. The latter are marked, or their revision is a later one itself, and the same applies.
 * 3. Its writer put its objects less than six days before its commit. A put updates the time of existing objects as well
 *    (sink.ts), so the sweep, which deletes only what was put more than a week before the mark, retains them.
 *    Saves that amend a revision put and commit in one transaction: they record an earlier time, so that what they replaced
 *    is collected after a day. That is longer than a collection runs and than a deleted revision is cached, and a put by
 *    another writer, more than a day later by that record, updates the time.
 * 4. A put and a sweep of one object conflict in its row: the second one waits, and sees the result of the first. A put
 *    after the sweep inserts it again; a sweep after the put sees its new time.
 *
 * The base of a delta is referenced by its row, not by nodes: of every delta that the sweep retains, marked or put
 * recently, the base is marked as well. A delta is only written from an object of the second kind, and a repeated put of an
 * old one stores it whole, so no later row refers to a base that was not marked.
 *
 * The texts of OpenAPI specifications are referenced by their own rows, and marked as well; so are the snapshots of
 * translations.
 *
 * A missing object aborts the collection with an error: a damaged organization is not changed.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Hash, OrganizationId, RevisionId } from '../../core/ids.js'
import type { Snapshot } from '../../core/pages/types.js'
import { decodeNode } from '../content/encoding.js'
import { rootsOf, visitReferences } from '../content/references.js'
import { restore } from '../content/stored-form.js'
import { readClock } from '../db/clock.js'
import type { Database, Db } from '../db/database.js'
import { noLocks } from '../db/lock-scope.js'
import { countDepartures } from './gc-triggers.js'
import { grace } from '../files/gc-grace.js'
import { type HashSet, createHashSet } from './hash-set.js'

export interface GarbageCollection {
  readonly database: Database
  readonly organizationId: OrganizationId
  readonly signal: AbortSignal
}

export interface CollectionResult {
  readonly objects: number
  /** Total size of the objects. */
  readonly bytes: number
  /** Files that the organization does not reference any more. */
  readonly files: number
  /** Unreferenced objects and files that were put too recently. */
  readonly left: number
}

const revisionsPerQuery = 200
/** Few, because a node takes a quarter of a millisecond to read, which blocks the event loop on SQLite. */
const nodesPerQuery = 32
const rowsPerStep = 500

/** Deletes unreferenced objects; returns undefined when revisions were removed meanwhile, and it must be repeated. */
export async function collectObjects(collection: GarbageCollection): Promise<CollectionResult | undefined> {
  const { database, organizationId } = collection
  const departures = await countDepartures(database.read, organizationId)
  const began = await readClock(database.read)
  const marked = createHashSet()
  const roots = await markRoots(collection, marked)
  roots.push(...(await markTranslations(collection, marked)))
  await markSpecifications(collection, marked)
  await markPdfs(collection, marked)
  if ((await countDepartures(database.read, organizationId)) !== departures) return undefined
  await markReachable(collection, roots, marked)
  await markBases(collection, marked, began - grace)
  const objects = await sweep(collection, 'objects', marked, began - grace)
  const files = await sweep(collection, 'blobs', marked, began - grace)
  return { objects: objects.count, bytes: objects.bytes, files: files.count, left: objects.left + files.left }
}

/** Returns the roots of all snapshots, each once. */
async function markRoots(
  { database, organizationId, signal }: GarbageCollection,
  marked: HashSet,
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
      roots.push(...markSnapshot(row.snapshot, marked))
    }
    if (rows.length < revisionsPerQuery) return roots
    last = rows.at(-1)!.id
    await nextTurn()
  }
}

/**
 * Returns the roots of the snapshots of translations, each once. A later one references objects put shortly before, and
 * those of its predecessor or of a revision of its source.
 */
async function markTranslations(
  { database, organizationId }: GarbageCollection,
  marked: HashSet,
): Promise<Hash[]> {
  const rows = await database.read
    .selectFrom('space_translations')
    .select('machine')
    .where('organization_id', '=', organizationId)
    .execute()
  return rows.flatMap(({ machine }) => markSnapshot(machine, marked))
}

/** Returns the roots of a snapshot that were not marked yet. */
function markSnapshot(snapshot: string, marked: HashSet): Hash[] {
  return rootsOf(JSON.parse(snapshot) as Snapshot).filter((root) => marked.add(root))
}

/** Marks the texts of OpenAPI specifications: a later one was put shortly before its commit, as above. */
async function markSpecifications(
  { database, organizationId }: GarbageCollection,
  marked: HashSet,
): Promise<void> {
  const versions = await database.read
    .selectFrom('openapi_spec_versions')
    .select(['hash', 'raw_hash'])
    .where('organization_id', '=', organizationId)
    .execute()
  for (const { hash, raw_hash: raw } of versions) {
    marked.add(hash)
    marked.add(raw)
  }
  const specs = await database.read
    .selectFrom('openapi_specs')
    .select('source_hash')
    .where('organization_id', '=', organizationId)
    .where('source_hash', 'is not', null)
    .execute()
  for (const { source_hash: source } of specs) marked.add(source!)
}

/** Marks the bytes of PDFs that have not expired: a later one was put shortly before its commit, too. */
async function markPdfs({ database, organizationId }: GarbageCollection, marked: HashSet): Promise<void> {
  const made = await database.read
    .selectFrom('pdfs')
    .select('hash')
    .where('organization_id', '=', organizationId)
    .where('hash', 'is not', null)
    .execute()
  for (const { hash } of made) marked.add(hash!)
}

/** Marks all that is reachable from nodes; in leaves every string that may be a hash, since texts and files look alike. */
async function markReachable(
  { database, organizationId, signal }: GarbageCollection,
  roots: Hash[],
  marked: HashSet,
): Promise<void> {
  const pending = roots
  while (pending.length > 0) {
    signal.throwIfAborted()
    const nodes = pending.splice(-nodesPerQuery)
    const rows = await database.read
      .selectFrom('objects')
      .select(['hash', 'bytes', 'encoding', 'base'])
      .where('organization_id', '=', organizationId)
      .where('hash', 'in', nodes)
      .execute()
    if (rows.length < nodes.length) {
      throw new Error(`Objects of organization ${organizationId} are missing: nothing is collected there`)
    }
    for (const row of rows) {
      visitReferences(decodeNode(restore(row, undefined)), {
        node: (hash) => void (marked.add(hash) && pending.push(hash)),
        leaf: (hash) => marked.add(hash),
      })
    }
    await nextTurn()
  }
}

/** Marks the bases of all deltas that the sweep retains, and theirs. */
async function markBases(
  { database, organizationId, signal }: GarbageCollection,
  marked: HashSet,
  putBefore: number,
): Promise<void> {
  const deltas = database.read
    .selectFrom('objects')
    .select(['hash', 'base', 'put_at'])
    .where('organization_id', '=', organizationId)
    .where('base', 'is not', null)
  for (let last = '' as Hash; ;) {
    signal.throwIfAborted()
    const rows = await deltas
      .where('hash', '>', last)
      .orderBy('organization_id')
      .orderBy('hash')
      .limit(rowsPerStep)
      .execute()
    let bases = rows.flatMap(({ hash, base, put_at: putAt }) =>
      (putAt >= putBefore || marked.has(hash)) && marked.add(base!) ? [base!] : [],
    )
    while (bases.length > 0) {
      const below = await deltas.where('hash', 'in', bases).execute()
      bases = below.flatMap(({ base }) => (marked.add(base!) ? [base!] : []))
    }
    if (rows.length < rowsPerStep) return
    last = rows.at(-1)!.hash
    await nextTurn()
  }
}

/** Deletes the rows of the organization that are not marked and were put before a time. */
async function sweep(
  { database, organizationId, signal }: GarbageCollection,
  table: 'objects' | 'blobs',
  marked: HashSet,
  putBefore: number,
): Promise<{ count: number; bytes: number; left: number }> {
  const swept = { count: 0, bytes: 0, left: 0 }
  for (let last = '' as Hash; ;) {
    signal.throwIfAborted()
    const hashes = await listHashes(database.read, table, organizationId, last)
    const unreferenced = hashes.filter((hash) => !marked.has(hash))
    if (unreferenced.length > 0) {
      const size = table === 'objects' ? sql<number>`length(bytes)` : sql<number>`size`
      const deleted = await database.writeInBulk(noLocks, (tx) =>
        tx
          .deleteFrom(table)
          .where('organization_id', '=', organizationId)
          .where('hash', 'in', unreferenced)
          .where('put_at', '<', putBefore)
          .returning(size.as('size'))
          .execute(),
      )
      swept.count += deleted.length
      swept.left += unreferenced.length - deleted.length
      for (const row of deleted) swept.bytes += row.size
    }
    if (hashes.length < rowsPerStep) return swept
    last = hashes.at(-1)!
    await nextTurn()
  }
}

/** Reads only the key: the rows contain the stored bytes. */
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
