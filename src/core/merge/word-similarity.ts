/**
 * Word similarity of blocks: their words as bags, and what two bags have in common.
 */

/** Words of a block that are compared. */
const wordLimit = 200
/** A word in more blocks than this does not help to find one of them. */
const rareWordLimit = 8
/** Blocks compared with one block, those with most rare words in common. */
const candidateLimit = 4

/** The number of occurrences of each word. */
export type WordBag = ReadonlyMap<string, number>

export function countWords(text: string): WordBag {
  const counts = new Map<string, number>()
  let wordCount = 0
  for (const [word] of text.matchAll(/\p{Script=Han}|[\p{L}\p{N}]+/gu)) {
    if (wordCount++ === wordLimit) break
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

/** Sørensen–Dice coefficient of two bags of words, 0 to 1. */
export function diceCoefficient(a: WordBag, b: WordBag): number {
  const all = sizeOf(a) + sizeOf(b)
  return all === 0 ? 0 : (2 * sharedCount(a, b)) / all
}

/** The share of a bag's words that another one has, 0 to 1. */
export function containedShare(part: WordBag, whole: WordBag): number {
  return part.size === 0 ? 0 : sharedCount(part, whole) / sizeOf(part)
}

function sharedCount(a: WordBag, b: WordBag): number {
  let shared = 0
  for (const [word, count] of a) shared += Math.min(count, b.get(word) ?? 0)
  return shared
}

function sizeOf(bag: WordBag): number {
  let size = 0
  for (const count of bag.values()) size += count
  return size
}

export interface BestMatch {
  /** Index in the candidates. */
  readonly at: number
  readonly score: number
}

/** Returns for each bag the candidate of greatest score among those that share its rare words. Linear. */
export function findBestMatches(
  bags: readonly WordBag[],
  candidates: readonly WordBag[],
  scoreOf: (bag: number, candidate: number) => number,
): (BestMatch | undefined)[] {
  const occurrences = new Map<string, number[]>()
  for (const [at, candidate] of candidates.entries()) {
    for (const word of candidate.keys()) {
      const found = occurrences.get(word)
      if (found) found.push(at)
      else occurrences.set(word, [at])
    }
  }
  return bags.map((bag, index) => {
    const votes = new Map<number, number>()
    for (const word of bag.keys()) {
      const found = occurrences.get(word)
      if (!found || found.length > rareWordLimit) continue
      for (const at of found) votes.set(at, (votes.get(at) ?? 0) + 1)
    }
    const likely = [...votes].toSorted(([, a], [, b]) => b - a).slice(0, candidateLimit)
    let best: BestMatch | undefined
    for (const [at] of likely) {
      const score = scoreOf(index, at)
      if (score > (best?.score ?? 0)) best = { at, score }
    }
    return best
  })
}
