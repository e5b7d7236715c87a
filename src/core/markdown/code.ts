/**
 * Code blocks: fences, `{% code title="…" %}` around one, and `<pre class="language-x"><code>` with `<strong>`
 * around highlighted lines.
 */
import type { Block, Code, Math as Formula } from '../document/types.js'
import { type Construct, spanOf } from './construct.js'
import { encodeAttribute, encodeText } from './entities.js'
import type { ElementNode, MarkdownNode, Node } from './nodes.js'
import { defined, elementFlag, elementValue, type Reader } from './reader.js'
import {
  type Attributes,
  attributeFlag,
  attributeOneOf,
  attributeValue,
  formatTag,
  readAttributes,
} from './tags.js'

type Options = Pick<Code, 'title' | 'overflow' | 'lineNumbers' | 'expandable' | 'fullWidth'>

function readOptions(attributes: Attributes): Options {
  const flag = (name: string): boolean | undefined =>
    attributes.has(name) ? attributeFlag(attributes, name) : undefined
  return defined({
    title: attributeValue(attributes, 'title'),
    overflow: attributeOneOf(attributes, 'overflow', ['scroll', 'wrap']),
    lineNumbers: flag('lineNumbers'),
    expandable: flag('expandable'),
    fullWidth: flag('fullWidth'),
  })
}

export const code: Construct = {
  ending: 'next block',
  read(node, reader) {
    const options = readOptions(node.tag.attributes)
    const blocks = reader.blocks(node.children)
    const codes = blocks.filter((block) => block.type === 'code')
    if (codes.length !== 1 || blocks.length !== 1)
      reader.problem('{% code %} holds one code fence', node.tag.span)
    return blocks.map((block): Block => {
      if (block.type !== 'code') return block
      return {
        ...block,
        ...options,
        ...(codes.length === 1 && blocks.length === 1 ? { span: spanOf(node) } : {}),
      }
    })
  },
}

/** Returns the opening tag. */
export function formatCode(options: Options): string {
  const { title, overflow, lineNumbers, expandable, fullWidth } = options
  return formatTag('code', { title, overflow, lineNumbers, expandable, fullWidth })
}

/** Returns the lines of code with highlighted lines, which a fence has no syntax for. */
export function highlightedRows(block: Code, highlighted: readonly number[]): string[] {
  const marked = new Set(highlighted)
  const attributes = [
    ['class', block.syntax && `language-${block.syntax}`],
    ['data-title', block.title],
    ['data-overflow', block.overflow],
    ['data-line-numbers', block.lineNumbers && 'true'],
    ['data-expandable', block.expandable && 'true'],
    ['data-full-width', block.fullWidth && 'true'],
  ].flatMap(([name, value]) => (value ? [` ${name}="${encodeAttribute(String(value))}"`] : []))
  const lines = block.code.split('\n').map((line, index) => {
    const text = encodeText(line)
    return marked.has(index) ? `<strong>${text}</strong>` : text
  })
  return `<pre${attributes.join('')}><code>${lines.join('\n')}</code></pre>`.split('\n')
}

/** Returns the block of fenced or indented code, or of a formula, which GitHub fences as `math`. */
export function readFence({ node, start, end }: MarkdownNode, reader: Reader): Code | Formula {
  const span = { start, end }
  if (node.lang?.toLowerCase() === 'math')
    return { type: 'math', span, formula: reader.unmask(node.value ?? '', span) }
  const options = node.meta?.includes('=')
    ? readOptions(readAttributes(node.meta, 0, node.meta.length).attributes)
    : {}
  return defined({
    type: 'code' as const,
    span,
    syntax: node.lang?.toLowerCase() || undefined,
    ...options,
    code: reader.unmask(node.value ?? '', span),
  })
}

/** Returns the block of a `<pre>` element. */
export function readPre(pre: ElementNode): Code {
  const inner = pre.children.find(
    (child): child is ElementNode => child.kind === 'element' && child.name === 'code',
  )
  const classes = `${elementValue(pre, 'class') ?? ''} ${inner ? (elementValue(inner, 'class') ?? '') : ''}`
  const lines = new Set<number>()
  // HTML ignores a line break after the opening tag.
  const written = textOf(pre.children, lines).replace(/^\r?\n/, (end) => {
    for (const line of [...lines].toSorted((a, b) => a - b)) {
      lines.delete(line)
      if (line > 0) lines.add(line - 1)
    }
    return end.slice(end.length)
  })
  return defined({
    type: 'code' as const,
    span: spanOf(pre),
    syntax: /(?:^|\s)lang(?:uage)?-([^\s]+)/.exec(classes)?.[1]?.toLowerCase(),
    title: elementValue(pre, 'data-title'),
    overflow: elementValue(pre, 'data-overflow') === 'wrap' ? ('wrap' as const) : undefined,
    lineNumbers: elementFlag(pre, 'data-line-numbers') || undefined,
    expandable: elementFlag(pre, 'data-expandable') || undefined,
    fullWidth: elementFlag(pre, 'data-full-width') || undefined,
    code: written.replace(/\r?\n$/, ''),
    highlighted: lines.size > 0 ? [...lines].toSorted((a, b) => a - b) : undefined,
  })
}

function textOf(nodes: readonly Node[], lines: Set<number>): string {
  let text = ''
  let line = 0
  const append = (part: string): void => {
    text += part
    for (let at = part.indexOf('\n'); at >= 0; at = part.indexOf('\n', at + 1)) line++
  }
  type Step = { readonly node: Node } | { readonly strongFrom: number }
  const pending: Step[] = nodes.map((node) => ({ node })).toReversed()
  for (let step = pending.pop(); step; step = pending.pop()) {
    if ('strongFrom' in step) {
      const last = text.endsWith('\n') && line > step.strongFrom ? line - 1 : line
      for (let index = step.strongFrom; index <= last; index++) lines.add(index)
    } else if (step.node.kind === 'text') append(step.node.text)
    else if (step.node.kind === 'element') {
      if (step.node.name === 'br') append('\n')
      if (step.node.name === 'strong') pending.push({ strongFrom: line })
      for (const child of step.node.children.toReversed()) pending.push({ node: child })
    }
  }
  return text
}
