/**
 * Edit distance (Damerau–Levenshtein) of words: insertions, deletions, substitutions and transposed neighbours.
 *
 * A word with one error has an intact half, and one with two mostly an intact beginning or end: so candidates
 * are found by prefixes and suffixes, and need not all be compared.
 */

/** Returns how many errors of a word are tolerated: short words are too similar to each other. */
export function maxErrors(word: string): 0 | 1 | 2 {
  if (word.length >= 8) return 2
  return word.length >= 4 ? 1 : 0
}

/** Returns the length of the prefix or suffix by which a word with few errors is found. */
export function intactLetters(word: string): number {
  return maxErrors(word) === 2 ? Math.max(3, Math.floor(word.length / 3)) : Math.floor(word.length / 2)
}

/** Returns the number of errors between two words, or undefined when there are more than `most`. */
export function editDistance(one: string, other: string, most: number): number | undefined {
  if (Math.abs(one.length - other.length) > most) return undefined
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    let least = row
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      let count = Math.min(last[column]! + 1, next[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1))
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        count = Math.min(count, before[column - 2]! + 1)
      }
      next.push(count)
      least = Math.min(least, count)
    }
    if (least > most) return undefined
    ;[before, last] = [last, next]
  }
  const count = last[other.length]!
  return count <= most ? count : undefined
}

/** Returns the word with its two middle letters transposed, which leaves neither half intact. */
export function swapMiddle(word: string): string {
  const middle = Math.floor(word.length / 2)
  return word.slice(0, middle - 1) + word[middle]! + word[middle - 1]! + word.slice(middle + 1)
}
