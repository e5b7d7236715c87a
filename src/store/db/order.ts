/**
 * The place of a row among its siblings, for every `move` and insert: one new position, one written row.
 *
 * Positions are core/order's; siblings with equal positions are told apart by id. When a gap has no room left,
 * all siblings are written anew, which takes thousands of inserts into one gap, or two writers with one thought.
 */
import type { SelectQueryBuilder } from 'kysely'
import { between, longestPosition, spread } from '../../core/order/position.js'
import type { Position } from '../../core/order/position.js'

/** The siblings of the row that is placed, itself excluded, under the names `id` and `position`. */
export type Siblings = SelectQueryBuilder<any, any, { id: string; position: string }>

/** Before or after the sibling of an id; `before` counts where both are given, and the end where none is. */
export interface Place {
  readonly before?: string | undefined
  readonly after?: string | undefined
}

/**
 * Answers the position that puts a row there, undefined when the named sibling is none of them.
 * `setPosition` is called for siblings that have to make room.
 */
export async function placeAmong(
  siblings: Siblings,
  { before, after }: Place,
  setPosition: (id: string, position: Position) => Promise<unknown>,
): Promise<Position | undefined> {
  const named = before ?? after
  if (named === undefined) {
    const last = await ordered(siblings, 'desc').executeTakeFirst()
    const position = between(last?.position ?? null, null)
    return position.length > longestPosition ? makeRoom(siblings, undefined, setPosition) : position
  }
  const neighbour = await siblings.where('id', '=', named).executeTakeFirst()
  if (!neighbour) return undefined
  const beyond = await beside(siblings, neighbour, before === undefined ? 'asc' : 'desc').executeTakeFirst()
  const [low, high] = before === undefined ? [neighbour, beyond] : [beyond, neighbour]
  if (low?.position !== high?.position) {
    const position = between(low?.position ?? null, high?.position ?? null)
    if (position.length <= longestPosition) return position
  }
  return makeRoom(siblings, low?.id ?? null, setPosition)
}

/** Answers the position after all siblings. */
export async function placeLast(siblings: Siblings): Promise<Position> {
  const last = await ordered(siblings, 'desc').executeTakeFirst()
  return between(last?.position ?? null, null)
}

function ordered(siblings: Siblings, direction: 'asc' | 'desc'): Siblings {
  return siblings.orderBy('position', direction).orderBy('id', direction)
}

/** The siblings beyond one of them, nearest first. */
function beside(siblings: Siblings, { id, position }: { id: string; position: string }, way: 'asc' | 'desc') {
  const comparison = way === 'asc' ? '>' : '<'
  return ordered(
    siblings.where((is) =>
      is.or([is('position', comparison, position), is('position', '=', position).and('id', comparison, id)]),
    ),
    way,
  ).limit(1)
}

/** Spreads the siblings and leaves a gap behind `low`: null is the start, undefined the end. */
async function makeRoom(
  siblings: Siblings,
  low: string | null | undefined,
  setPosition: (id: string, position: Position) => Promise<unknown>,
): Promise<Position> {
  const all = await ordered(siblings, 'asc').execute()
  const gap = low === undefined ? all.length : all.findIndex(({ id }) => id === low) + 1
  const positions = spread(all.length + 1)
  const [position] = positions.splice(gap, 1)
  for (const [at, { id }] of all.entries()) await setPosition(id, positions[at]!)
  return position!
}
