/** Converts elements to blocks. Inline content is gathered up to the next block and becomes a paragraph. */
import type { Block, Column, Heading, Image, Inline } from '../document/types.js'
import { plainText } from '../document/plain-text.js'
import { anchorOf } from '../markdown/anchors.js'
import { trimInlines } from '../markdown/caption.js'
import { defined } from '../markdown/reader.js'
import { readAdmonition } from './admonitions.js'
import { isCode, readCode } from './code.js'
import { joinTerms, nestFlatLists } from './flat-lists.js'
import { readLists } from './lists.js'
import { readMath } from './math.js'
import { readFigure, readMedia } from './media.js'
import { blockNames } from './element-names.js'
import {
  type HtmlElement,
  type HtmlNode,
  elementsOf,
  findElement,
  hasClass,
  textOf,
  valueOf,
  wordsOf,
} from './nodes.js'
import { firstWithText, idOf } from './anchors.js'
import { type HtmlReader, noSpan } from './reader.js'
import { readTable } from './tables.js'
import { readTabs } from './tabs.js'
import { isBoilerplate } from './boilerplate.js'

/** Returns the blocks of `nodes`; nodes nested too deep become one paragraph of text. */
export function readBlocks(reader: HtmlReader, nodes: readonly HtmlNode[]): Block[] {
  return reader.budget.nested(
    () => readRow(reader, nodes),
    () => {
      reader.reportLoss('blocks that stand too deep in one another, kept as text')
      const text = nodes
        .map((node) => textOf(node))
        .join(' ')
        .replace(/\s+/g, ' ')
        .trim()
      return text === '' ? [] : [{ type: 'paragraph', span: noSpan, children: [{ type: 'text', text }] }]
    },
  )
}

function readRow(reader: HtmlReader, nodes: readonly HtmlNode[]): Block[] {
  const blocks: Block[] = []
  let run: HtmlNode[] = []
  const flush = (): void => {
    if (run.length > 0) for (const block of paragraphs(reader.inlines(run))) blocks.push(block)
    run = []
  }
  for (const node of joinTerms(nestFlatLists(nodes))) {
    reader.budget.spend('steps', 1)
    if (node.kind === 'text' || isInline(node)) {
      run.push(node)
      continue
    }
    if (reader.skipped.has(node)) continue
    flush()
    for (const block of readElement(reader, node)) blocks.push(block)
  }
  flush()
  return blocks
}

function isInline(element: HtmlElement): boolean {
  if (blockNames.has(element.name)) return false
  if (element.name === 'math' || element.name === 'script' || element.name.startsWith('mjx-'))
    return readMath(element)?.isBlock !== true
  if (element.name === 'span' && readMath(element)?.isBlock === true) return false
  return !element.holdsBlock
}

function readElement(reader: HtmlReader, element: HtmlElement): readonly Block[] {
  // All panels of tabs but one are hidden.
  const tabs = readTabs(reader, element)
  if (tabs) return tabs
  const math = readMath(element)
  if (math) return math.formula === '' ? [] : [{ type: 'math', span: noSpan, formula: math.formula }]
  if (isBoilerplate(element)) return []
  if (isCode(element)) return readCode(element)
  const admonition = readAdmonition(reader, element)
  if (admonition) return admonition
  if (hasClass(element, 'expand-container')) return readExpander(reader, element)
  if (hasClass(element, 'column-list')) return readColumns(reader, element)
  switch (element.name) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return readHeading(reader, element)
    case 'ul':
    case 'ol':
    case 'dir':
    case 'menu':
    case 'dl':
      return readLists(reader, element)
    case 'blockquote': {
      const blocks = reader.blocks(element.children)
      return blocks.length === 0 ? [] : [{ type: 'blockquote', span: noSpan, blocks }]
    }
    case 'hr':
      return [{ type: 'divider', span: noSpan }]
    case 'details':
      return readDetails(reader, element)
    case 'figure':
      return readFigure(reader, element)
    case 'table':
      return readTable(reader, element)
    case 'iframe':
    case 'video':
    case 'audio':
    case 'object':
    case 'embed':
      return readMedia(reader, element)
    case 'a':
      return readLinkedBlocks(reader, element)
    case 'p':
      return paragraphsOf(reader, element)
  }
  return reader.blocks(element.children)
}

function paragraphsOf(reader: HtmlReader, element: HtmlElement): readonly Block[] {
  if (element.holdsBlock) return reader.blocks(element.children)
  return paragraphs(reader.inlines([element]))
}

/** A heading by its level; the heading that is the title of the page is skipped before. */
function readHeading(reader: HtmlReader, element: HtmlElement): readonly Block[] {
  const children = withoutWholeBold(oneLine(trimInlines(withoutOwnLinks(reader.inlines(element.children)))))
  const images = children.filter((one) => one.type === 'inline-image')
  const text = plainText(children.filter((one) => one.type !== 'inline-image')).trim()
  if (text === '') return images.length > 0 ? paragraphs(children) : []
  const depth = Number(element.name[1]) - reader.headingShift
  const level = depth <= 2 ? 1 : depth === 3 ? 2 : 3
  const heading: Heading = {
    type: 'heading',
    span: noSpan,
    level,
    anchor: fragmentOf(reader, element) ?? '',
    children,
  }
  reader.headingAnchors.set(element, heading.anchor || anchorOf(plainText(children)))
  return [heading]
}

/** Removes self-links: some pages link the whole heading to itself, others a symbol beside it. */
function withoutOwnLinks(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.flatMap((one) => {
    if (one.type !== 'link' || !one.url.startsWith('#')) return [one]
    return /[\p{L}\p{N}]/u.test(plainText(one.children)) ? one.children : []
  })
}

/** Headings are bold anyway. */
function withoutWholeBold(inlines: readonly Inline[]): readonly Inline[] {
  const isBold = (one: Inline): boolean =>
    one.type === 'text' && (one.text.trim() === '' || one.marks?.some(({ type }) => type === 'bold') === true)
  if (!inlines.every(isBold)) return inlines
  return inlines.map((one) => {
    if (one.type !== 'text' || one.marks === undefined) return one
    const { marks, ...text } = one
    const others = marks.filter(({ type }) => type !== 'bold')
    return others.length === 0 ? text : { ...text, marks: others }
  })
}

/** The anchor to preserve for a heading: one that the page links to, or one that looks hand-written. */
function fragmentOf(reader: HtmlReader, heading: HtmlElement): string | undefined {
  const child = heading.children.find(
    (child): child is HtmlElement =>
      child.kind === 'element' && (child.name === 'a' || child.name === 'span') && idOf(child) !== undefined,
  )
  const enclosing = heading.parent
  const section = enclosing && firstWithText(enclosing) === heading ? enclosing : undefined
  const candidates = [heading, child, section].flatMap((one) => (one && idOf(one)) ?? [])
  return (
    candidates.find((id) => reader.linkedIds.has(id)) ??
    // Generated ids are not worth preserving.
    candidates.find(
      (id) =>
        reader.hasWrittenIds &&
        /^[\p{L}\d_.:?!,+()-]{1,200}$/u.test(id) &&
        !/^(?:h\.|_toc|[0-9a-f]{8}-|docs-internal|main-content$)/i.test(id),
    )
  )
}

function oneLine(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.map((one) => (one.type === 'break' ? { type: 'text', text: ' ' } : one))
}

/** Returns the blocks of a run of inlines: images, a formula, or a paragraph; none when it is empty. */
export function paragraphs(inlines: readonly Inline[]): readonly Block[] {
  const children = trimInlines(inlines)
  const written = children.filter(
    (one) => one.type !== 'break' && (one.type !== 'text' || one.text.trim() !== ''),
  )
  if (written.length === 0) return []
  if (written.every((one) => one.type === 'inline-image'))
    return written.map((image): Block => ({ type: 'images', span: noSpan, images: [imageOf(image)] }))
  return [{ type: 'paragraph', span: noSpan, children }]
}

function imageOf({ src, alt, width }: Image): Image {
  return defined({ src, alt, width })
}

function readDetails(reader: HtmlReader, details: HtmlElement): readonly Block[] {
  const summary = details.children.find(
    (child): child is HtmlElement => child.kind === 'element' && child.name === 'summary',
  )
  const title = summary ? oneLine(trimInlines(reader.inlines(summary.children))) : []
  const blocks = reader.blocks(details.children.filter((child) => child !== summary))
  const words = plainText(title).trim() === '' ? [{ type: 'text' as const, text: 'Details' }] : title
  const open = details.attributes.has('open')
  return [{ type: 'expandable', span: noSpan, title: words, anchor: '', open, blocks }]
}

/** Columns side by side. */
function readColumns(reader: HtmlReader, list: HtmlElement): readonly Block[] {
  const columns = elementsOf(list).flatMap((column): Column[] => {
    const blocks = reader.blocks(column.children)
    const share = /(?:^|;)\s{0,4}width:\s{0,4}(\d{1,3})(?:\.\d{1,20})?%/.exec(
      valueOf(column, 'style') ?? '',
    )?.[1]
    const width = share === undefined || share === '100' || share === '0' ? undefined : `${share}%`
    return blocks.length === 0 ? [] : [defined({ span: noSpan, width, blocks })]
  })
  return columns.length > 1
    ? [{ type: 'columns', span: noSpan, columns }]
    : columns.flatMap(({ blocks }) => blocks)
}

/** Confluence's expand macro, which uses no `<details>`. */
function readExpander(reader: HtmlReader, element: HtmlElement): readonly Block[] {
  const label = findElement(element, (one) => hasClass(one, 'expand-control-text'))
  const content = findElement(element, (one) => hasClass(one, 'expand-content'))
  if (!content) return reader.blocks(element.children)
  const text = (label && wordsOf(label)) || 'Details'
  const blocks = reader.blocks(content.children)
  return [
    { type: 'expandable', span: noSpan, title: [{ type: 'text', text }], anchor: '', open: false, blocks },
  ]
}

/** A card (a link around blocks): its content is preserved, and its first paragraph becomes the link. */
function readLinkedBlocks(reader: HtmlReader, a: HtmlElement): readonly Block[] {
  const [first, ...others] = reader.blocks(a.children)
  const url = reader.destination(valueOf(a, 'href'), 'link')
  if (first === undefined) return []
  if (url === undefined || (first.type !== 'heading' && first.type !== 'paragraph')) return [first, ...others]
  const children = first.children.flatMap((one) => (one.type === 'link' ? one.children : [one]))
  const isOneLine = children.every((one) => one.type !== 'break')
  return isOneLine
    ? [{ ...first, children: [{ type: 'link', url, children }] }, ...others]
    : [first, ...others]
}
