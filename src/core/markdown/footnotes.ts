/** Footnotes: each body is parsed once, at its first reference, and shared by all references. */
import type { Block } from '../document/types.js'
import type { Footnote, Reader } from './reader.js'
import { blockNodes } from './tokens.js'

/** Returns the body of a footnote, empty inside itself; undefined when it is not defined. */
export function findFootnote(reader: Reader, identifier: string): readonly Block[] | undefined {
  const footnote = reader.footnotes.get(identifier)
  return footnote && readFootnote(reader, footnote)
}

function readFootnote(reader: Reader, footnote: Footnote): readonly Block[] {
  if (footnote.body) return footnote.body
  if (footnote.isOpen) return []
  footnote.isOpen = true
  footnote.body = reader.blocks(blockNodes(reader, footnote.node.children ?? [], footnote.scope))
  return footnote.body
}

/** Parses the unreferenced footnotes: their links count all the same. */
export function readUnreferencedFootnotes(reader: Reader): void {
  for (const footnote of reader.footnotes.values()) {
    if (footnote.body) continue
    const { start, end } = footnote.node.position
    const span = { start: footnote.scope.at(start.offset), end: footnote.scope.at(end.offset) }
    readFootnote(reader, footnote)
    reader.problem('A footnote that nothing refers to: not shown', span)
  }
}
