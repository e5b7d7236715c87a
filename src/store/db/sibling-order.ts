/**
 * Fractional indexing of siblings, for every `move` and insert: one new position, one written row.
 *
 * Positions are those of core/order; siblings with equal positions are ordered by id. Only the neighbours are read,
 * however many siblings there are. When a gap is full, the siblings around it are rebalanced, which takes hundreds of
 * inserts into one gap, or two concurrent writers at the same gap.
 */
import { sql } from 'kysely'
import type { SelectQueryBuilder } from 'kysely'
import { between, maxPositionLength, spreadBetween } from '../../core/order/position.js'
import type { Position } from '../../core/order/position.js'

/**
 * The siblings of the row to be positioned, itself excluded: one query for each table that contains them. Each table is
 * queried separately for the nearest ones, because neither engine reliably merges two indexes.
 */
export type Siblings = readonly SiblingRows[]

export interface SiblingRows {
  /** With the columns `id` and `position`. */
  readonly rows: SelectQueryBuilder<any, any, Sibling>
  /**
   * The columns before the position in the index. They are equal in all siblings, but PostgreSQL does not know that of
   * a null column, and would sort them all.
   */
  readonly within: readonly string[]
}

export interface Sibling {
  readonly id: string
  readonly position: string
}

/** Before or after the sibling of an id; `before` takes precedence; the end when neither is set. */
export interface SiblingPosition {
  readonly before?: string | undefined
  readonly after?: string | undefined
}

/** The gap between two neighbours; undefined is the beginning or the end. */
export interface Gap {
  readonly low: Sibling | undefined
  readonly high: Sibling | undefined
}

type SetPosition = (id: string, position: Position) => Promise<unknown>

/** Returns the gap at a position; undefined when the named sibling does not exist. */
export async function findGap(
  siblings: Siblings,
  { before, after }: SiblingPosition,
): Promise<Gap | undefined> {
  const named = before ?? after
  if (named === undefined) return { low: await findLast(siblings), high: undefined }
  const neighbour = await findSibling(siblings, named)
  if (neighbour === undefined) return undefined
  const [beyond] = await listBeyond(siblings, neighbour, before === undefined ? 'asc' : 'desc', 1)
  return before === undefined ? { low: neighbour, high: beyond } : { low: beyond, high: neighbour }
}

/** Returns a position in the gap; calls `setPosition` for siblings that are rebalanced. */
export async function positionInGap(
  siblings: Siblings,
  gap: Gap,
  setPosition: SetPosition,
): Promise<Position> {
  const { low, high } = gap
  if (low?.position !== high?.position || low === undefined) {
    const position = between(low?.position ?? null, high?.position ?? null)
    if (position.length <= maxPositionLength) return position
  }
  return rebalance(siblings, gap, setPosition)
}

/** Returns a position after all siblings. */
export async function lastPosition(siblings: Siblings): Promise<Position> {
  return between((await findLast(siblings))?.position ?? null, null)
}

/** Returns whether a row is in the gap already. */
export function isInGap({ low, high }: Gap, row: Sibling): boolean {
  return (low === undefined || compare(low, row) < 0) && (high === undefined || compare(row, high) < 0)
}

async function findSibling(siblings: Siblings, id: string): Promise<Sibling | undefined> {
  for (const { rows } of siblings) {
    const found = await rows.where('id', '=', id).executeTakeFirst()
    if (found !== undefined) return found
  }
  return undefined
}

async function findLast(siblings: Siblings): Promise<Sibling | undefined> {
  return (await listNearest(siblings, undefined, 'desc', 1))[0]
}

/** The siblings beyond one of them, nearest first; none beyond the open end. */
async function listBeyond(
  siblings: Siblings,
  from: Sibling | undefined,
  way: 'asc' | 'desc',
  limit: number,
): Promise<Sibling[]> {
  return from === undefined ? [] : listNearest(siblings, from, way, limit)
}

/** The siblings beyond one of them, or from the end opposite to the direction; nearest first. */
async function listNearest(
  siblings: Siblings,
  from: Sibling | undefined,
  way: 'asc' | 'desc',
  limit: number,
): Promise<Sibling[]> {
  const found: Sibling[] = []
  for (const { rows, within } of siblings) {
    let query = rows.limit(limit)
    // Compared as one tuple, which an index supports.
    if (from !== undefined)
      query = query.where(
        sql<boolean>`(position, id) ${sql.raw(way === 'asc' ? '>' : '<')} (${from.position}, ${from.id})`,
      )
    for (const column of [...within, 'position', 'id']) query = query.orderBy(sql.ref(column), way)
    found.push(...(await query.execute()))
  }
  return found.toSorted((a, b) => (way === 'asc' ? compare(a, b) : compare(b, a))).slice(0, limit)
}

/** Byte by byte, as both engines sort. */
function compare(a: Sibling, b: Sibling): number {
  if (a.position !== b.position) return a.position < b.position ? -1 : 1
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1
}

/** Number of siblings on each side of a gap that are rebalanced first. */
const initialReach = 16

/**
 * Redistributes the siblings around the gap, so that half of a position's length is free again, and returns a position
 * in the middle. Includes more of them until that suffices; all of them always do.
 */
async function rebalance(siblings: Siblings, gap: Gap, setPosition: SetPosition): Promise<Position> {
  for (let reach = initialReach; ; reach *= 4) {
    const below = gap.low ? [gap.low, ...(await listBeyond(siblings, gap.low, 'desc', reach))] : []
    const above = gap.high ? [gap.high, ...(await listBeyond(siblings, gap.high, 'asc', reach))] : []
    // The sibling beyond the reach is not moved; there is none where the reach includes all.
    const [floor, ceiling] = [below[reach]?.position ?? null, above[reach]?.position ?? null]
    if (floor !== null && floor === ceiling) continue
    const moved = [...below.slice(0, reach).toReversed(), ...above.slice(0, reach)]
    const positions = spreadBetween(floor, ceiling, moved.length + 1)
    const isAll = floor === null && ceiling === null
    if (!isAll && positions.some(({ length }) => length > maxPositionLength / 2)) continue
    const [position] = positions.splice(Math.min(below.length, reach), 1)
    for (const [at, { id }] of moved.entries()) await setPosition(id, positions[at]!)
    return position!
  }
}
