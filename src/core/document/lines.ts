/** Line numbers of offsets in a text, for error messages. */
import { partitionPoint } from '../binary-search.js'

/** Returns a function from an offset to its line, from 1; the text is scanned lazily. */
export function lineLookup(text: string): (offset: number) => number {
  const starts = [0]
  const end = /\r\n?|\n/g
  let isRead = false

  function readTo(offset: number): void {
    while (!isRead && starts.at(-1)! <= offset) {
      if (end.test(text)) starts.push(end.lastIndex)
      else isRead = true
    }
  }

  return (offset) => {
    readTo(offset)
    return partitionPoint(starts.length, (line) => starts[line]! <= offset)
  }
}
