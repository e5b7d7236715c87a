/**
 * Number suffixes of colliding names: `guide`, `guide-1`, `guide-2`. Searching from the first one each time
 * would be quadratic in the number of equal names.
 */
import type { Step } from '../merkle/types.js'

/** Numbers tried one by one, before the search doubles its step. */
const linearSearchLimit = 8

/**
 * Returns a function that returns the smallest number, from 0, that is free for a name. It caches the last one
 * of each name: taken numbers must stay taken.
 */
export function createNumbering(): (name: string, isFree: (number: number) => boolean) => number {
  const last = new Map<string, number>()
  return (name, isFree) => {
    let number = last.get(name) ?? 0
    while (!isFree(number)) number++
    last.set(name, number)
    return number
  }
}

/**
 * Returns a free number, from 0: the smallest one where no free ones lie between taken ones, else one just behind
 * a taken one. The number of lookups is logarithmic in the result.
 */
export function* findFreeNumber(isFree: (number: number) => Step<boolean>): Step<number> {
  for (let number = 0; number < linearSearchLimit; number++) if (yield* isFree(number)) return number
  let taken = linearSearchLimit - 1
  let free = linearSearchLimit
  while (!(yield* isFree(free))) {
    taken = free
    free *= 2
  }
  while (free - taken > 1) {
    const middle = (taken + free) >> 1
    if (yield* isFree(middle)) free = middle
    else taken = middle
  }
  return free
}
