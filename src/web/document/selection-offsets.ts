/** Positions of the document as offsets of the text, so that the source view has the same cursor: within a block, by words. */
import type { Node as ProseNode } from 'prosemirror-model'
import type { Span } from '../../core/document/types.js'
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

/** Markup between two characters is no longer, apart from destinations and elements. */
const maxMarkup = 80
/** Destinations of links and images, and tags of elements: no character of the content is in them. */
const unread = /\]\([^()\n]*\)|<\/?[A-Za-z][^<>]*>/g
/** An address in angle brackets is read. */
const autolink = /^<[A-Za-z][A-Za-z\d+.-]*:/
const maskCharacter = '\0'

const maskUnread = (source: string): string =>
  source.replace(unread, (whole) => (autolink.test(whole) ? whole : maskCharacter.repeat(whole.length)))

/** Reads characters in their masked source, over the markup between them, until one of the two ends; returns how far it got. */
function readSource(
  source: string,
  characters: string,
): { readonly length: number; readonly characters: number } {
  let length = 0
  let count = 0
  for (const character of characters) {
    if (length >= source.length) break
    const window = source.slice(length, markupEnd(source, length))
    const next = character === ' ' ? window.search(/\s/) : window.indexOf(character)
    // What is written otherwise, such as an entity, is not found.
    if (next >= 0) length += next + character.length
    count += character.length
  }
  return { length, characters: count }
}

/** Returns where markup that begins at an offset ends at the latest. */
function markupEnd(source: string, start: number): number {
  const limit = start + maxMarkup
  let end = source.indexOf(maskCharacter, start)
  if (end < 0 || end >= limit) return limit
  while (source[end] === maskCharacter) end++
  return end + maxMarkup
}
