/** Positions of the document as offsets of the text, so that the source view has the same cursor: within a block, by words. */
import type { Node as ProseNode } from 'prosemirror-model'
import type { Origins } from './origins.js'

/** Returns the offset in the text of a position; that of the block's start where it came from no text. */
export function offsetOfPosition(doc: ProseNode, position: number, text: string, origins: Origins): number | undefined {
  const $position = doc.resolve(Math.min(position, doc.content.size))
  for (let { depth } = $position; depth > 0; depth--) {
    const block = origins.blockOf($position.node(depth))
    if (!block) continue
    const node = $position.node(depth)
    const { start, end } = block.span
    if (!node.isTextblock) return start
    const before = node.textBetween(0, $position.parentOffset, undefined, ' ')
    return start + sourceLength(text.slice(start, end), before)
  }
  return undefined
}

/** Returns the position of an offset of the text: in the block there, as far as its words go. */
export function positionOfOffset(doc: ProseNode, offset: number, text: string, origins: Origins): number | undefined {
  let found: { readonly node: ProseNode; readonly position: number; readonly start: number } | undefined
  doc.descendants((node, position) => {
    if (!node.isBlock) return false
    const block = origins.blockOf(node)
    if (block && block.span.start <= offset) found = { node, position, start: block.span.start }
    return block === undefined || block.span.end >= offset
  })
  if (!found) return undefined
  const { node, position, start } = found
  if (!node.isTextblock) return position
  const source = text.slice(start, offset)
  const content = node.textBetween(0, node.content.size, undefined, ' ')
  let length = 0
  while (length < content.length && sourceLength(source, content.slice(0, length + 1)) < source.length) length++
  return position + 1 + length
}

/** How much of a source has been read when these characters were: markup between them is passed over. */
function sourceLength(source: string, characters: string): number {
  let at = 0
  for (const character of characters) {
    const next = character === ' ' ? source.slice(at).search(/\s/) : source.indexOf(character, at) - at
    // What is written otherwise, such as an entity, is not found soon.
    if (next >= 0 && next < 80) at += next + character.length
  }
  return Math.min(at, source.length)
}
