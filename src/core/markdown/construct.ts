/** Dialect constructs: the interface between the parser and the meaning of one tag; independent of Markdown. */
import type { Block, Span } from '../document/types.js'
import type { Node, TagNode } from './nodes.js'
import type { Reader } from './reader.js'

export interface Construct {
  /** How the tag ends without an end tag; absent for parts of other tags and for those that contain what follows. */
  readonly ending?: 'alone' | 'next block'
  /** The required parent tag. */
  readonly inside?: string
  /** Returns the blocks of the tag with its content. */
  readonly read: (node: TagNode, reader: Reader) => readonly Block[]
}

/**
 * Returns the child tags called `name`. No content may be lost: content between them is appended to the preceding
 * one, and content before the first is returned as blocks to render before the whole, whose span then begins with
 * the first.
 */
export function readParts(
  node: TagNode,
  name: string,
  reader: Reader,
): { parts: readonly TagNode[]; others: readonly Block[]; span: Span } {
  const parts: TagNode[] = []
  const rows: Node[][] = []
  const before: Node[] = []
  for (const child of node.children) {
    if (child.kind === 'tag' && child.tag.name === name && child.isClosed) {
      warnUnended(child, reader)
      parts.push(child)
      rows.push([...child.children])
      continue
    }
    if (child.kind === 'text' && child.text.trim() === '') continue
    const span = { start: child.start, end: child.end }
    reader.problem(`Only {% ${name} %} may stand directly in {% ${node.tag.name} %}`, span)
    const last = rows.at(-1)
    if (last) last.push(child)
    else before.push(child)
  }
  if (parts.length === 0) reader.problem(`{% ${node.tag.name} %} holds no {% ${name} %}`, node.tag.span)
  const whole = parts.map((part, index): TagNode => {
    const children = rows[index]!
    return { ...part, children, end: Math.max(part.end, children.at(-1)?.end ?? 0) }
  })
  const start = before.length > 0 ? (parts[0]?.start ?? node.start) : node.start
  return { parts: whole, others: reader.blocks(before), span: { start, end: node.end } }
}

/** Reports a tag whose end tag is missing. */
export function warnUnended({ tag, isClosed, isEnded }: TagNode, reader: Reader): void {
  if (!isClosed || isEnded) return
  reader.problem(`{% ${tag.name} %} has no {% end${tag.name} %}: it ends with what it stands in`, tag.span)
}

/** The span of the whole block, from the opening tag to the end of the closing one. */
export function spanOf(node: Node): { start: number; end: number } {
  return { start: node.start, end: node.end }
}
