/** `> [!NOTE]` and its four sisters, as code hosts have them: a quote that is a hint. */
import type { Block, Hint, HintStyle } from '../document/types.js'
import { spanOf } from './construct.js'
import type { MarkdownNode } from './nodes.js'
import type { Reader } from './reader.js'
import type { Scope } from './source.js'
import type { SyntaxNode } from './syntax-node.js'
import { blockNodes } from './tokens.js'

const looks = new Map<string, Pick<Hint, 'style' | 'icon'>>([
  ['NOTE', { style: 'info' }],
  ['TIP', { style: 'success', icon: 'lightbulb' }],
  ['IMPORTANT', { style: 'info', icon: 'message-square-warning' }],
  ['WARNING', { style: 'warning' }],
  ['CAUTION', { style: 'danger' }],
])

const mark = /\[!(note|tip|important|warning|caution)\][ \t]*(?:\\?\r?\n[ \t>]*|$)/iy

/** Returns the hint that a quote is, or undefined when its first line is no such mark. */
export function readAlert(quote: MarkdownNode, reader: Reader): Block | undefined {
  const { node, scope } = quote
  const [first, ...others] = node.children ?? []
  if (first?.type !== 'paragraph') return undefined
  const { start, end } = first.position
  mark.lastIndex = 0
  const found = mark.exec(scope.masked.slice(start.offset, end.offset))
  if (!found) return undefined
  const rest = paragraphFrom(first, start.offset + mark.lastIndex, scope)
  const children = rest ? [rest, ...others] : others
  const blocks = reader.blocks(blockNodes(reader, children, scope))
  return { type: 'hint', span: spanOf(quote), ...looks.get(found[1]!.toUpperCase())!, blocks }
}

/** The paragraph without its first line; undefined when nothing else is in it. */
function paragraphFrom(paragraph: SyntaxNode, start: number, scope: Scope): SyntaxNode | undefined {
  const { end } = paragraph.position
  if (start >= end.offset) return undefined
  const position = { start: { offset: start }, end }
  const children = paragraph.children!.flatMap((child): SyntaxNode[] => {
    if (child.position.end.offset <= start) return []
    if (child.position.start.offset >= start) return [child]
    // The text that the mark stands in goes on in the next line.
    const value = child.value?.slice(child.value.indexOf('\n') + 1)
    const rest = { start: { offset: start }, end: child.position.end }
    return value === undefined ? [child] : [{ ...child, value, position: rest }]
  })
  return scope.masked.slice(start, end.offset).trim() === ''
    ? undefined
    : { ...paragraph, children, position }
}

/** Returns the first line of the quote. */
export function formatAlert(style: HintStyle): string {
  const name = { info: 'NOTE', success: 'TIP', warning: 'WARNING', danger: 'CAUTION' }[style]
  return `> [!${name}]`
}
