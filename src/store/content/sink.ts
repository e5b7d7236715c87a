/**
 * Write buffer of new objects, which core's edits fill until a transaction flushes it.
 *
 * Putting is free of IO and idempotent; `flush` inserts what the database does not have yet, and updates the time of the
 * rest: see collect/objects.ts. Before that, the objects can be read through `run` when the sink is its `pending`.
 */
import type { Hash, OrganizationId } from '../../core/ids.js'
import type { MapNode, Sink, Step } from '../../core/merkle/types.js'
import type { Snapshot } from '../../core/pages/types.js'
import { grace, graceOfSaves, putPrecision } from '../files/gc-grace.js'
import { ago, present } from '../db/clock.js'
import type { Milliseconds } from '../db/columns.js'
import type { Database, Db, Tx } from '../db/database.js'
import { prepared } from '../db/prepared.js'
import { noLocks } from '../db/lock-scope.js'
import { encodeNode, encodeText, hashOf } from './encoding.js'
import { cacheLinks, cacheNode, cacheText, findCachedText, run } from './objects.js'
import type { ObjectCache, PendingObjects } from './objects.js'
import { rootsOf, visitReferences } from './references.js'
import { type StoredForm, encodings, maxDeltas, storeDelta, storeWhole } from './stored-form.js'
import { putTextLinks, decodeLinks } from './text-links.js'

export interface ObjectSink extends Sink, PendingObjects {
  /** Buffers bytes that may not be text, for example a page file in an unknown encoding. */
  putBytes(bytes: Uint8Array): Hash
  /** Buffers the links of a text that is in this sink: they are written with the text. */
  noteLinks(hash: Hash, encoded: Uint8Array): void
  /** Runs a reading step over the buffered and the stored objects. */
  run<Result>(db: Db, step: Step<Result>): Promise<Result>
  /**
   * Writes the objects that are not stored yet; the same again when the transaction is retried. With a snapshot, only
   * those that it reaches: each edit of a batch buffers the nodes of a tree that the next edit replaces.
   */
  flush(tx: Tx, snapshot?: Snapshot, options?: FlushOptions): Promise<void>
  /** Writes many objects before `flush`, in short transactions: they are unreferenced, and do not block other writers. */
  stage(database: Database, snapshot?: Snapshot): Promise<void>
}

export interface FlushOptions {
  /**
   * True for a save that the next one may amend: links of its texts are only cached, and derived again when they are needed;
   * and its objects are collected soon after nothing refers to them, unless another writer puts them again.
   */
  readonly isAmendable?: boolean
}

/** Longest insert, in rows and in bytes: keeps the memory for one statement small. */
const rowsPerInsert = 256
const bytesPerInsert = 4 << 20
/** Most inserts that are sent together; more would be in memory at once. */
const maxTogether = 4

/** Returns an empty sink of one organization; flushed objects are put into the cache, since they are read soon. */
export function createSink(organizationId: OrganizationId, cache: ObjectCache): ObjectSink {
  const bytesOf = new Map<Hash, Uint8Array>()
  const nodes = new Map<Hash, MapNode>()
  const texts = new Map<Hash, string>()
  /** The text that each text replaces. */
  const formerOf = new Map<Hash, Hash>()
  /** How each text is stored, with the number of its deltas; the same when the transaction is retried. */
  const forms = new Map<Hash, StoredForm & { readonly deltas: number }>()
  /** Those that this sink inserted; the form of others is not known. */
  const inserted = new Set<Hash>()
  /** Not written yet. */
  const unwritten = new Map<Hash, Uint8Array>()
  const links = new Map<Hash, Uint8Array>()

  function putBytes(bytes: Uint8Array): Hash {
    const hash = hashOf(bytes)
    bytesOf.set(hash, bytes)
    unwritten.set(hash, bytes)
    return hash
  }

  const sink: ObjectSink = {
    run: (db, step) => run(step, { db, organizationId, cache, pending: sink }),
    putNode(node) {
      const hash = putBytes(encodeNode(node))
      nodes.set(hash, node)
      return hash
    },
    putText(text, former) {
      const hash = putBytes(encodeText(text))
      texts.set(hash, text)
      if (former !== undefined && former !== hash) formerOf.set(hash, former)
      return hash
    },
    putBytes,
    noteLinks(hash, encoded) {
      if (bytesOf.has(hash)) links.set(hash, encoded)
    },
    findNode: (hash) => nodes.get(hash),
    findText: (hash) => texts.get(hash),
    async flush(tx, snapshot, { isAmendable = false } = {}) {
      const isWanted = reachedBy(snapshot)
      inserted.clear()
      const batches = [...inserts(unwritten, isWanted)]
      const ofTexts = [...links].filter(([hash]) => isWanted(hash))
      const writeLinks = async () => {
        if (!isAmendable && ofTexts.length > 0) await putTextLinks(tx, organizationId, ofTexts)
      }
      if (batches.length <= maxTogether) await Promise.all([put(tx, batches, isAmendable), writeLinks()])
      else {
        for (const rows of batches) await put(tx, [rows], isAmendable)
        await writeLinks()
      }
      for (const [hash, node] of nodes) {
        if (isWanted(hash)) cacheNode(cache, organizationId, hash, node, bytesOf.get(hash)!.length)
      }
      for (const [hash, text] of texts) {
        const deltas = inserted.has(hash) ? forms.get(hash)?.deltas : undefined
        if (isWanted(hash)) cacheText(cache, organizationId, hash, { text, deltas })
      }
      for (const [hash, encoded] of ofTexts) cacheLinks(cache, organizationId, hash, decodeLinks(encoded))
    },
    async stage(database, snapshot) {
      if (unwritten.size <= rowsPerInsert) return
      const isWanted = reachedBy(snapshot)
      for (const rows of inserts(unwritten, isWanted)) {
        await database.writeInBulk(noLocks, (tx) => put(tx, [rows]))
        for (const [hash] of rows) unwritten.delete(hash)
        // Otherwise the next transaction would begin before other requests are handled.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
  return sink

  /**
   * Inserts new objects, and updates the time of existing ones, by which garbage collection deletes unreferenced ones. In
   * this order: a writer of the same objects waits for the inserts of another one before it locks anything that exists.
   */
  async function put(tx: Tx, batches: readonly ObjectBatch[], isAmendable = false): Promise<void> {
    const forms = batches.map((rows) => rows.map(([hash, bytes]) => ({ hash, ...formOf(hash, bytes) })))
    const hashes = await Promise.all(
      forms.map((rows) =>
        insertNew(tx, { organizationId, rows, age: isAmendable ? grace - graceOfSaves : 0 }),
      ),
    )
    for (const hash of hashes.flat()) inserted.add(hash)
    for (const [index, rows] of batches.entries()) {
      const isNew = new Set(hashes[index])
      const known = rows.filter(([hash]) => !isNew.has(hash))
      await renew(tx, organizationId, known)
    }
  }

  /** Nodes are stored as they are: most of their bytes are hashes. */
  function formOf(hash: Hash, bytes: Uint8Array): StoredForm {
    if (nodes.has(hash)) return { bytes, encoding: encodings.none, base: null }
    const known = forms.get(hash)
    if (known !== undefined) return known
    const form = deltaOf(hash, bytes) ?? { ...storeWhole(bytes), deltas: 0 }
    forms.set(hash, form)
    return form
  }

  /**
   * Returns a text as a delta from the stored one that it replaces, where that is cached. That text is in a revision on
   * which the writer builds, so garbage collection retains it until this delta refers to it.
   */
  function deltaOf(hash: Hash, bytes: Uint8Array): (StoredForm & { readonly deltas: number }) | undefined {
    let former = formerOf.get(hash)
    const seen = new Set([hash])
    // Texts of this sink may never be written.
    while (former !== undefined && bytesOf.has(former) && !seen.has(former)) {
      seen.add(former)
      former = formerOf.get(former)
    }
    if (former === undefined || bytesOf.has(former)) return undefined
    const known = findCachedText(cache, organizationId, former)
    // Bytes that are not UTF-8 cannot be made from the text again.
    if (known === undefined || known.deltas >= maxDeltas || known.text.includes('\uFFFD')) return undefined
    const form = storeDelta(bytes, former, encodeText(known.text))
    return form && { ...form, deltas: known.deltas + 1 }
  }

  /** Returns whether a buffered object is reached from the snapshot, by way of buffered nodes; all are without one. */
  function reachedBy(snapshot: Snapshot | undefined): (hash: Hash) => boolean {
    if (snapshot === undefined) return () => true
    const reached = new Set<Hash>()
    const pending = rootsOf(snapshot)
    for (let hash = pending.pop(); hash !== undefined; hash = pending.pop()) {
      const node = nodes.get(hash)
      if (node === undefined || reached.has(hash)) continue
      reached.add(hash)
      visitReferences(node, { node: (child) => pending.push(child), leaf: (value) => reached.add(value) })
    }
    return (hash) => reached.has(hash)
  }
}

type ObjectBatch = readonly (readonly [Hash, Uint8Array])[]
type NewObject = StoredForm & { readonly hash: Hash }

interface NewObjects {
  readonly organizationId: OrganizationId
  readonly rows: readonly NewObject[]
  /** How long ago they count as put, for garbage collection. */
  readonly age: Milliseconds
}

/** Inserts the objects that do not exist, and returns them. */
async function insertNew(tx: Tx, { organizationId, rows, age }: NewObjects): Promise<readonly Hash[]> {
  let insert = insertsByLength.get(rows.length)
  if (insert === undefined) insertsByLength.set(rows.length, (insert = prepareInsert(rows.length)))
  const values: Record<string, unknown> = { organizationId, age }
  for (const [index, { hash, bytes, encoding, base }] of rows.entries()) {
    values[`hash${index}`] = hash
    values[`bytes${index}`] = bytes
    values[`encoding${index}`] = encoding
    values[`base${index}`] = base
  }
  return (await insert(tx, values)).rows.map(({ hash }) => hash)
}

/** Few lengths: all are powers of two. */
const insertsByLength = new Map<number, ReturnType<typeof prepareInsert>>()

function prepareInsert(length: number) {
  return prepared<Record<string, any>>()((db, values) =>
    db
      .insertInto('objects')
      .values(
        Array.from({ length }, (_, index) => ({
          organization_id: values['organizationId'],
          hash: values[`hash${index}`],
          bytes: values[`bytes${index}`],
          put_at: ago(db, values['age']),
          encoding: values[`encoding${index}`],
          base: values[`base${index}`],
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning('hash'),
  )
}

/** Updates the time of existing objects. Recently put ones are not locked, so writers that share them do not wait. */
async function renew(tx: Tx, organizationId: OrganizationId, rows: ObjectBatch): Promise<void> {
  if (rows.length === 0) return
  const hashes = rows.map(([hash]) => hash)
  const recent = await tx
    .selectFrom('objects')
    .select('hash')
    .where('organization_id', '=', organizationId)
    .where('hash', 'in', hashes)
    .where('put_at', '>', ago(tx, putPrecision))
    .execute()
  const isRecent = new Set(recent.map(({ hash }) => hash))
  const old = rows.filter(([hash]) => !isRecent.has(hash))
  if (old.length === 0) return
  // With the bytes, because the row may be being deleted: then this statement waits, and inserts it. Whole, because the
  // base of the existing row may be deleted already, and because a new base may itself be a delta from this object.
  const row = (hash: Hash, { bytes, encoding, base }: StoredForm) => {
    return { organization_id: organizationId, hash, bytes, put_at: present(tx), encoding, base }
  }
  await tx
    .insertInto('objects')
    .values(old.map(([hash, bytes]) => row(hash, storeWhole(bytes))))
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'hash']).doUpdateSet({
        put_at: (is) => is.ref('excluded.put_at'),
        bytes: (is) => is.ref('excluded.bytes'),
        encoding: (is) => is.ref('excluded.encoding'),
        base: (is) => is.ref('excluded.base'),
      }),
    )
    .execute()
}

/**
 * Splits the rows into inserts. Sorted, so that two transactions with the same objects cannot deadlock; with lengths that
 * are powers of two, so that few different statements are prepared.
 */
function* inserts(
  bytesOf: ReadonlyMap<Hash, Uint8Array>,
  isWanted: (hash: Hash) => boolean,
): Generator<(readonly [Hash, Uint8Array])[]> {
  const wanted = [...bytesOf].filter(([hash]) => isWanted(hash))
  const rows = wanted.toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (let at = 0; at < rows.length;) {
    let length = Math.min(rowsPerInsert, 2 ** Math.floor(Math.log2(rows.length - at)))
    while (length > 1 && sizeOf(rows.slice(at, at + length)) > bytesPerInsert) length /= 2
    yield rows.slice(at, at + length)
    at += length
  }
}

function sizeOf(rows: readonly (readonly [Hash, Uint8Array])[]): number {
  return rows.reduce((sum, [, bytes]) => sum + bytes.length, 0)
}
