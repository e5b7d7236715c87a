/** Seeded random numbers: reproducible from a seed. */

export interface Random {
  /** An integer from 0 up to the bound, exclusive. */
  below(bound: number): number
  /** True with this probability in percent. */
  percent(times: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

export function createSeededRandom(seed: number): Random {
  let state = (seed ^ 0x9e3779b9) >>> 0
  // Mulberry32.
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (bound: number): number => next() % bound
  return {
    below,
    percent: (times) => below(100) < times,
    pick: (items) => items[below(items.length)]!,
  }
}
