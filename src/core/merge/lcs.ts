/**
 * Longest common subsequence of two sequences, the base of all diffs and merges of texts.
 *
 * The shortest edit script (Myers) as long as it is cheap; where two sequences differ too much, elements that occur
 * exactly once in both become anchors (patience diff), and each window between two anchors is matched by itself. Work
 * and memory are bounded, so that no text can stall a merge: beyond the bound, elements count as different, which
 * makes the result coarser and never wrong.
 */

/** Steps of one edit script before it is given up: about 20 ms. */
const scriptWork = 4_000_000
/** Longest edit script: its trace takes four bytes times the square of this. */
const scriptLength = 1_500
/** How often a window between anchors may be split again. */
const anchorDepth = 6

interface Window {
  readonly a0: number
  readonly a1: number
  readonly b0: number
  readonly b1: number
  readonly depth: number
}

/** Budget of steps, for one match or for several that share it: about 80 ms. */
export const matchBudget = scriptWork * 4

/** Returns the index in `b` of the equal element matched with each element of `a`, ascending; -1 where there is none. */
export function matchSequences(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  budget: { work: number } = { work: matchBudget },
): Int32Array {
  const partner = new Int32Array(a.length).fill(-1)
  const pending: Window[] = [{ a0: 0, a1: a.length, b0: 0, b1: b.length, depth: 0 }]
  for (let window = pending.pop(); window; window = pending.pop()) {
    let { a0, a1, b0, b1 } = window
    while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) partner[a0++] = b0++
    while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) partner[--a1] = --b1
    if (a0 === a1 || b0 === b1) continue
    const trimmed = { a0, a1, b0, b1, depth: window.depth + 1 }
    const spent = shortestScript(a, b, trimmed, partner, Math.min(budget.work, scriptWork))
    budget.work -= Math.abs(spent)
    if (spent < 0 && window.depth < anchorDepth) pending.push(...splitAtAnchors(a, b, trimmed, partner))
  }
  return partner
}

/** Fills `partner` along a shortest edit script; returns the steps taken, negative when it gave up. */
function shortestScript(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  { a0, a1, b0, b1 }: Window,
  partner: Int32Array,
  work: number,
): number {
  const n = a1 - a0
  const m = b1 - b0
  const longest = Math.min(n + m, scriptLength)
  const reach = new Int32Array(2 * longest + 3)
  const trace: Int32Array[] = []
  let steps = 0
  for (let d = 0; d <= longest; d++) {
    // Row d of the trace is what the diagonals -d..d reached before step d.
    trace.push(reach.slice(longest - d, longest + d + 2))
    for (let k = -d; k <= d; k += 2) {
      if (k > n || k < -m) continue
      const at = longest + k
      let x = k === -d || (k !== d && reach[at - 1]! < reach[at + 1]!) ? reach[at + 1]! : reach[at - 1]! + 1
      if (d === 0) x = 0
      const from = x
      while (x < n && x - k < m && a[a0 + x] === b[b0 + x - k]) x++
      steps += 1 + x - from
      reach[at] = x
      if (x >= n && x - k >= m) {
        backtrack(trace, d, n, m, (x, y) => (partner[a0 + x] = b0 + y))
        return steps
      }
    }
    if (steps > work) return -steps
  }
  return -Math.max(steps, 1)
}

function backtrack(
  trace: readonly Int32Array[],
  length: number,
  n: number,
  m: number,
  match: (x: number, y: number) => void,
): void {
  let x = n
  let y = m
  for (let d = length; d > 0; d--) {
    const row = trace[d]!
    // Row d starts at diagonal -d, so diagonal k is at index k + d.
    const k = x - y
    const down = k === -d || (k !== d && row[k - 1 + d]! < row[k + 1 + d]!)
    const before = down ? k + 1 : k - 1
    const fromX = row[before + d]!
    const fromY = fromX - before
    while (x > fromX && y > fromY) match(--x, --y)
    x = fromX
    y = fromY
  }
  while (x > 0 && y > 0) match(--x, --y)
}

/** Matches the longest ascending run of elements that are unique on both sides; returns the windows between. */
function splitAtAnchors(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  { a0, a1, b0, b1, depth }: Window,
  partner: Int32Array,
): Window[] {
  const inA = uniqueIndices(a, a0, a1)
  const inB = uniqueIndices(b, b0, b1)
  const candidates: [number, number][] = []
  for (let i = a0; i < a1; i++) {
    const j = inB.get(a[i]!)
    if (j !== undefined && j >= 0 && inA.get(a[i]!) === i) candidates.push([i, j])
  }
  const windows: Window[] = []
  let [i0, j0] = [a0, b0]
  for (const [i, j] of longestIncreasingSubsequence(candidates)) {
    partner[i] = j
    windows.push({ a0: i0, a1: i, b0: j0, b1: j, depth })
    ;[i0, j0] = [i + 1, j + 1]
  }
  // Without an anchor nothing was split: trying the same window again would fail again.
  if (windows.length > 0) windows.push({ a0: i0, a1, b0: j0, b1, depth })
  return windows
}

/** Element → its index, or -1 when it occurs more than once. */
function uniqueIndices(values: ArrayLike<number>, from: number, to: number): Map<number, number> {
  const indices = new Map<number, number>()
  for (let i = from; i < to; i++) indices.set(values[i]!, indices.has(values[i]!) ? -1 : i)
  return indices
}

/** Returns the longest subsequence with ascending second members. */
export function longestIncreasingSubsequence(pairs: readonly [number, number][]): [number, number][] {
  const tails: number[] = []
  const before: number[] = []
  pairs.forEach(([, value], index) => {
    let [low, high] = [0, tails.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[tails[middle]!]![1] < value) low = middle + 1
      else high = middle
    }
    before.push(low > 0 ? tails[low - 1]! : -1)
    tails[low] = index
  })
  const run: [number, number][] = []
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index]!) run.push(pairs[index]!)
  return run.toReversed()
}

/** Returns numbers that are equal exactly when the texts are, over all lists passed to one call. */
export function internTexts(...lists: readonly (readonly string[])[]): Int32Array[] {
  const numbers = new Map<string, number>()
  return lists.map((list) =>
    Int32Array.from(list, (text) => {
      const assigned = numbers.get(text)
      if (assigned !== undefined) return assigned
      numbers.set(text, numbers.size)
      return numbers.size - 1
    }),
  )
}
