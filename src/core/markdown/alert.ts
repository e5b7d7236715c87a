/** GitHub alerts (`> [!NOTE]` and four more): blockquotes that become hints. */
import type { Block, Hint, HintStyle } from '../document/types.js'
import { spanOf } from './construct.js'
import type { MarkdownNode } from './nodes.js'
import type { Reader } from './reader.js'
import type { Scope } from './source.js'
import type { SyntaxNode } from './syntax-node.js'
import { blockNodes } from './tokens.js'

const styles = new Map<string, Pick<Hint, 'style' | 'icon'>>([
  ['NOTE', { style: 'info' }],
  ['TIP', { style: 'success', icon: 'lightbulb' }],
  ['IMPORTANT', { style: 'info', icon: 'message-square-warning' }],
  ['WARNING', { style: 'warning' }],
  ['CAUTION', { style: 'danger' }],
])

const mark = /\[!(note|tip|important|warning|caution)\][ \t]*(?:\\?\r?\n[ \t>]*|$)/iy

/** Returns the hint of a blockquote; undefined when its first line is not an alert marker. */
export function readAlert(quote: MarkdownNode, reader: Reader): Block | undefined {
  const { node, scope } = quote
  const [first, ...others] = node.children ?? []
  if (first?.type !== 'paragraph') return undefined
  const { start, end } = first.position
  mark.lastIndex = 0
  const match = mark.exec(scope.masked.slice(start.offset, end.offset))
  if (!match) return undefined
  const rest = paragraphFrom(first, start.offset + mark.lastIndex, scope)
  const children = rest ? [rest, ...others] : others
  const blocks = reader.blocks(blockNodes(reader, children, scope))
  return { type: 'hint', span: spanOf(quote), ...styles.get(match[1]!.toUpperCase())!, blocks }
}

/** The paragraph without its first line; undefined when it has only one. */
function paragraphFrom(paragraph: SyntaxNode, start: number, scope: Scope): SyntaxNode | undefined {
  const { end } = paragraph.position
  if (start >= end.offset) return undefined
  const position = { start: { offset: start }, end }
  const children = paragraph.children!.flatMap((child): SyntaxNode[] => {
    if (child.position.end.offset <= start) return []
    if (child.position.start.offset >= start) return [child]
    // The text node with the marker continues on the next line.
    const value = child.value?.slice(child.value.indexOf('\n') + 1)
    const rest = { start: { offset: start }, end: child.position.end }
    return value === undefined ? [child] : [{ ...child, value, position: rest }]
  })
  return scope.masked.slice(start, end.offset).trim() === ''
    ? undefined
    : { ...paragraph, children, position }
}

/** Returns the first line of the blockquote. */
export function formatAlert(style: HintStyle): string {
  const name = { info: 'NOTE', success: 'TIP', warning: 'WARNING', danger: 'CAUTION' }[style]
  return `> [!${name}]`
}
