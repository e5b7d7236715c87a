/** Markers of list items: a sign, or a number with one, and the blanks behind it. */

export interface ListMarker {
  readonly text: string
  /** As written; absent in an unordered list. */
  readonly number?: string
  /** The bullet, or what follows the number: lists with different signs are never one. */
  readonly sign: string
}

const marker = /^([-*+]|(\d{1,9})([.)]))[ \t]*/
/** Markers are no longer, with the blanks behind them. */
const maxLength = 20

/** Returns the marker at the start of an item; undefined for one that is written otherwise. */
export function findMarker(text: string, start: number): ListMarker | undefined {
  const found = marker.exec(text.slice(start, start + maxLength))
  if (!found) return undefined
  const [whole, bullet, number, sign] = found
  return number === undefined ? { text: whole, sign: bullet! } : { text: whole, number, sign: sign! }
}

/** Returns the lines of a formatted item with the marker of another one, whose number is `step` less. */
export function markedLike(
  lines: readonly string[],
  sibling: ListMarker | undefined,
  step: number,
): readonly string[] {
  const own = findMarker(lines[0] ?? '', 0)
  if (!sibling || !own) return lines
  const { text, number } = sibling
  const written = number === undefined ? text : String(Number(number) + step) + text.slice(number.length)
  const surplus = own.text.length - written.length
  return [
    written + lines[0]!.slice(own.text.length),
    ...lines.slice(1).map((line) => reindent(line, surplus)),
  ]
}

/** Lines of an item begin where the content of its first line does. */
function reindent(line: string, surplus: number): string {
  if (line === '') return line
  return surplus > 0 ? line.slice(Math.min(surplus, line.search(/\S|$/))) : ' '.repeat(-surplus) + line
}
