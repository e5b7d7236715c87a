/**
 * Inline parsing: Markdown's marks and links, and the HTML elements of the dialect. Marks are pushed down to the
 * texts, so that the result is a flat list of inlines.
 */
import type { Inline, Link, Mark } from '../document/types.js'
import { plainText } from '../document/plain-text.js'
import { findFootnote } from './footnotes.js'
import { referRaw } from './html-blocks.js'
import { isHtmlName, transparentBlocks, transparentInlines } from './html-element-names.js'
import { readInlineImage } from './images.js'
import { isButton, readButton, readColor, readEmojiSpan, readIcon } from './inline-elements.js'
import { idsOf, idsOfStray, idsWithin, isLinkTarget, pushAnchor } from './link-targets.js'
import type { ElementNode, MarkdownNode, Node } from './nodes.js'
import { annotate, escapedColons, pushText } from './text-runs.js'
import { blockNodes, inlineNodes } from './tokens.js'
import { elementFlag, elementValue, type Reader, referAttribute } from './reader.js'
import { findDestination } from './references.js'
import { spanIn } from './source.js'

/** Returns the inlines of `nodes`, each text with `marks` outside of its own; too deeply nested nodes become text. */
export function readInlines(reader: Reader, nodes: readonly Node[], marks: readonly Mark[]): Inline[] {
  if (nodes.length === 0) return []
  const span = { start: nodes[0]!.start, end: nodes.at(-1)!.end }
  return reader.nested(
    span,
    () => {
      const inlines: Inline[] = []
      for (const node of nodes) readNode(reader, node, marks, inlines)
      return inlines
    },
    () => [{ type: 'text', text: reader.text.slice(span.start, span.end) }],
  )
}

function readNode(reader: Reader, node: Node, marks: readonly Mark[], out: Inline[]): void {
  switch (node.kind) {
    case 'text':
      pushText(out, node.text.replace(/[ \t\r\n\f]+/g, ' '), marks)
      break
    case 'markdown':
      readSyntax(reader, node, marks, out)
      break
    case 'element':
      readElement(reader, node, marks, out)
      break
    case 'stray':
      readStray(reader, node, marks, out)
      break
    case 'tag':
      reader.problem(`{% ${node.tag.name} %} cannot stand inside a line: shown as text`, node.tag.span)
      pushText(out, reader.text.slice(node.start, node.end), marks)
  }
}

/** Unpaired HTML tags are dropped, except for their ids; a tag with an unknown name was meant as text. */
function readStray(
  reader: Reader,
  node: Node & { kind: 'stray' },
  marks: readonly Mark[],
  out: Inline[],
): void {
  const span = { start: node.start, end: node.end }
  const tag = node.closes ? `</${node.name}>` : `<${node.name}>`
  if (node.family === 'html' && isHtmlName(node.name)) {
    pushAnchor(reader, idsOfStray(node), out)
    if (!isLinkTarget(node)) reader.problem(`${tag} has no partner: left out`, span)
    return
  }
  reader.problem(`${tag} is no HTML: shown as text`, span)
  pushText(out, reader.text.slice(span.start, span.end), marks)
}

function children(reader: Reader, { node, scope }: MarkdownNode): readonly Node[] {
  return inlineNodes(reader, node.children ?? [], scope)
}

function append(out: Inline[], inlines: readonly Inline[]): void {
  for (const inline of inlines) {
    if (inline.type === 'text') pushText(out, inline.text, inline.marks ?? [], () => true)
    else out.push(inline)
  }
}

const simpleMarks: Readonly<Record<string, Mark>> = {
  strong: { type: 'bold' },
  b: { type: 'bold' },
  emphasis: { type: 'italic' },
  em: { type: 'italic' },
  i: { type: 'italic' },
  delete: { type: 'strikethrough' },
  del: { type: 'strikethrough' },
  s: { type: 'strikethrough' },
  strike: { type: 'strikethrough' },
  code: { type: 'code' },
  kbd: { type: 'keyboard' },
  u: { type: 'underline' },
  sup: { type: 'superscript' },
  sub: { type: 'subscript' },
}

function readSyntax(reader: Reader, item: MarkdownNode, marks: readonly Mark[], out: Inline[]): void {
  const { node, scope } = item
  const span = { start: item.start, end: item.end }
  switch (node.type) {
    case 'text': {
      const text = reader.readText(node.value ?? '', span)
      pushText(out, text, marks, escapedColons(text, reader.text.slice(span.start, span.end)))
      break
    }
    case 'strong':
    case 'emphasis':
    case 'delete':
      append(out, reader.inlines(children(reader, item), withMark(marks, simpleMarks[node.type]!)))
      break
    case 'inlineCode':
      pushText(out, reader.unmask(node.value ?? '', span), withMark(marks, { type: 'code' }))
      break
    case 'break':
      out.push({ type: 'break' })
      break
    case 'inlineMath':
      out.push({ type: 'inline-math', formula: reader.unmask(node.value ?? '', span) })
      break
    case 'link':
    case 'linkReference':
      readLink(reader, item, marks, out)
      break
    case 'image':
    case 'imageReference': {
      const image = readInlineImage(item, reader)
      if (image) out.push(image)
      break
    }
    case 'footnoteReference':
      annotate(out, node.identifier!, findFootnote(reader, node.identifier!), marks)
      break
    default: {
      // A block in inline content is reduced to its text.
      if (out.length > 0 && out.at(-1)!.type !== 'break') out.push({ type: 'break' })
      const isRow = node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell'
      if (isRow) append(out, reader.inlines(children(reader, item), marks))
      else if (node.children) append(out, reader.inlines(blockNodes(reader, node.children, scope), marks))
      else if (node.value !== undefined) pushText(out, reader.unmask(node.value, span), marks)
    }
  }
}

function withMark(marks: readonly Mark[], mark: Mark): readonly Mark[] {
  return mark.type !== 'color' && marks.some((other) => other.type === mark.type) ? marks : [...marks, mark]
}

function readLink(reader: Reader, item: MarkdownNode, marks: readonly Mark[], out: Inline[]): void {
  const { node, scope } = item
  const span = { start: item.start, end: item.end }
  const definition = node.type === 'linkReference' ? reader.definitions.get(node.identifier!) : undefined
  const { start, end } = node.position
  const isAddress = node.type === 'link' && scope.masked[start.offset] !== '['
  const inlines = isAddress ? readAddress(reader, item, marks) : reader.inlines(children(reader, item), marks)
  const url = node.type === 'link' ? reader.unmask(node.url!, span) : definition?.url
  if (url === undefined) return append(out, inlines)
  if (node.type === 'link' && !isAddress) {
    const from = node.children?.at(-1)?.position.end.offset ?? start.offset + 1
    const destination = findDestination(scope.masked, from, end.offset, node.url!)
    if (destination)
      reader.refer(
        'link',
        url,
        spanIn(scope, destination.span.start, destination.span.end),
        destination.syntax,
      )
  }
  const title = definition ? definition.title : node.title ? reader.unmask(node.title, span) : undefined
  out.push(linkOf(url, title === 'mention', title, inlines))
}

/** The text of an autolink: emoji shortcodes in it are literal. */
function readAddress(reader: Reader, { node, start, end }: MarkdownNode, marks: readonly Mark[]): Inline[] {
  const words: Inline[] = []
  for (const { value = '' } of node.children ?? [])
    pushText(words, reader.unmask(value, { start, end }), marks, () => true)
  return words
}

function linkOf(
  url: string,
  isMention: boolean,
  title: string | undefined,
  inlines: readonly Inline[],
): Link {
  const children = withoutLinks(inlines)
  if (isMention) return { type: 'link', url, mention: true, children }
  return { type: 'link', url, ...(title ? { title } : {}), children }
}

/** The text of links nested in a link: a URL in an `<a>`, or an `<a>` in a Markdown link. */
function withoutLinks(inlines: readonly Inline[]): readonly Inline[] {
  if (!inlines.some((inline) => inline.type === 'link')) return inlines
  const rest: Inline[] = []
  for (const inline of inlines) append(rest, inline.type === 'link' ? inline.children : [inline])
  return rest
}

function readElement(reader: Reader, element: ElementNode, marks: readonly Mark[], out: Inline[]): void {
  const { name } = element
  pushAnchor(reader, idsOf(element), out)
  const inside = (mark?: Mark): void =>
    append(out, reader.inlines(element.children, mark ? withMark(marks, mark) : marks))
  switch (name) {
    case 'br':
      out.push({ type: 'break' })
      return
    case 'wbr':
    case 'input':
      return
    case 'img':
    case 'picture': {
      pushAnchor(reader, idsWithin(element.children), out)
      const image = readInlineImage(element, reader)
      if (image) out.push(image)
      return
    }
    case 'mark':
      return inside(readColor(element))
    case 'a':
      if (isButton(element)) out.push(readButton(element, reader))
      else readAnchor(reader, element, marks, out)
      return
    case 'button':
      if (!isButton(element)) break
      out.push(readButton(element, reader))
      return
    case 'i': {
      const icon = readIcon(element)
      if (!icon) break
      out.push(icon)
      return
    }
    case 'span': {
      const emoji = readEmojiSpan(element)
      if (!emoji) break
      out.push(emoji)
      return
    }
    case 'code':
      if (!/\bexpression\b/.test(elementValue(element, 'class') ?? '')) break
      out.push(readExpression(element, reader))
      return
  }
  if (Object.hasOwn(simpleMarks, name) && name !== 'emphasis' && name !== 'delete')
    return inside(simpleMarks[name])
  if (transparentInlines.has(name)) {
    if ((name === 'p' || name === 'div') && out.length > 0 && out.at(-1)!.type !== 'break')
      out.push({ type: 'break' })
    return inside()
  }
  if (transparentBlocks.has(name) || /^(?:h[1-6]|ul|ol|blockquote|figure|pre|details|table)$/.test(name)) {
    if (out.length > 0 && out.at(-1)!.type !== 'break') out.push({ type: 'break' })
    return inside()
  }
  if (isHtmlName(name)) {
    pushAnchor(reader, idsWithin(element.children), out)
    referRaw(element, reader)
    out.push({ type: 'inline-html', html: reader.text.slice(element.start, element.end) })
    return
  }
  const span = { start: element.start, end: element.contentStart }
  reader.problem(`<${name}> is no HTML: shown as text`, span)
  pushText(out, reader.text.slice(span.start, span.end), marks)
  inside()
  pushText(out, reader.text.slice(element.contentEnd, element.end), marks)
}

function readAnchor(reader: Reader, element: ElementNode, marks: readonly Mark[], out: Inline[]): void {
  const inlines = reader.inlines(element.children, marks)
  const href = element.attributes.get('href')
  const isTarget = inlines.length === 0 && (element.attributes.has('id') || element.attributes.has('name'))
  if (!href || isTarget) return append(out, inlines)
  const url = referAttribute(reader, 'link', href)!
  const title = elementValue(element, 'title')
  out.push(linkOf(url, elementFlag(element, 'data-mention') || title === 'mention', title, inlines))
}

function readExpression(element: ElementNode, reader: Reader): Inline {
  const { start, end } = element
  const expression = plainText(reader.inlines(element.children)).trim()
  // Quote and list markers inside an element split its characters.
  if (/^<code\b[^>]*>[^<]*<\/code>$/i.test(reader.text.slice(start, end)))
    reader.expressions.push({ expression, span: { start, end } })
  return { type: 'expression', expression }
}
