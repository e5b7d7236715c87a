/** Lines of a Markdown text, and the prefixes that quotes and lists put before their content. */
import { partitionPoint } from '../binary-search.js'
import type { Span } from '../document/types.js'

/** Returns the offset of the start of every line, ascending. */
export function lineStartsOf(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Returns the line that contains an offset. */
export function findLine(starts: readonly number[], offset: number): number {
  return partitionPoint(starts.length, (line) => starts[line]! <= offset) - 1
}

/** Returns whether a line consists of blanks and quote marks. */
export function isBlankLine(text: string, starts: readonly number[], line: number): boolean {
  return /^[ \t\r\n>]*$/.test(text.slice(starts[line], starts[line + 1] ?? text.length))
}

const prefix =
  /(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|#{1,6}(?=[ \t])|\||\[[ xX]\](?=[ \t])))*[ \t]*/y

/** Returns the length of what comes before the content of a line: indentation, quote marks, markers of lists and headings. */
export function prefixLength(text: string, lineStart: number): number {
  prefix.lastIndex = lineStart
  return prefix.exec(text)![0].length
}

const containers = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])|\[[ xX]\](?=[ \t])))*[ \t]*$/
/** Longer prefixes are not searched, since many blocks may be on one line. */
const maxPrefix = 1000
const noteMark = /^[ \t]*\[\^[^\]\s]+\]:[ \t]*$/

/**
 * Returns what begins the further lines of a block that starts at an offset: the prefix of its line, with blanks instead of
 * list markers; empty where something else comes before the block.
 */
export function continuationPrefix(text: string, blockStart: number): string {
  const before = text.slice(Math.max(0, blockStart - maxPrefix), blockStart)
  const lead = before.slice(before.lastIndexOf('\n') + 1)
  if (lead.length === maxPrefix) return ''
  if (noteMark.test(lead)) return '    '
  if (!containers.test(lead)) return ''
  const marks = lead.replace(/\[[ xX]\][ \t]*/g, '')
  return marks.replace(/[-*+]|\d{1,9}[.)]/g, (marker) => ' '.repeat(marker.length))
}

/** Returns the lines of the source of a block, without the prefix of what contains it, and without line endings. */
export function sourceLines(text: string, { start, end }: Span): string[] {
  const prefix = continuationPrefix(text, start)
  const [first, ...others] = text.slice(start, end).split(/\r?\n/)
  return [first!, ...others.map((line) => line.slice(commonPrefix(line, prefix)))]
}

/** How many characters at the start of a line are the prefix, where a blank may be any blank. */
function commonPrefix(line: string, prefix: string): number {
  const isBlank = (character: string | undefined) => character === ' ' || character === '\t'
  const shortest = Math.min(line.length, prefix.length)
  let length = 0
  while (
    length < shortest &&
    (line[length] === prefix[length] || (isBlank(line[length]) && isBlank(prefix[length])))
  )
    length++
  return length
}
