/** Positions of the document as offsets of the text, so that the source view has the same cursor: within a block, by words. */
import type { Node as ProseNode } from 'prosemirror-model'
import type { Span } from '../../core/document/types.js'
import { maskCharacter, maskUnread, readSource } from '../../core/editing/read-source.js'
import type { Origins } from './origins.js'

/** Returns the offset in the text of a position; that of the block's start where it came from no text. */
export function offsetOfPosition(
  doc: ProseNode,
  position: number,
  text: string,
  origins: Origins,
): number | undefined {
  const $position = doc.resolve(Math.min(position, doc.content.size))
  for (let { depth } = $position; depth > 0; depth--) {
    const block = origins.blockOf($position.node(depth))
    if (!block) continue
    const node = $position.node(depth)
    const { start, end } = block.span
    if (!node.isTextblock) return start
    const before = node.textBetween(0, $position.parentOffset, undefined, ' ')
    return start + readSource(maskUnread(text.slice(start, end)), before).length
  }
  return undefined
}

/** Returns the position of an offset of the text: in the block there, as far as its words go. */
export function positionOfOffset(
  doc: ProseNode,
  offset: number,
  text: string,
  origins: Origins,
): number | undefined {
  const last = Math.min(offset, text.trimEnd().length)
  let found: { readonly node: ProseNode; readonly position: number; readonly span: Span } | undefined
  doc.descendants((node, position) => {
    if (!node.isBlock) return false
    const block = origins.blockOf(node)
    if (block && block.span.start <= last) found = { node, position, span: block.span }
    return block === undefined || block.span.end >= last
  })
  if (!found) return undefined
  const {
    node,
    position,
    span: { start, end },
  } = found
  if (!node.isTextblock) return position
  const source = maskUnread(text.slice(start, end))
  let read = last - start
  while (source[read - 1] === maskCharacter) read--
  const content = node.textBetween(0, node.content.size, undefined, ' ')
  return position + 1 + readSource(source.slice(0, read), content).characters
}
