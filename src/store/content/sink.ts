/**
 * Where core's edits leave new objects until the transaction writes them, all at once.
 *
 * Putting is free of IO and idempotent; `flush` writes what the database does not have yet, and notes when the rest
 * was put: see collect/objects.ts. Before that, the
 * objects can be read through `run` when the sink is its `pending`.
 */
import type { Hash, OrganizationId } from '../../core/ids.js'
import type { MapNode, Sink, Step } from '../../core/merkle/types.js'
import { putPrecision } from '../files/gc-grace.js'
import { ago, present } from '../db/clock.js'
import type { Database, Db, Tx } from '../db/database.js'
import { nothing } from '../db/hold.js'
import { encodeNode, encodeText, hashOf } from './encoding.js'
import { rememberLinks, rememberNode, rememberText, run } from './objects.js'
import type { ObjectCache, PendingObjects } from './objects.js'
import { putTextLinks, unpackLinks } from './text-links.js'

export interface ObjectSink extends Sink, PendingObjects {
  /** Remembers bytes that may be no text, for example a page file in an unknown encoding. */
  putBytes(bytes: Uint8Array): Hash
  /** Notes what a text says of links, for what is put here: it is written with the text. */
  noteLinks(hash: Hash, packed: Uint8Array): void
  /** Runs a reading step over what was put here and what is there. */
  run<Result>(db: Db, step: Step<Result>): Promise<Result>
  /** Writes what was put and is not there yet; the same again when the transaction runs again. */
  flush(tx: Tx): Promise<void>
  /** Writes what is much before it is flushed, in short transactions: nothing names it yet, and nobody waits for it. */
  stage(database: Database): Promise<void>
}

/** Longest insert, in rows and in bytes: keeps the memory for one statement small. */
const rowsPerInsert = 256
const bytesPerInsert = 4 << 20

/** Answers an empty sink of one organization; what it flushes is left in the cache, to be read soon. */
export function createSink(organizationId: OrganizationId, cache: ObjectCache): ObjectSink {
  const bytesOf = new Map<Hash, Uint8Array>()
  const nodes = new Map<Hash, MapNode>()
  const texts = new Map<Hash, string>()
  /** What is to be written. */
  const waiting = new Map<Hash, Uint8Array>()
  const links = new Map<Hash, Uint8Array>()

  function putBytes(bytes: Uint8Array): Hash {
    const hash = hashOf(bytes)
    bytesOf.set(hash, bytes)
    waiting.set(hash, bytes)
    return hash
  }

  const sink: ObjectSink = {
    run: (db, step) => run(step, { db, organizationId, cache, pending: sink }),
    putNode(node) {
      const hash = putBytes(encodeNode(node))
      nodes.set(hash, node)
      return hash
    },
    putText(text) {
      const hash = putBytes(encodeText(text))
      texts.set(hash, text)
      return hash
    },
    putBytes,
    noteLinks(hash, packed) {
      if (bytesOf.has(hash)) links.set(hash, packed)
    },
    findNode: (hash) => nodes.get(hash),
    findText: (hash) => texts.get(hash),
    async flush(tx) {
      for (const rows of inserts(waiting)) await putRows(tx, organizationId, rows)
      if (links.size > 0) await putTextLinks(tx, organizationId, [...links])
      for (const [hash, node] of nodes) {
        rememberNode(cache, organizationId, hash, node, bytesOf.get(hash)!.length)
      }
      for (const [hash, text] of texts) rememberText(cache, organizationId, hash, text)
      for (const [hash, packed] of links) rememberLinks(cache, organizationId, hash, unpackLinks(packed))
    },
    async stage(database) {
      if (waiting.size <= rowsPerInsert) return
      for (const rows of inserts(waiting)) {
        await database.writeHolding(nothing, (tx) => putRows(tx, organizationId, rows))
        // Otherwise the next one has begun before anybody else is heard.
        await new Promise((resolve) => setImmediate(resolve))
      }
      waiting.clear()
    },
  }
  return sink
}

/**
 * Inserts what is not there, and notes of the rest that it was put again: a collector deletes what nobody names
 * yet by that time. Nothing is locked of what was put a short time ago, so writers who share it do not wait.
 */
async function putRows(
  tx: Tx,
  organizationId: OrganizationId,
  rows: readonly (readonly [Hash, Uint8Array])[],
): Promise<void> {
  const insert = (some: typeof rows) =>
    tx
      .insertInto('objects')
      .values(
        some.map(([hash, bytes]) => ({ organization_id: organizationId, hash, bytes, put_at: present(tx) })),
      )
  const inserted = await insert(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .execute()
  if (inserted.length === rows.length) return
  const isNew = new Set(inserted.map(({ hash }) => hash))
  const known = rows.filter(([hash]) => !isNew.has(hash))
  const recent = await tx
    .selectFrom('objects')
    .select('hash')
    .where('organization_id', '=', organizationId)
    .where(
      'hash',
      'in',
      known.map(([hash]) => hash),
    )
    .where('put_at', '>', ago(tx, putPrecision))
    .execute()
  const isRecent = new Set(recent.map(({ hash }) => hash))
  const old = known.filter(([hash]) => !isRecent.has(hash))
  if (old.length === 0) return
  // With the bytes, because the row may be deleted at this moment: then this waits, and inserts it.
  await insert(old)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'hash'])
        .doUpdateSet({ put_at: (is) => is.ref('excluded.put_at') }),
    )
    .execute()
}

/**
 * Cuts the rows into inserts. Sorted, so that two transactions with the same objects cannot wait for each
 * other; of lengths that are powers of two, so that few statements are ever prepared.
 */
function* inserts(bytesOf: ReadonlyMap<Hash, Uint8Array>): Generator<(readonly [Hash, Uint8Array])[]> {
  const rows = [...bytesOf].toSorted(([a], [b]) => (a < b ? -1 : 1))
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
