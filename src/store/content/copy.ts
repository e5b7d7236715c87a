/**
 * Copies everything reachable from snapshots to another organization: nodes, texts, and references to uploaded files.
 *
 * Objects belong to an organization, so they are copied when a space is transferred. Every string of a leaf that looks
 * like a hash is tried; most are texts or files, and unknown hashes copy nothing. Bytes stay in the database.
 */
import { sql } from 'kysely'
import type { Hash, OrganizationId } from '../../core/ids.js'
import type { Snapshot } from '../../core/pages/types.js'
import { present } from '../db/clock.js'
import type { Db, Tx } from '../db/database.js'
import { verifyHash } from './content-damaged.js'
import { decodeNode } from './encoding.js'
import { rootsOf, visitReferences } from './references.js'

interface CopyDirection {
  readonly from: OrganizationId
  readonly to: OrganizationId
}

const hashesPerQuery = 500

/** Runs the copies in one transaction, or in several short ones. */
export interface CopyExecutor {
  readonly db: Db
  write(work: (tx: Tx) => Promise<void>): Promise<void>
}

/** Copies what is not in `copied`, and adds it: for a node in it, everything below is in it too. */
export async function copySnapshots(
  { db, write }: CopyExecutor,
  snapshots: readonly Snapshot[],
  direction: CopyDirection,
  copied: Set<Hash>,
): Promise<void> {
  const visited = new Set<Hash>()
  let nodes: Hash[] = snapshots.flatMap(rootsOf)
  while (nodes.length > 0) {
    const fresh = [...new Set(nodes)].filter((hash) => !visited.has(hash) && !copied.has(hash))
    const referenced: Hash[] = []
    nodes = []
    for (const batch of batches(fresh)) {
      for (const { hash, bytes } of await selectObjects(db, direction.from, batch)) {
        verifyHash(direction.from, hash, bytes)
        visited.add(hash)
        visitReferences(decodeNode(bytes), {
          node: (child) => nodes.push(child),
          leaf: (value) => referenced.push(value),
        })
      }
      await write((tx) => copyRows(tx, batch, direction))
    }
    const leaves = [...new Set(referenced)].filter((hash) => !visited.has(hash) && !copied.has(hash))
    for (const batch of batches(leaves)) await write((tx) => copyRows(tx, batch, direction))
    for (const hash of leaves) visited.add(hash)
  }
  // At the end: a node whose subtree was not copied completely must be traversed again.
  for (const hash of visited) copied.add(hash)
}

function selectObjects(db: Db, from: OrganizationId, hashes: readonly Hash[]) {
  return db
    .selectFrom('objects')
    .select(['hash', 'bytes'])
    .where('organization_id', '=', from)
    .where('hash', 'in', hashes)
    .execute()
}

async function copyRows(tx: Tx, hashes: readonly Hash[], { from, to }: CopyDirection): Promise<void> {
  const list = sql.join(hashes)
  const putAgain = sql`on conflict (organization_id, hash) do update set put_at = excluded.put_at`
  await sql`insert into objects (organization_id, hash, bytes, put_at)
    select ${to}, hash, bytes, ${present(tx)} from objects where organization_id = ${from} and hash in (${list})
    ${putAgain}`.execute(tx)
  await sql`insert into text_links (organization_id, hash, version, links)
    select ${to}, hash, version, links from text_links where organization_id = ${from} and hash in (${list})
    on conflict (organization_id, hash) do nothing`.execute(tx)
  await sql`insert into blobs (organization_id, hash, size, created_at, put_at)
    select ${to}, hash, size, created_at, ${present(tx)} from blobs
    where organization_id = ${from} and hash in (${list})
    ${putAgain}`.execute(tx)
}

function* batches(hashes: readonly Hash[]): Generator<readonly Hash[]> {
  for (let at = 0; at < hashes.length; at += hashesPerQuery) yield hashes.slice(at, at + hashesPerQuery)
}
