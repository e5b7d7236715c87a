/** What a construct of the dialect is to the parser: a name's meaning, and nothing about Markdown. */
import type { Block } from '../document/types.js'
import type { Node, TagNode } from './nest.js'
import type { Reader } from './reader.js'

export interface Construct {
  /** Whether the tag may stand without its end tag. */
  readonly mayStandAlone?: boolean
  /** The tag whose direct child this one must be. */
  readonly inside?: string
  /** Returns the blocks that the tag and its content mean. */
  readonly read: (node: TagNode, reader: Reader) => readonly Block[]
}

/**
 * Returns the direct children called `name`. Nothing that was written may vanish: what stands between them is
 * joined to the one before it, and what stands before the first is returned as blocks to show before the whole.
 */
export function readParts(
  node: TagNode,
  name: string,
  reader: Reader,
): { parts: readonly TagNode[]; others: readonly Block[] } {
  const parts: TagNode[] = []
  const rows: Node[][] = []
  const before: Node[] = []
  for (const child of node.children) {
    if (child.kind === 'tag' && child.tag.name === name && child.isClosed) {
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
  return { parts: whole, others: reader.blocks(before) }
}

/** The whole block, from the opening tag to the end of the closing one. */
export function spanOf(node: Node): { start: number; end: number } {
  return { start: node.start, end: node.end }
}
