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
import { decodeNode } from './encoding.js'
import { type ObjectRow, findStored, withBases } from './object-rows.js'
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
      const rows = await withBases(db, direction.from, await selectObjects(db, direction.from, batch))
      for (const hash of rows.keys()) {
        visited.add(hash)
        visitReferences(decodeNode(findStored(rows, direction.from, hash)!.bytes), {
          node: (child) => nodes.push(child),
          leaf: (value) => referenced.push(value),
        })
      }
      await write((tx) => copyRows(tx, batch, direction))
    }
    const leaves = [...new Set(referenced)].filter((hash) => !visited.has(hash) && !copied.has(hash))
    for (const batch of batches(leaves)) await write((tx) => copyTexts(tx, batch, direction))
    for (const hash of leaves) visited.add(hash)
  }
  // At the end: a node whose subtree was not copied completely must be traversed again.
  for (const hash of visited) copied.add(hash)
}

function selectObjects(db: Db, from: OrganizationId, hashes: readonly Hash[]): Promise<ObjectRow[]> {
  return db
    .selectFrom('objects')
    .select(['hash', 'bytes', 'encoding', 'base'])
    .where('organization_id', '=', from)
    .where('hash', 'in', hashes)
    .execute()
}

/** Copies texts, and the bases of those that are deltas. */
async function copyTexts(tx: Tx, hashes: readonly Hash[], direction: CopyDirection): Promise<void> {
  const { from } = direction
  const { rows } = await sql<{ hash: Hash }>`
    with recursive chain (hash, base) as (
      select hash, base from objects
      where organization_id = ${from} and hash in (${sql.join(hashes)}) and base is not null
      union
      select objects.hash, objects.base
      from chain cross join objects where objects.organization_id = ${from} and objects.hash = chain.base
    )
    select distinct base as hash from chain where base is not null`.execute(tx)
  const all = [...new Set([...rows.map(({ hash }) => hash), ...hashes])]
  for (const batch of batches(all)) await copyRows(tx, batch, direction)
}

async function copyRows(tx: Tx, hashes: readonly Hash[], { from, to }: CopyDirection): Promise<void> {
  const list = sql.join(hashes)
  const putAgain = sql`on conflict (organization_id, hash) do update set put_at = excluded.put_at`
  // The base of an existing row may be deleted already: it is replaced, by a row whose base is copied with it.
  await sql`insert into objects (organization_id, hash, bytes, put_at, encoding, base)
    select ${to}, hash, bytes, ${present(tx)}, encoding, base from objects
    where organization_id = ${from} and hash in (${list})
    ${putAgain}, bytes = excluded.bytes, encoding = excluded.encoding, base = excluded.base`.execute(tx)
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
