/**
 * From the Markdown tree to tokens: which siblings are tags of the dialect or of HTML, and which are plain Markdown.
 * An HTML block that swallowed a tag is split at the tag, and the parts are parsed as Markdown again.
 */
import { decodeEntities } from './entities.js'
import { type HtmlToken, tokenizeHtml } from './html.js'
import { pairTagsAndElements } from './pair-tags.js'
import type { Node, Token } from './nodes.js'
import { endingOf } from './constructs.js'
import { collectDefinitions } from './definitions.js'
import type { Reader } from './reader.js'
import type { SyntaxNode } from './syntax-node.js'
import { type Scope, parseSyntax, partOf, spanIn, valueScope } from './source.js'
import type { Attribute, Attributes, Tag } from './tags.js'

/** Returns the Markdown tree of a text that starts where `scope` does. */
export function readSyntax(reader: Reader, masked: string, scope: Scope): readonly SyntaxNode[] {
  return parseSyntax(masked, ({ start, end }) =>
    reader.problem('More markup in one place than is read: shown as text', spanIn(scope, start, end)),
  )
}

/** Returns the tree of sibling Markdown blocks. */
export function blockNodes(reader: Reader, children: readonly SyntaxNode[], scope: Scope): Node[] {
  const tokens: Token[] = []
  pushBlocks(reader, children, scope, tokens)
  return pairTagsAndElements(tokens)
}

/** Returns the tree of the inlines of one paragraph, heading or cell. Dialect tags are text in it. */
export function inlineNodes(reader: Reader, children: readonly SyntaxNode[], scope: Scope): Node[] {
  const tokens: Token[] = []
  let hasHtml = false
  for (const child of children) {
    if (child.type !== 'html') {
      tokens.push(leaf(child, scope))
      continue
    }
    hasHtml = true
    const inner = valueScope(scope, child)
    pushHtml(reader, tokenizeHtml(inner.masked, reader.mask), inner, tokens)
  }
  return hasHtml ? pairTagsAndElements(tokens) : (tokens as Node[])
}

function leaf(node: SyntaxNode, scope: Scope): Token {
  const span = spanIn(scope, node.position.start.offset, node.position.end.offset)
  return { kind: 'markdown', node, scope, ...span }
}

function pushBlocks(reader: Reader, children: readonly SyntaxNode[], scope: Scope, tokens: Token[]): void {
  let mayCloseTables = true
  for (let index = 0; index < children.length; index++) {
    const child = children[index]!
    switch (child.type) {
      case 'definition':
      case 'footnoteDefinition':
      case 'yaml':
        break
      case 'html': {
        let html = child
        if (mayCloseTables && opensTable(html.value ?? '')) {
          const last = children.findIndex(
            (other, at) => at > index && /<\/table\s*>/i.test(other.value ?? ''),
          )
          if (last < 0) mayCloseTables = false
          else {
            html = join(html, children[last]!, scope)
            index = last
          }
        }
        pushHtmlBlock(reader, html, scope, tokens)
        break
      }
      case 'paragraph':
        if (reader.mask && child.children!.some((inline) => isMask(reader, inline, scope))) {
          pushSplitParagraph(reader, child, scope, tokens)
        } else tokens.push(leaf(child, scope))
        break
      default:
        tokens.push(leaf(child, scope))
    }
  }
}

/** Rejoins a table with blank lines, which Markdown splits into several HTML blocks. */
function opensTable(html: string): boolean {
  const opened = html.match(/<table\b/gi)?.length ?? 0
  return opened > 0 && opened > (html.match(/<\/table\b/gi)?.length ?? 0)
}

function join(first: SyntaxNode, last: SyntaxNode, scope: Scope): SyntaxNode {
  const position = { start: first.position.start, end: last.position.end }
  return { type: 'html', position, value: scope.masked.slice(position.start.offset, position.end.offset) }
}

function isMask(reader: Reader, node: SyntaxNode, scope: Scope): boolean {
  return (
    node.type === 'html' &&
    node.value!.startsWith('<?') &&
    blockTagAt(reader, scope.at(node.position.start.offset)) !== undefined
  )
}

/** The tag hidden at an offset, except for raw tags. */
function blockTagAt(reader: Reader, start: number): Tag | undefined {
  const tag = reader.tagAt(start)
  return tag?.name === 'raw' ? undefined : tag
}

function pushTag(reader: Reader, start: number, tokens: Token[]): void {
  const tag = blockTagAt(reader, start)
  if (tag) tokens.push({ kind: 'tag token', tag, ending: endingOf(tag.name), ...tag.span })
}

function pushSplitParagraph(reader: Reader, paragraph: SyntaxNode, scope: Scope, tokens: Token[]): void {
  let group: SyntaxNode[] = []
  const flush = (): void => {
    const position = { start: group[0]?.position.start, end: group.at(-1)?.position.end }
    if (group.some((node) => node.type !== 'text' || node.value!.trim() !== '')) {
      tokens.push(leaf({ type: 'paragraph', children: group, position } as SyntaxNode, scope))
    }
    group = []
  }
  for (const child of paragraph.children!) {
    if (isMask(reader, child, scope)) {
      flush()
      pushTag(reader, scope.at(child.position.start.offset), tokens)
    } else group.push(child)
  }
  flush()
}

/** Returns the scope with prepended lines that are not part of the text. */
function behind(lines: string, { masked, at }: Scope): Scope {
  return { masked: lines + masked, at: (offset) => at(Math.max(0, offset - lines.length)) }
}

/** Inside these a tag cannot be a block, so HTML is not split there. */
const solidElements = new Set(['table', 'pre', 'figure', 'picture', 'select'])

function pushHtmlBlock(reader: Reader, node: SyntaxNode, scope: Scope, tokens: Token[]): void {
  const inner = valueScope(scope, node)
  const html = tokenizeHtml(inner.masked, reader.mask)
  const cuts = html.some((token) => token.kind === 'mask') ? findCuts(html) : []
  let start = 0
  for (const cut of cuts) {
    pushPiece(reader, inner, start, cut.start, tokens)
    pushTag(reader, inner.at(cut.start), tokens)
    start = cut.end
  }
  if (cuts.length > 0) pushPiece(reader, inner, start, inner.masked.length, tokens)
  else pushHtml(reader, html, inner, tokens)
}

function findCuts(html: readonly HtmlToken[]): readonly HtmlToken[] {
  const cuts: HtmlToken[] = []
  let depth = 0
  for (const token of html) {
    if (token.kind === 'open' && solidElements.has(token.name)) depth++
    else if (token.kind === 'close' && solidElements.has(token.name)) depth = Math.max(0, depth - 1)
    else if (token.kind === 'mask' && depth === 0) cuts.push(token)
  }
  return cuts
}

function pushPiece(reader: Reader, scope: Scope, start: number, end: number, tokens: Token[]): void {
  const fragment = scope.masked.slice(start, end)
  const text = fragment.trim()
  if (text === '') return
  const first = start + fragment.indexOf(text)
  const lines = text.includes('[') ? reader.definitionLines : ''
  // Prepended: after the text, unclosed markup would swallow them.
  const part = behind(lines, partOf(scope, first, first + text.length))
  const children = readSyntax(reader, part.masked, part).filter(
    (child) => child.position.start.offset >= lines.length,
  )
  collectDefinitions(reader, children, part)
  for (const child of children) {
    // HTML at this level contains no further tag to split at: it is not parsed a third time.
    if (child.type === 'html') {
      const inner = valueScope(part, child)
      pushHtml(reader, tokenizeHtml(inner.masked, reader.mask), inner, tokens)
    } else pushBlocks(reader, [child], part, tokens)
  }
}

function pushHtml(reader: Reader, html: readonly HtmlToken[], scope: Scope, tokens: Token[]): void {
  for (const token of html) {
    const span = spanIn(scope, token.start, token.end)
    switch (token.kind) {
      case 'comment':
        break
      case 'mask':
        if (blockTagAt(reader, span.start) === undefined) break
        reader.problem('A tag cannot stand here: shown as text', span)
        tokens.push({ kind: 'text', text: reader.text.slice(span.start, span.end), ...span })
        break
      case 'text': {
        const written = scope.masked.slice(token.start, token.end)
        tokens.push({ kind: 'text', text: decodeEntities(reader.unmask(written, span)), ...span })
        break
      }
      case 'open':
        tokens.push({
          kind: 'element token',
          name: token.name,
          closes: false,
          attributes: placeAttributes(reader, token.attributes, scope),
          ...span,
        })
        break
      case 'close':
        tokens.push({ kind: 'element token', name: token.name, closes: true, attributes: new Map(), ...span })
    }
  }
}

function placeAttributes(reader: Reader, attributes: Attributes, scope: Scope): Attributes {
  if (attributes.size === 0) return attributes
  const placed = new Map<string, Attribute>()
  for (const [name, attribute] of attributes) {
    const span = spanIn(scope, attribute.span.start, attribute.span.end)
    placed.set(name, { value: reader.unmask(attribute.value, span), span })
  }
  return placed
}
