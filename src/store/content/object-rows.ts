/**
 * Rows of objects with the bases of their deltas: a text may be stored as the difference from an earlier one, which may be
 * a difference itself, up to `maxDeltas` of them.
 */
import { sql } from 'kysely'
import type { Hash, OrganizationId } from '../../core/ids.js'
import type { Db } from '../db/database.js'
import { ContentDamaged, verifyHash } from './content-damaged.js'
import { type StoredForm, maxDeltas, restore } from './stored-form.js'

/** Rows of one object, more than there ever are: damaged rows may refer to each other. */
const maxChain = 4 * maxDeltas

/** An object as it is stored. */
export interface ObjectRow extends StoredForm {
  readonly hash: Hash
}

export interface StoredObject {
  readonly bytes: Uint8Array
  /** Deltas between it and an object that is stored whole. */
  readonly deltas: number
}

/** Adds the bases that rows need, in one query; the rows of most reads need none. */
export async function withBases(
  db: Db,
  organizationId: OrganizationId,
  rows: readonly ObjectRow[],
): Promise<Map<Hash, ObjectRow>> {
  const found = new Map(rows.map((row) => [row.hash, row]))
  const bases = new Set<Hash>()
  for (const { base } of rows) if (base !== null && !found.has(base)) bases.add(base)
  if (bases.size === 0) return found
  const { rows: below } = await sql<ObjectRow>`
    with recursive chain (hash, bytes, encoding, base, depth) as (
      select hash, bytes, encoding, base, 1 from objects
      where organization_id = ${organizationId} and hash in (${sql.join([...bases])})
      union all
      select objects.hash, objects.bytes, objects.encoding, objects.base, chain.depth + 1
      -- A cross join, which SQLite runs from left to right: it would read all objects for each row.
      from chain cross join objects
      where objects.organization_id = ${organizationId} and objects.hash = chain.base
        and chain.depth < ${maxChain}
    )
    select hash, bytes, encoding, base from chain`.execute(db)
  for (const row of below) found.set(row.hash, row)
  return found
}

/** Returns an object of these rows, verified; undefined when they do not have it. */
export function findStored(
  rows: ReadonlyMap<Hash, ObjectRow>,
  organizationId: OrganizationId,
  hash: Hash,
): StoredObject | undefined {
  const row = rows.get(hash)
  if (row === undefined) return undefined
  const chain = [row]
  for (let { base } = row; base !== null;) {
    const below = chain.length > maxChain ? undefined : rows.get(base)
    if (below === undefined) throw new ContentDamaged(organizationId, hash, 'has lost the base of its delta')
    chain.push(below)
    base = below.base
  }
  let bytes: Uint8Array | undefined
  try {
    for (const one of chain.toReversed()) bytes = restore(one, bytes)
  } catch {
    throw new ContentDamaged(organizationId, hash, 'cannot be unpacked')
  }
  verifyHash(organizationId, hash, bytes!)
  return { bytes: bytes!, deltas: chain.length - 1 }
}
