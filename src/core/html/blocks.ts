/** Elements read into blocks. Whatever may stand inside a line is gathered until a block comes, and is a paragraph. */
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
import { blockNames } from './names.js'
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
import { firstSaying, idOf } from './parts.js'
import { type HtmlReader, nowhere } from './reader.js'
import { readTable } from './tables.js'
import { readTabs } from './tabs.js'
import { isUnseen } from './boilerplate.js'

/** Returns the blocks of `nodes`; nodes nested too deep become one paragraph of text. */
export function readBlocks(reader: HtmlReader, nodes: readonly HtmlNode[]): Block[] {
  return reader.budget.nested(
    () => readRow(reader, nodes),
    () => {
      reader.lose('blocks that stand too deep in one another, kept as text')
      const text = nodes
        .map((node) => textOf(node))
        .join(' ')
        .replace(/\s+/g, ' ')
        .trim()
      return text === '' ? [] : [{ type: 'paragraph', span: nowhere, children: [{ type: 'text', text }] }]
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
    if (node.kind === 'text' || standsInLine(node)) {
      run.push(node)
      continue
    }
    if (reader.passedOver.has(node)) continue
    flush()
    for (const block of readElement(reader, node)) blocks.push(block)
  }
  flush()
  return blocks
}

function standsInLine(element: HtmlElement): boolean {
  if (blockNames.has(element.name)) return false
  if (element.name === 'math' || element.name === 'script' || element.name.startsWith('mjx-'))
    return readMath(element)?.isBlock !== true
  if (element.name === 'span' && readMath(element)?.isBlock === true) return false
  return !element.holdsBlock
}

function readElement(reader: HtmlReader, element: HtmlElement): readonly Block[] {
  // Tabs hide all of their parts but one.
  const tabs = readTabs(reader, element)
  if (tabs) return tabs
  const math = readMath(element)
  if (math) return math.formula === '' ? [] : [{ type: 'math', span: nowhere, formula: math.formula }]
  if (isUnseen(element)) return []
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
      return blocks.length === 0 ? [] : [{ type: 'blockquote', span: nowhere, blocks }]
    }
    case 'hr':
      return [{ type: 'divider', span: nowhere }]
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

/** A heading by its level; the one that is the title of the page has been passed over. */
function readHeading(reader: HtmlReader, element: HtmlElement): readonly Block[] {
  const children = withoutWholeBold(oneLine(trimInlines(withoutOwnLinks(reader.inlines(element.children)))))
  const images = children.filter((one) => one.type === 'inline-image')
  const text = plainText(children.filter((one) => one.type !== 'inline-image')).trim()
  if (text === '') return images.length > 0 ? paragraphs(children) : []
  const depth = Number(element.name[1]) - reader.raised
  const level = depth <= 2 ? 1 : depth === 3 ? 2 : 3
  const heading: Heading = {
    type: 'heading',
    span: nowhere,
    level,
    anchor: fragmentOf(reader, element) ?? '',
    children,
  }
  reader.called.set(element, heading.anchor || anchorOf(plainText(children)))
  return [heading]
}

/** Headings are links to themselves in some pages; beside their words stands a sign that is one, in others. */
function withoutOwnLinks(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.flatMap((one) => {
    if (one.type !== 'link' || !one.url.startsWith('#')) return [one]
    return /[\p{L}\p{N}]/u.test(plainText(one.children)) ? one.children : []
  })
}

/** A heading is bold by itself. */
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

/** The fragment of a heading, where somebody asks for it or people may know it. */
function fragmentOf(reader: HtmlReader, heading: HtmlElement): string | undefined {
  const named = heading.children.find(
    (child): child is HtmlElement =>
      child.kind === 'element' && (child.name === 'a' || child.name === 'span') && idOf(child) !== undefined,
  )
  const around = heading.parent
  const section = around && firstSaying(around) === heading ? around : undefined
  const candidates = [heading, named, section].flatMap((one) => (one && idOf(one)) ?? [])
  return (
    candidates.find((id) => reader.asked.has(id)) ??
    // Names that a program gave to a paragraph are known to nobody.
    candidates.find(
      (id) =>
        /^[\p{L}\d_.:?!,+()-]{1,200}$/u.test(id) &&
        !/^(?:h\.|_toc|[0-9a-f]{8}-|docs-internal|main-content$)/i.test(id),
    )
  )
}

function oneLine(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.map((one) => (one.type === 'break' ? { type: 'text', text: ' ' } : one))
}

/** Returns what a run of inlines is: images, a formula, or a paragraph; nothing when it says nothing. */
export function paragraphs(inlines: readonly Inline[]): readonly Block[] {
  const children = trimInlines(inlines)
  const written = children.filter(
    (one) => one.type !== 'break' && (one.type !== 'text' || one.text.trim() !== ''),
  )
  if (written.length === 0) return []
  if (written.every((one) => one.type === 'inline-image'))
    return written.map((image): Block => ({ type: 'images', span: nowhere, images: [imageOf(image)] }))
  return [{ type: 'paragraph', span: nowhere, children }]
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
  return [{ type: 'expandable', span: nowhere, title: words, anchor: '', open, blocks }]
}

/** Parts that stand side by side. */
function readColumns(reader: HtmlReader, list: HtmlElement): readonly Block[] {
  const columns = elementsOf(list).flatMap((column): Column[] => {
    const blocks = reader.blocks(column.children)
    const share = /(?:^|;)\s{0,4}width:\s{0,4}(\d{1,3})(?:\.\d{1,20})?%/.exec(
      valueOf(column, 'style') ?? '',
    )?.[1]
    const width = share === undefined || share === '100' || share === '0' ? undefined : `${share}%`
    return blocks.length === 0 ? [] : [defined({ span: nowhere, width, blocks })]
  })
  return columns.length > 1
    ? [{ type: 'columns', span: nowhere, columns }]
    : columns.flatMap(({ blocks }) => blocks)
}

/** What a wiki folds away without an element for it. */
function readExpander(reader: HtmlReader, element: HtmlElement): readonly Block[] {
  const label = findElement(element, (one) => hasClass(one, 'expand-control-text'))
  const content = findElement(element, (one) => hasClass(one, 'expand-content'))
  if (!content) return reader.blocks(element.children)
  const text = (label && wordsOf(label)) || 'Details'
  const blocks = reader.blocks(content.children)
  return [
    { type: 'expandable', span: nowhere, title: [{ type: 'text', text }], anchor: '', open: false, blocks },
  ]
}

/** A card: what is in it stays, and its first words are the link. */
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
