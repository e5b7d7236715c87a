/**
 * Copies what snapshots reach from one organization to another: nodes, texts, and which uploaded bytes are held.
 *
 * Objects belong to an organization, so a space that changes hands takes its own along. Whatever is named like an
 * object in a leaf is tried; most are texts or files, and names of nothing copy nothing. Bytes stay in the database.
 */
import { sql } from 'kysely'
import type { Hash, OrganizationId } from '../../core/ids.js'
import type { Json } from '../../core/merkle/types.js'
import type { Snapshot } from '../../core/pages/types.js'
import { present } from '../db/clock.js'
import type { Db, Tx } from '../db/database.js'
import { requireWhole } from './damaged.js'
import { decodeNode } from './encoding.js'

interface Ways {
  readonly from: OrganizationId
  readonly to: OrganizationId
}

const hashesPerQuery = 500

/** How rows are copied: inside of a transaction, or in short ones. */
export interface Copying {
  readonly db: Db
  write(work: (tx: Tx) => Promise<void>): Promise<void>
}

/** Copies what is not among `copied`, and adds it there: of a node that is, all below is there too. */
export async function copySnapshots(
  { db, write }: Copying,
  snapshots: readonly Snapshot[],
  ways: Ways,
  copied: Set<Hash>,
): Promise<void> {
  const seen = new Set<Hash>()
  let nodes = snapshots.flatMap(({ pages, order, paths, files, names, links }) =>
    [pages, order, paths, files, names, links].filter((root) => root !== null),
  )
  while (nodes.length > 0) {
    const fresh = [...new Set(nodes)].filter((hash) => !seen.has(hash) && !copied.has(hash))
    const named: Hash[] = []
    nodes = []
    for (const part of parts(fresh)) {
      for (const { hash, bytes } of await selectObjects(db, ways.from, part)) {
        requireWhole(ways.from, hash, bytes)
        seen.add(hash)
        const node = decodeNode(bytes)
        if (node.level > 0) nodes.push(...node.entries.map(([, child]) => child as Hash))
        else for (const [, value] of node.entries) collectHashes(value as Json, named)
      }
      await write((tx) => copyRows(tx, part, ways))
    }
    const leaves = [...new Set(named)].filter((hash) => !seen.has(hash) && !copied.has(hash))
    for (const part of parts(leaves)) await write((tx) => copyRows(tx, part, ways))
    for (const hash of leaves) seen.add(hash)
  }
  // Only now: a node whose inside was not copied to its end must be walked again.
  for (const hash of seen) copied.add(hash)
}

function selectObjects(db: Db, from: OrganizationId, hashes: readonly Hash[]) {
  return db
    .selectFrom('objects')
    .select(['hash', 'bytes'])
    .where('organization_id', '=', from)
    .where('hash', 'in', hashes)
    .execute()
}

async function copyRows(tx: Tx, hashes: readonly Hash[], { from, to }: Ways): Promise<void> {
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

function collectHashes(value: Json | undefined, into: Hash[]): void {
  if (typeof value === 'string') {
    if (/^[\w-]{43}$/.test(value)) into.push(value as Hash)
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) collectHashes(inner, into)
  }
}

function* parts(hashes: readonly Hash[]): Generator<readonly Hash[]> {
  for (let at = 0; at < hashes.length; at += hashesPerQuery) yield hashes.slice(at, at + hashesPerQuery)
}
