/**
 * Small reads of objects that wait together ask PostgreSQL one question: what the parts of a page and the requests of many
 * readers want in the same turn of the process. A round trip costs ten times what it costs to read one row more.
 *
 * What is asked is sent after everybody who shares it has asked, so it sees whatever they could know of. Checking what
 * comes back is left to each of them: damage is told to those alone who named it.
 */
import { sql } from 'kysely'
import type { Hash, OrganizationId } from '../../core/ids.js'
import { type Db, engineOf } from '../db/database.js'

export type BytesByHash = ReadonlyMap<Hash, Uint8Array>

/** Questions under way of one organization; who comes while there are so many shares the next. */
const mostUnderWay = 4
/** Hashes of a read that is gathered with others, which would wait for a longer one. */
const longestGathered = 64

interface Gathering {
  readonly hashes: Set<Hash>
  readonly answer: Promise<BytesByHash>
  readonly send: () => Promise<void>
}

interface Queue {
  underWay: number
  /** True while the next question waits for the end of the turn. */
  isLeaving: boolean
  next: Gathering | undefined
}

const queues = new WeakMap<Db, Map<OrganizationId, Queue>>()

/** True where waiting for others pays: on an engine with round trips, outside of a transaction that sees what it wrote. */
export function isGathered(db: Db, hashes: readonly Hash[]): boolean {
  return (
    hashes.length > 0 && hashes.length <= longestGathered && !db.isTransaction && engineOf(db) === 'postgres'
  )
}

/** Answers the bytes of these hashes, and perhaps of others; without those that the organization has not. */
export function gatherBytes(
  db: Db,
  organizationId: OrganizationId,
  hashes: readonly Hash[],
): Promise<BytesByHash> {
  const ofDb = queues.get(db) ?? new Map<OrganizationId, Queue>()
  queues.set(db, ofDb)
  const queue = ofDb.get(organizationId) ?? { underWay: 0, isLeaving: false, next: undefined }
  ofDb.set(organizationId, queue)
  const gathering = (queue.next ??= gather(db, organizationId))
  for (const hash of hashes) gathering.hashes.add(hash)
  leave()
  return gathering.answer

  /** Sends the next question after all that is done in this turn: whatever asks by then asks with it. */
  function leave(): void {
    if (queue.next === undefined || queue.isLeaving || queue.underWay === mostUnderWay) return
    queue.isLeaving = true
    setImmediate(async () => {
      const { send } = queue.next!
      queue.next = undefined
      queue.isLeaving = false
      queue.underWay += 1
      await send()
      queue.underWay -= 1
      if (queue.underWay === 0 && queue.next === undefined) ofDb.delete(organizationId)
      else leave()
    })
  }
}

function gather(db: Db, organizationId: OrganizationId): Gathering {
  const hashes = new Set<Hash>()
  let [resolve, reject] = [(_found: BytesByHash) => {}, (_error: unknown) => {}]
  const answer = new Promise<BytesByHash>((done, failed) => ([resolve, reject] = [done, failed]))
  const send = () => select(db, organizationId, [...hashes]).then(resolve, reject)
  return { hashes, answer, send }
}

async function select(db: Db, organizationId: OrganizationId, hashes: readonly Hash[]): Promise<BytesByHash> {
  const { rows } = await sql<{ hash: Hash; bytes: Uint8Array }>`
    select hash, bytes from objects where organization_id = ${organizationId} and hash = any(${hashes})`.execute(
    db,
  )
  return new Map(rows.map(({ hash, bytes }) => [hash, bytes]))
}
