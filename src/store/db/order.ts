/**
 * The place of a row among its siblings, for every `move` and insert: one new position, one written row.
 *
 * Positions are core/order's; siblings with equal positions are told apart by id. Only the neighbours are read,
 * however many siblings there are. When a gap has no room left, those around it are written anew, which takes
 * hundreds of inserts into one gap, or two writers with one thought.
 */
import { sql } from 'kysely'
import type { SelectQueryBuilder } from 'kysely'
import { between, longestPosition, spreadBetween } from '../../core/order/position.js'
import type { Position } from '../../core/order/position.js'

/**
 * The siblings of the row that is placed, itself excluded: one query for each table that they stand in. Each is
 * asked by itself for those nearest to a place, because neither engine surely walks two indexes at once.
 */
export type Siblings = readonly SiblingRows[]

export interface SiblingRows {
  /** Under the names `id` and `position`. */
  readonly rows: SelectQueryBuilder<any, any, Sibling>
  /**
   * The columns before the position in the index of the order. All siblings have one value there, but PostgreSQL
   * does not see that of a column which is null, and would sort them all.
   */
  readonly within: readonly string[]
}

export interface Sibling {
  readonly id: string
  readonly position: string
}

/** Before or after the sibling of an id; `before` counts where both are given, and the end where none is. */
export interface Place {
  readonly before?: string | undefined
  readonly after?: string | undefined
}

/** Where a row goes: between these two neighbours; undefined stands for the open end. */
export interface Gap {
  readonly low: Sibling | undefined
  readonly high: Sibling | undefined
}

type SetPosition = (id: string, position: Position) => Promise<unknown>

/** Answers the neighbours at a place, undefined when the named sibling is none of them. */
export async function findGap(siblings: Siblings, { before, after }: Place): Promise<Gap | undefined> {
  const named = before ?? after
  if (named === undefined) return { low: await findLast(siblings), high: undefined }
  const neighbour = await findSibling(siblings, named)
  if (neighbour === undefined) return undefined
  const [beyond] = await listBeyond(siblings, neighbour, before === undefined ? 'asc' : 'desc', 1)
  return before === undefined ? { low: neighbour, high: beyond } : { low: beyond, high: neighbour }
}

/** Answers a position in the gap; `setPosition` is called for siblings that have to make room. */
export async function placeIn(siblings: Siblings, gap: Gap, setPosition: SetPosition): Promise<Position> {
  const { low, high } = gap
  if (low?.position !== high?.position || low === undefined) {
    const position = between(low?.position ?? null, high?.position ?? null)
    if (position.length <= longestPosition) return position
  }
  return makeRoom(siblings, gap, setPosition)
}

/** Answers the position after all siblings. */
export async function placeLast(siblings: Siblings): Promise<Position> {
  return between((await findLast(siblings))?.position ?? null, null)
}

/** Tells whether a row at this place lies in the gap already. */
export function liesIn({ low, high }: Gap, row: Sibling): boolean {
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

/** The siblings beyond one of them, or from the end that the way comes from; nearest first. */
async function listNearest(
  siblings: Siblings,
  from: Sibling | undefined,
  way: 'asc' | 'desc',
  limit: number,
): Promise<Sibling[]> {
  const found: Sibling[] = []
  for (const { rows, within } of siblings) {
    let query = rows.limit(limit)
    // As one tuple, which an index answers.
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

/** How many siblings on each side of a gap are written anew at first. */
const firstReach = 16

/**
 * Spreads the siblings around the gap between those beyond, so that half of a position's length is free again, and
 * leaves a place in the middle. Takes more of them until there is that much room; all of them always have it.
 */
async function makeRoom(siblings: Siblings, gap: Gap, setPosition: SetPosition): Promise<Position> {
  for (let reach = firstReach; ; reach *= 4) {
    const below = gap.low ? [gap.low, ...(await listBeyond(siblings, gap.low, 'desc', reach))] : []
    const above = gap.high ? [gap.high, ...(await listBeyond(siblings, gap.high, 'asc', reach))] : []
    // The one beyond the reach stays where it is; there is none where the reach holds all.
    const [floor, ceiling] = [below[reach]?.position ?? null, above[reach]?.position ?? null]
    if (floor !== null && floor === ceiling) continue
    const moved = [...below.slice(0, reach).toReversed(), ...above.slice(0, reach)]
    const positions = spreadBetween(floor, ceiling, moved.length + 1)
    const isAll = floor === null && ceiling === null
    if (!isAll && positions.some(({ length }) => length > longestPosition / 2)) continue
    const [position] = positions.splice(Math.min(below.length, reach), 1)
    for (const [at, { id }] of moved.entries()) await setPosition(id, positions[at]!)
    return position!
  }
}
