/**
 * What guards parts of the index: the conditions under which they stand, by a name that follows from them. Whoever
 * searches says which hold; the index judges nothing.
 */
import { createHash } from 'node:crypto'
import { chunks } from '../../core/group.js'
import type { Guard } from '../../core/conditions/guard.js'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import type { Db, Tx } from '../db/database.js'
import type { GuardPlace, IndexPlace } from './engine.js'

/** Hexadecimal digits. */
const nameLength = 20

/** Returns the name of a guard; undefined for one of no conditions. */
export function nameGuard(guard: Guard): string | undefined {
  if (guard.length === 0) return undefined
  return createHash('sha256').update(JSON.stringify(guard)).digest('hex').slice(0, nameLength)
}

/** Begins the words of the vocabulary that stand under a guard; no word of a text begins so. */
export const guardPrefix = (guard: string): string => `\ue006${guard}\ue007`
export const guardPrefixLength = nameLength + 2

/** Returns the prefix of a word that stands under a guard; empty for the others. */
export function prefixOf(word: string): string {
  return word.startsWith('\ue006') ? word.slice(0, guardPrefixLength) : ''
}

/** Keeps guards that come into the index of a space. */
export async function keepGuards(
  tx: Tx,
  { organizationId, spaceId }: IndexPlace,
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

/** Drops those of the guards under which nothing of the space stands any more, as its vocabulary says. */
export async function dropGuards(
  tx: Tx,
  { organizationId, spaceId }: IndexPlace,
  guards: readonly string[],
): Promise<void> {
  for (const part of chunks(guards)) {
    const kept = await tx
      .selectFrom('search_vocabulary')
      .select('word')
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where('word', 'in', part.map(guardPrefix))
      .execute()
    const words = new Set(kept.map(({ word }) => word))
    const gone = part.filter((guard) => !words.has(guardPrefix(guard)))
    if (gone.length === 0) continue
    await tx
      .deleteFrom('search_guards')
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where('id', 'in', gone)
      .execute()
  }
}

export interface KnownGuard extends GuardPlace {
  readonly conditions: Guard
}

/** Returns what guards parts of the spaces, so many at most. */
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
