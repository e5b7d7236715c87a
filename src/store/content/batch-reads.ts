/**
 * Request batching (data loader): small reads of objects in the same turn of the event loop, by the parts of a page and by
 * concurrent requests, become one PostgreSQL query. A round trip costs ten times what one more row costs.
 *
 * A query is sent after all callers that share it have called, so it sees every commit that they know of. Each caller
 * verifies its own objects, so a damaged object fails only the callers that requested it.
 */
import { sql } from 'kysely'
import type { Hash, OrganizationId } from '../../core/ids.js'
import { type Db, engineOf } from '../db/database.js'
import { type ObjectRow, withBases } from './object-rows.js'

export type RowsByHash = ReadonlyMap<Hash, ObjectRow>

/** Concurrent queries of one organization; later callers share the next one. */
const maxConcurrentQueries = 4
/** Hashes of one batched read: others in the batch would wait for a longer one. */
const maxBatchedHashes = 64

interface ReadBatch {
  readonly hashes: Set<Hash>
  readonly result: Promise<RowsByHash>
  readonly send: () => Promise<void>
}

interface BatchQueue {
  running: number
  /** True while the next query waits for the end of this turn of the event loop. */
  isScheduled: boolean
  next: ReadBatch | undefined
}

const queues = new WeakMap<Db, Map<OrganizationId, BatchQueue>>()

/** True where batching pays off: on an engine with round trips, outside of a transaction, which sees its own writes. */
export function isBatched(db: Db, hashes: readonly Hash[]): boolean {
  return (
    hashes.length > 0 && hashes.length <= maxBatchedHashes && !db.isTransaction && engineOf(db) === 'postgres'
  )
}

/** Returns the rows of these hashes with their bases, and perhaps others; without those that the organization does not have. */
export function readBatched(
  db: Db,
  organizationId: OrganizationId,
  hashes: readonly Hash[],
): Promise<RowsByHash> {
  const ofDb = queues.get(db) ?? new Map<OrganizationId, BatchQueue>()
  queues.set(db, ofDb)
  const queue = ofDb.get(organizationId) ?? { running: 0, isScheduled: false, next: undefined }
  ofDb.set(organizationId, queue)
  const batch = (queue.next ??= createBatch(db, organizationId))
  for (const hash of hashes) batch.hashes.add(hash)
  schedule()
  return batch.result

  /** Sends the next query at the end of this turn of the event loop, with all reads until then. */
  function schedule(): void {
    if (queue.next === undefined || queue.isScheduled || queue.running === maxConcurrentQueries) return
    queue.isScheduled = true
    setImmediate(async () => {
      const { send } = queue.next!
      queue.next = undefined
      queue.isScheduled = false
      queue.running += 1
      await send()
      queue.running -= 1
      if (queue.running === 0 && queue.next === undefined) ofDb.delete(organizationId)
      else schedule()
    })
  }
}

function createBatch(db: Db, organizationId: OrganizationId): ReadBatch {
  const hashes = new Set<Hash>()
  let [resolve, reject] = [(_found: RowsByHash) => {}, (_error: unknown) => {}]
  const result = new Promise<RowsByHash>((done, failed) => ([resolve, reject] = [done, failed]))
  const send = () => select(db, organizationId, [...hashes]).then(resolve, reject)
  return { hashes, result, send }
}

async function select(db: Db, organizationId: OrganizationId, hashes: readonly Hash[]): Promise<RowsByHash> {
  const { rows } = await sql<ObjectRow>`
    select hash, bytes, encoding, base from objects
    where organization_id = ${organizationId} and hash = any(${hashes})`.execute(db)
  return withBases(db, organizationId, rows)
}
