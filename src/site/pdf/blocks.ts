/**
 * Block elements as Typst calls: converts the HTML of a page element by element. Unknown elements are converted as their
 * children, so that new blocks are never lost.
 */
import type { Element } from 'hast'
import { directionOf } from '../../core/language/direction.js'
import { type ConversionContext, maxBlockDepth } from './context.js'
import { withBreaks, linkTo, missingPicture } from './inlines.js'
import { convertCodeBlock } from './code-block.js'
import { convertTable } from './table.js'
import {
  type MarkupNode,
  attribute,
  childElements,
  classWithPrefix,
  findDescendant,
  hasClass,
  isBlock,
  isElement,
  isScreenOnly,
  textContent,
} from './markup-tree.js'
import { type TypstArgument, TypstCode, call, empty, none, quote, sequence } from './typst.js'

/** Returns the converted nodes; inline nodes between blocks become paragraphs. */
export function convertBlocks(
  nodes: readonly MarkupNode[],
  page: ConversionContext,
  blockCache: Map<MarkupNode, boolean>,
  depth: number,
): TypstCode {
  const parts: TypstCode[] = []
  let line: MarkupNode[] = []
  const endLine = (): void => {
    if (line.some((node) => isElement(node) || (node.type === 'text' && node.value.trim() !== ''))) {
      parts.push(call('p', withDirection(line, page.inlines(line))))
    }
    line = []
  }
  for (const node of nodes) {
    if (isElement(node) && hasClass(node, 'targets')) {
      endLine()
      parts.push(...childElements(node).flatMap((target) => targetOf(target, page)))
      continue
    }
    if (!isBlock(node, blockCache)) {
      if (!isElement(node) || !isScreenOnly(node)) line.push(node)
      continue
    }
    endLine()
    const element = node as Element
    if (!isScreenOnly(element)) parts.push(...targetOf(element, page), convertBlock(element, page, depth))
  }
  endLine()
  return parts.length === 0 ? empty : call('j', ...parts)
}

const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** Link target of an element with an id that is not a heading. */
function targetOf(element: Element, page: ConversionContext): TypstCode[] {
  const id = attribute(element, 'id')
  if (id === undefined || headings.has(element.tagName)) return []
  const name = page.name(id)
  return name === undefined ? [] : [call('target', name)]
}

/** Marks right-to-left content; `dir` is that of its element, which also names content of the other direction. */
function withDirection(nodes: readonly MarkupNode[], content: TypstCode, dir?: string): TypstCode {
  if (dir === 'ltr') return call('from-left', content)
  const direction = dir ?? directionOf(nodes.map(textContent).join(' ').slice(0, 500))
  return direction === 'rtl' ? call('from-right', content) : content
}

function convertBlock(element: Element, page: ConversionContext, depth: number): TypstCode {
  const { tagName, children } = element
  const inside = (): TypstCode => page.blocks(children, depth + 1)
  if (depth >= maxBlockDepth) return call('p', withBreaks(textContent(element).replace(/\s+/g, ' ')))
  if (headings.has(tagName)) return convertHeading(element, page)
  switch (tagName) {
    case 'p':
      return convertParagraph(element, page, inside)
    case 'ul':
    case 'ol':
      return convertList(element, page, depth)
    case 'table':
      return convertTable(element, page, depth)
    case 'pre':
      return convertCodeBlock(element, undefined, undefined)
    case 'blockquote':
      return call('quotation', withDirection(children, inside()))
    case 'hr':
      return call('divider')
    case 'details':
      return convertDetails(element, page, depth)
    case 'figure':
      return convertFigure(element, page, inside)
    case 'figcaption':
      return call('caption', page.inlines(children))
    case 'dl':
      return convertTerms(element, page, depth)
    case 'video':
    case 'audio':
      return call('p', ...missingPicture(attribute(element, 'src') ?? '', '', page))
    case 'center':
      return call('aligned', 'center', inside())
    case 'a':
      return hasClass(element, 'card-line')
        ? convertCardLine(element, page)
        : convertLinked(element, page, inside)
    default:
      return convertBox(element, page, depth, inside)
  }
}

function convertHeading(element: Element, page: ConversionContext): TypstCode {
  const depth = Math.min(Math.max(Number(element.tagName.slice(1)) - 1, 1), 3)
  const id = attribute(element, 'id')
  const name = (id === undefined ? undefined : page.name(id)) ?? page.anonymousLabel()
  const words = page.inlines(element.children)
  const heading = call('section', Math.min(page.level + depth, 7), depth, page.listsSections, name, words)
  return alignedAs(element, withDirection(element.children, heading))
}

function convertParagraph(element: Element, page: ConversionContext, inside: () => TypstCode): TypstCode {
  const holdsBlocks = element.children.some((child) => isElement(child) && hasClass(child, 'card-line'))
  if (holdsBlocks) return inside()
  const content = page.inlines(element.children)
  if (hasClass(element, 'tab-title')) return call('p', call('strong-text', content))
  if (
    hasClass(element, 'openapi-part') ||
    hasClass(element, 'box-title') ||
    hasClass(element, 'openapi-summary')
  )
    return call('p', call('strong-text', content))
  const directed = withDirection(element.children, call('p', content), attribute(element, 'dir'))
  return alignedAs(element, directed)
}

function alignedAs(element: Element, content: TypstCode): TypstCode {
  const align = classWithPrefix(element, 'align-') ?? attribute(element, 'align')
  if (align === 'center') return call('aligned', 'center', content)
  return align === 'end' || align === 'right' ? call('aligned', 'end', content) : content
}

function convertList(element: Element, page: ConversionContext, depth: number): TypstCode {
  const items = childElements(element).filter(({ tagName }) => tagName === 'li')
  if (items.length === 0) return empty
  if (hasClass(element, 'cards')) return convertCards(element, items, page, depth)
  if (hasClass(element, 'stepper')) return convertSteps(items, page, depth)
  if (hasClass(element, 'tags'))
    return call('p', ...items.flatMap((item) => [call('chip', page.inlines(item.children)), '  ']))
  const isTight = items.every((item) => !childElements(item).some(({ tagName }) => tagName === 'p'))
  const direction = attribute(element, 'dir') ?? directionOf(textContent(items[0]!)) ?? 'ltr'
  const list = items.some((item) => hasClass(item, 'task'))
    ? call('tasks', isTight, ...items.map((item) => taskOf(item, page, depth)))
    : element.tagName === 'ol'
      ? call(
          'numbered',
          isTight,
          startOf(element),
          ...items.map((item) => itemOf(item, isTight, page, depth)),
        )
      : call('points', isTight, ...items.map((item) => itemOf(item, isTight, page, depth)))
  return direction === 'rtl' ? call('from-right', list) : list
}

function startOf(list: Element): number {
  const start = Number(attribute(list, 'start') ?? 1)
  return Number.isInteger(start) && start >= 0 && start < 1_000_000 ? start : 1
}

/** Items of a tight list have no space around their paragraphs. */
function itemOf(item: Element, isTight: boolean, page: ConversionContext, depth: number): TypstCode {
  return isTight ? tightItem(item.children, page, depth) : page.blocks(item.children, depth + 1)
}

function tightItem(nodes: readonly MarkupNode[], page: ConversionContext, depth: number): TypstCode {
  const blockCache = new Map<MarkupNode, boolean>()
  const first = nodes.findIndex((node) => isBlock(node, blockCache))
  if (first < 0) return page.inlines(nodes)
  return sequence([page.inlines(nodes.slice(0, first)), page.blocks(nodes.slice(first), depth + 1)])
}

function taskOf(item: Element, page: ConversionContext, depth: number): TypstArgument {
  const box = findDescendant(item, ({ tagName }) => tagName === 'input')
  const body = childElements(item).find(({ tagName }) => tagName === 'div')
  const isDone = box !== undefined && attribute(box, 'checked') !== undefined
  return [isDone, tightItem(body?.children ?? item.children, page, depth)]
}

function convertCards(
  list: Element,
  items: readonly Element[],
  page: ConversionContext,
  depth: number,
): TypstCode {
  const count = hasClass(list, 'large')
    ? 2
    : items.length === 1
      ? 1
      : items.length === 2 || items.length === 4
        ? 2
        : 3
  const cells = items.map((item) => {
    const cover = childElements(item).find((one) => one.tagName === 'img' && !hasClass(one, 'when-dark'))
    const body = childElements(item).find((one) => hasClass(one, 'card-body')) ?? item
    const picture = cover === undefined ? undefined : page.picture(attribute(cover, 'src') ?? '')
    const parts = childElements(body).flatMap((one) => {
      if (hasClass(one, 'card-link')) return []
      const content = page.blocks(one.children, depth + 1)
      return [hasClass(one, 'card-title') ? call('strong-text', content) : content]
    })
    const stray = findDescendant(body, (one) => hasClass(one, 'card-link') && textContent(one).trim() === '')
    const href = stray && attribute(stray, 'href')
    const target = href === undefined ? undefined : page.link(href)
    const arrow = target === undefined ? [] : [linkTo(target, quote('→'))]
    return sequence([
      ...(picture === undefined
        ? []
        : [call('picture', picture.path, 600, (600 * picture.height) / picture.width, '', false)]),
      ...parts,
      ...arrow,
    ])
  })
  return call('cards', count, ...cells)
}

function convertSteps(items: readonly Element[], page: ConversionContext, depth: number): TypstCode {
  const steps = items.map((item, index) => {
    const sign = childElements(item).find((one) => hasClass(one, 'step-icon'))
    const body = childElements(item).find((one) => hasClass(one, 'step-body')) ?? item
    const mark = sign === undefined ? quote(String(index + 1)) : page.inlines(sign.children)
    return [mark, page.blocks(body.children, depth + 1)]
  })
  return call('stepper', ...steps)
}

function convertDetails(element: Element, page: ConversionContext, depth: number): TypstCode {
  const summary = childElements(element).find(({ tagName }) => tagName === 'summary')
  const rest = element.children.filter((child) => child !== summary)
  // What only folds a block of code, or a prompt, is no title.
  if (hasClass(element, 'code-fold') || hasClass(element, 'prompt-fold')) return page.blocks(rest, depth)
  const title = page.inlines(
    (summary?.children ?? []).filter((child) => !isElement(child) || child.tagName !== 'svg'),
  )
  return call('folded', title, page.blocks(rest, depth + 1))
}

function convertFigure(element: Element, page: ConversionContext, inside: () => TypstCode): TypstCode {
  if (hasClass(element, 'code')) {
    const pre = findDescendant(element, ({ tagName }) => tagName === 'pre')
    const title = findDescendant(element, (one) => hasClass(one, 'code-title'))
    const language = findDescendant(element, (one) => hasClass(one, 'code-language'))
    const name = (one: Element | undefined): string | undefined => one && textContent(one).trim()
    return pre === undefined ? inside() : convertCodeBlock(pre, name(title), name(language))
  }
  const caption = childElements(element).find(({ tagName }) => tagName === 'figcaption')
  const words = caption === undefined ? none : page.inlines(caption.children)
  if (hasClass(element, 'diagram')) {
    const drawing = findDescendant(element, ({ tagName }) => tagName === 'svg')
    if (drawing === undefined) return inside()
    const { path, width, height } = drawingOf(drawing, page)
    return call('figure-of', call('picture', path, width, height, '', false), words)
  }
  const picture = element.children.find(
    (one): one is Element => isElement(one) && one.tagName === 'img' && !hasClass(one, 'when-dark'),
  )
  if (picture !== undefined) return call('figure-of', pictureOf(picture, page), words)
  const others = element.children.filter((child) => child !== caption)
  return call('figure-of', page.blocks(others, 1), words)
}

function drawingOf(svg: Element, page: ConversionContext) {
  const [, , width = 600, height = 400] = (attribute(svg, 'viewBox') ?? '').split(/[\s,]+/).map(Number)
  return { path: page.drawing(writeSvg(svg, 0)), width: width * 0.8 || 600, height: height * 0.8 || 400 }
}

const drawingColors = new Map([
  ['var(--bg)', '#ffffff'],
  ['var(--_text)', '#12161f'],
  ['var(--_text-sec)', '#5b6270'],
  ['var(--_text-muted)', '#5b6270'],
  ['var(--_text-faint)', '#5b6270'],
  ['var(--_line)', '#5b6270'],
  ['var(--_arrow)', '#5b6270'],
  ['var(--_node-fill)', '#f6f7f9'],
  ['var(--_node-stroke)', '#aeb4bf'],
  ['var(--_group-fill)', '#fafbfc'],
  ['var(--_group-hdr)', '#eceff3'],
  ['var(--_inner-stroke)', '#d9dde4'],
  ['var(--_key-badge)', '#eceff3'],
])

const svgNames = new Map([
  ['fontSize', 'font-size'],
  ['fontStyle', 'font-style'],
  ['fontWeight', 'font-weight'],
  ['markerStart', 'marker-start'],
  ['markerEnd', 'marker-end'],
  ['strokeWidth', 'stroke-width'],
  ['strokeDashArray', 'stroke-dasharray'],
  ['strokeLineCap', 'stroke-linecap'],
  ['strokeLineJoin', 'stroke-linejoin'],
  ['textAnchor', 'text-anchor'],
  ['textDecoration', 'text-decoration'],
])

/** Returns a drawing as a standalone SVG file, in print colours. */
function writeSvg({ tagName, properties, children }: Element, depth: number): string {
  const root = depth === 0 ? ' xmlns="http://www.w3.org/2000/svg" font-family="Inter"' : ''
  const own = Object.entries(properties)
    .filter(([name]) => /^[a-zA-Z0-9-]+$/.test(name))
    .map(([name, value]) => {
      const text = Array.isArray(value) ? value.join(' ') : String(value)
      // Standalone, ids need no prefix, and must not contain a colon.
      const plain = (drawingColors.get(text) ?? text)
        .replaceAll(':', '-')
        .replace(/var\(--[a-z_-]+\)/g, '#5b6270')
      return ` ${svgNames.get(name) ?? name}="${escapeXml(plain)}"`
    })
  const inside =
    depth > 40
      ? ''
      : children
          .map((child) =>
            isElement(child)
              ? writeSvg(child, depth + 1)
              : child.type === 'text'
                ? escapeXml(child.value)
                : '',
          )
          .join('')
  return `<${tagName}${root}${own.join('')}>${inside}</${tagName}>`
}

const escapeXml = (text: string): string =>
  text.replace(
    /[\p{Cc}&<>"]/gu,
    (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one] ?? ' ',
  )

function pictureOf(element: Element, page: ConversionContext, framed = false): TypstCode {
  const alt = attribute(element, 'alt') ?? ''
  const source = attribute(element, 'src') ?? ''
  const picture = page.picture(source)
  if (picture === undefined) return call('p', ...missingPicture(source, alt, page))
  const declaredWidth = attribute(element, 'width') ?? ''
  const [, share] = /^(\d{1,3}(?:\.\d+)?)%$/.exec(declaredWidth) ?? []
  if (share !== undefined) return call('share-picture', picture.path, Math.min(Number(share), 100), alt)
  const pixels = Number(declaredWidth) > 0 ? Math.min(Number(declaredWidth), 4_000) : picture.width
  // A CSS pixel is three quarters of a point.
  return call(
    'picture',
    picture.path,
    pixels * 0.75,
    pixels * 0.75 * (picture.height / picture.width),
    alt,
    framed,
  )
}

function convertTerms(element: Element, page: ConversionContext, depth: number): TypstCode {
  const pairs: TypstArgument[] = []
  let term: TypstCode = empty
  const walk = (nodes: readonly Element[]): void => {
    for (const one of nodes) {
      if (one.tagName === 'div') walk(childElements(one))
      else if (one.tagName === 'dt') {
        if (term !== empty) pairs.push([term, empty])
        term = call('strong-text', page.inlines(one.children))
      } else if (one.tagName === 'dd') {
        pairs.push([term, page.blocks(one.children, depth + 1)])
        term = empty
      }
    }
  }
  walk(childElements(element))
  if (term !== empty) pairs.push([term, empty])
  return pairs.length === 0 ? empty : call('terms-of', ...pairs)
}

function convertCardLine(element: Element, page: ConversionContext): TypstCode {
  const href = attribute(element, 'href')
  const text = childElements(element).find((one) => hasClass(one, 'card-text'))
  const title = text && childElements(text).find(({ tagName }) => tagName === 'strong')
  const detail = text && childElements(text).find(({ tagName }) => tagName === 'small')
  const sign = childElements(element).find((one) => one.tagName === 'svg' || hasClass(one, 'emoji'))
  const target = href === undefined ? undefined : page.link(href)
  const name = title === undefined ? empty : page.inlines(title.children)
  return call(
    'line-card',
    sign === undefined ? empty : page.inlines([sign]),
    target === undefined ? name : linkTo(target, name),
    detail === undefined ? none : page.inlines(detail.children),
  )
}

/** A link around blocks: the whole content becomes the link. */
function convertLinked(element: Element, page: ConversionContext, inside: () => TypstCode): TypstCode {
  const target = page.link(attribute(element, 'href') ?? '')
  const content = inside()
  return target === undefined ? content : linkTo(target, content)
}

function convertBox(
  element: Element,
  page: ConversionContext,
  depth: number,
  inside: () => TypstCode,
): TypstCode {
  const style = classWithPrefix(element, 'hint-')
  if (hasClass(element, 'hint') && style !== undefined) return convertHint(element, style, page, depth)
  if (hasClass(element, 'math')) return page.inlines(element.children)
  if (hasClass(element, 'prompt-head')) return convertHead(element, page)
  if (hasClass(element, 'tabs')) return convertTabs(element, page, depth)
  if (hasClass(element, 'columns')) return convertColumns(element, page, depth)
  if (hasClass(element, 'images')) return convertImages(element, page, inside)
  if (hasClass(element, 'notes')) return convertNotes(element, page, depth)
  if (hasClass(element, 'prompt') || hasClass(element, 'integration') || hasClass(element, 'openapi'))
    return call('boxed', inside())
  if (hasClass(element, 'plain-piece')) return call('soft-box', inside())
  if (hasClass(element, 'update')) return call('quotation', inside())
  return inside()
}

/** Head of a prompt: its icon and the paragraph beside it, in one line. */
function convertHead(element: Element, page: ConversionContext): TypstCode {
  const nodes = element.children.flatMap((child) =>
    isElement(child) && child.tagName === 'p' ? child.children : [child],
  )
  return call('p', call('strong-text', page.inlines(nodes)))
}

const styles = new Set(['info', 'success', 'warning', 'danger'])
const hintSigns = {
  info: 'info',
  success: 'circle-check',
  warning: 'triangle-alert',
  danger: 'octagon-alert',
}
const hintColors = { info: '#3b6fd6', success: '#1b7f47', warning: '#b86e00', danger: '#c0352b' }

function convertHint(element: Element, written: string, page: ConversionContext, depth: number): TypstCode {
  const style = (styles.has(written) ? written : 'info') as keyof typeof hintSigns
  const svg = childElements(element).find(({ tagName }) => tagName === 'svg')
  const use = svg && childElements(svg)[0]
  const [, name] = /^#icon:([a-z0-9-]+)$/.exec((use && attribute(use, 'href')) ?? '') ?? []
  const own = name === undefined ? undefined : page.icon(name, hintColors[style])
  const sign = own ?? page.icon(hintSigns[style], hintColors[style])!
  const body = childElements(element).find((one) => hasClass(one, 'hint-body')) ?? element
  return call('hint', style, sign, withDirection(body.children, page.blocks(body.children, depth + 1)))
}

function convertTabs(element: Element, page: ConversionContext, depth: number): TypstCode {
  const tabs = childElements(element)
    .filter((one) => hasClass(one, 'tab'))
    .map((tab) => {
      const title = childElements(tab).find((one) => hasClass(one, 'tab-title'))
      const rest = tab.children.filter((child) => child !== title)
      const body = sequence([...targetOf(tab, page), page.blocks(rest, depth + 1)])
      return [title === undefined ? empty : page.inlines(title.children), body]
    })
  return tabs.length === 0 ? empty : call('tabbed', ...tabs)
}

function convertColumns(element: Element, page: ConversionContext, depth: number): TypstCode {
  const columns = childElements(element)
  if (columns.length === 0) return empty
  const shares = columns.map((column) => Number(attribute(column, 'dataShare') ?? 0))
  const isShared = shares.every((share) => share > 0)
  return call(
    'side-by-side',
    columns.map((_, index) => (isShared ? shares[index]! : 1)),
    ...columns.map((column) => page.blocks(column.children, depth + 1)),
  )
}

function convertImages(element: Element, page: ConversionContext, inside: () => TypstCode): TypstCode {
  const figures = childElements(element).filter(({ tagName }) => tagName === 'figure')
  const content = figures.map((figure) => convertFigure(figure, page, inside))
  if (content.length === 0) return inside()
  return content.length === 1 || content.length > 4 ? sequence(content) : call('beside', ...content)
}

function convertNotes(element: Element, page: ConversionContext, depth: number): TypstCode {
  const notes = childElements(element).map((note) => {
    const number = childElements(note).find((one) => hasClass(one, 'note-number'))
    const body = childElements(note).find(({ tagName }) => tagName === 'div')
    const name = page.name(attribute(note, 'id') ?? '') ?? page.anonymousLabel()
    return call(
      'note',
      number === undefined ? '' : textContent(number).trim(),
      name,
      page.blocks(body?.children ?? [], depth + 1),
    )
  })
  return call('notes', ...notes)
}
