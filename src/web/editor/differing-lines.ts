/** The lines from the first to the last in which two texts differ, and what they have in common around them. */

export interface DifferingLines {
  readonly before: string
  readonly ours: string
  readonly theirs: string
  readonly after: string
}

export function differingLines(one: string, other: string): DifferingLines {
  const [ours, theirs] = [linesOf(one), linesOf(other)]
  const shorter = Math.min(ours.length, theirs.length)
  let first = 0
  while (first < shorter && ours[first] === theirs[first]) first++
  let last = 0
  while (last < shorter - first && ours.at(-1 - last) === theirs.at(-1 - last)) last++
  return {
    before: ours.slice(0, first).join(''),
    ours: ours.slice(first, ours.length - last).join(''),
    theirs: theirs.slice(first, theirs.length - last).join(''),
    after: ours.slice(ours.length - last).join(''),
  }
}

const linesOf = (text: string): readonly string[] => text.split(/(?<=\n)/)
