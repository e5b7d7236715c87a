/** Captions: block content flattened to inlines. */
import type { Inline } from '../document/types.js'
import type { Node } from './nodes.js'
import type { Reader } from './reader.js'

/** Returns the inlines of all paragraphs in `nodes`, joined by line breaks. */
export function captionOf(nodes: readonly Node[], reader: Reader): readonly Inline[] {
  return trimInlines(reader.inlines(nodes))
}

/** Returns inlines without leading and trailing whitespace and line breaks; anchors among them stay. */
export function trimInlines(inlines: readonly Inline[]): readonly Inline[] {
  let start = 0
  let end = inlines.length
  while (start < end && isInvisible(inlines[start]!)) start++
  while (end > start && isInvisible(inlines[end - 1]!)) end--
  const trimmed = inlines.slice(start, end)
  const first = trimmed[0]
  if (first?.type === 'text') trimmed[0] = { ...first, text: first.text.slice(blanksBefore(first.text)) }
  const last = trimmed.at(-1)
  if (last?.type === 'text') trimmed[trimmed.length - 1] = { ...last, text: trimEnd(last.text) }
  const before = inlines.slice(0, start).filter(isAnchor)
  const after = inlines.slice(end).filter(isAnchor)
  return before.length + after.length === 0 ? trimmed : [...before, ...trimmed, ...after]
}

function isAnchor({ type }: Inline): boolean {
  return type === 'anchor'
}

function isInvisible(inline: Inline): boolean {
  return isAnchor(inline) || isBlank(inline)
}

function isBlank(inline: Inline): boolean {
  return (
    inline.type === 'break' || (inline.type === 'text' && blanksBefore(inline.text) === inline.text.length)
  )
}

function blanksBefore(text: string): number {
  let start = 0
  while (start < text.length && ' \t\r\n'.includes(text[start]!)) start++
  return start
}

/** A pattern anchored at the end would backtrack at every space of a long text. */
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' \t\r\n'.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}
