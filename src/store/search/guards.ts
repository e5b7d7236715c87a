/**
 * Guards: the visibility conditions of parts of the index, identified by their hash. The searching caller passes which
 * guards hold; the index evaluates no conditions.
 */
import { createHash } from 'node:crypto'
import { chunks } from '../../core/group.js'
import type { Guard } from '../../core/conditions/guard.js'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import type { Db, Tx } from '../db/database.js'
import type { GuardRef, IndexedSpace } from './engine.js'

/** Hexadecimal digits. */
const nameLength = 20

/** Returns the id of a guard; undefined for one without conditions. */
export function nameGuard(guard: Guard): string | undefined {
  if (guard.length === 0) return undefined
  return createHash('sha256').update(JSON.stringify(guard)).digest('hex').slice(0, nameLength)
}

/** Prefix of the vocabulary words under a guard; no word of a text begins with it. */
export const guardPrefix = (guard: string): string => `\ue006${guard}\ue007`
export const guardPrefixLength = nameLength + 2

/** Returns the prefix of a word under a guard; empty for other words. */
export function prefixOf(word: string): string {
  return word.startsWith('\ue006') ? word.slice(0, guardPrefixLength) : ''
}

/** Inserts the guards of indexed pages of a space. */
export async function insertGuards(
  tx: Tx,
  { organizationId, spaceId }: IndexedSpace,
  guards: readonly Guard[],
): Promise<void> {
  const rows = new Map(
    guards.map((guard) => {
      const id = nameGuard(guard)!
      return [
        id,
        { organization_id: organizationId, space_id: spaceId, id, conditions: JSON.stringify(guard) },
      ]
    }),
  )
  for (const part of chunks([...rows.values()]))
    await tx
      .insertInto('search_guards')
      .values(part)
      .onConflict((conflict) => conflict.columns(['organization_id', 'space_id', 'id']).doNothing())
      .execute()
}

/** Deletes those of the guards that no word in the vocabulary of the space uses any more. */
export async function deleteUnusedGuards(
  tx: Tx,
  { organizationId, spaceId }: IndexedSpace,
  guards: readonly string[],
): Promise<void> {
  for (const part of chunks(guards)) {
    const used = await tx
      .selectFrom('search_vocabulary')
      .select('word')
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where('word', 'in', part.map(guardPrefix))
      .execute()
    const words = new Set(used.map(({ word }) => word))
    const unused = part.filter((guard) => !words.has(guardPrefix(guard)))
    if (unused.length === 0) continue
    await tx
      .deleteFrom('search_guards')
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where('id', 'in', unused)
      .execute()
  }
}

export interface KnownGuard extends GuardRef {
  readonly conditions: Guard
}

/** Returns the guards of the spaces, at most `limit`. */
export async function listGuards(
  db: Db,
  organizationId: OrganizationId,
  spaceIds: readonly SpaceId[],
  limit: number,
): Promise<readonly KnownGuard[]> {
  const found: KnownGuard[] = []
  for (const part of chunks(spaceIds)) {
    const rows = await db
      .selectFrom('search_guards')
      .select(['space_id', 'id', 'conditions'])
      .where('organization_id', '=', organizationId)
      .where('space_id', 'in', part)
      .orderBy('space_id')
      .orderBy('id')
      .limit(limit - found.length)
      .execute()
    found.push(
      ...rows.map(({ space_id: spaceId, id: guard, conditions }) => {
        return { spaceId, guard, conditions: JSON.parse(conditions) as Guard }
      }),
    )
    if (found.length >= limit) break
  }
  return found
}
