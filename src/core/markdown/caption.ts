/** Captions: whatever stands in a block that has room for one line only. */
import type { Inline } from '../document/types.js'
import type { Node } from './nest.js'
import type { Reader } from './reader.js'

/** Returns the inlines of all paragraphs in `nodes`, joined by line breaks. */
export function captionOf(nodes: readonly Node[], reader: Reader): readonly Inline[] {
  return trimInlines(reader.inlines(nodes))
}

/** Returns inlines without blank text and line breaks at either end. */
export function trimInlines(inlines: readonly Inline[]): readonly Inline[] {
  const trimmed = [...inlines]
  for (let first = trimmed[0]; first; first = trimmed[0]) {
    const text = first.type === 'text' ? first.text.replace(/^[ \t\r\n]+/, '') : undefined
    if (first.type !== 'break' && text !== '') {
      if (first.type === 'text') trimmed[0] = { ...first, text: text! }
      break
    }
    trimmed.shift()
  }
  for (let last = trimmed.at(-1); last; last = trimmed.at(-1)) {
    const text = last.type === 'text' ? trimEnd(last.text) : undefined
    if (last.type !== 'break' && text !== '') {
      if (last.type === 'text') trimmed[trimmed.length - 1] = { ...last, text: text! }
      break
    }
    trimmed.pop()
  }
  return trimmed
}

/** A pattern anchored at the end would try every blank of a long text. */
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' \t\r\n'.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}
