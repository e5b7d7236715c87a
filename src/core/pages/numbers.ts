/**
 * The numbers that tell equal names apart: `guide`, `guide-1`, `guide-2`. Looking from the first one each time
 * would take the square of the number of equal names.
 */
import type { Step } from '../merkle/types.js'

/** So many are looked at one by one, before whole ranges are passed over. */
const nearby = 8

/**
 * Returns a function that answers the smallest number, from 0, that is free for a name. It remembers the last one
 * of each name: what is taken must stay so.
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
 * Answers a free number, from 0: the smallest one where no free ones lie between taken ones, else one just behind
 * a taken one. The looks grow with the logarithm of the number.
 */
export function* findFreeNumber(isFree: (number: number) => Step<boolean>): Step<number> {
  for (let number = 0; number < nearby; number++) if (yield* isFree(number)) return number
  let taken = nearby - 1
  let free = nearby
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
