/** Inline elements as Typst calls. White space is collapsed as in a browser. */
import type { Element } from 'hast'
import { backgroundColor, inkColor, methodColor, textColor } from './colors.js'
import type { ConversionContext, PdfLinkTarget } from './context.js'
import { convertFormula } from './formula.js'
import {
  type MarkupNode,
  attribute,
  classWithPrefix,
  hasClass,
  isElement,
  isScreenOnly,
  textContent,
} from './markup-tree.js'
import { type TypstArgument, TypstCode, call, quote, sequence } from './typst.js'

/** Maximum nesting: deeper elements become their text. */
const maxDepth = 30

/** Returns the converted nodes, without white space around them. */
export function convertInlines(nodes: readonly MarkupNode[], page: ConversionContext): TypstCode {
  const line: LineState = { isAfterBlank: true, color: inkColor }
  return sequence(nodes.flatMap((node) => convert(node, page, line, 0)))
}

interface LineState {
  isAfterBlank: boolean
  /** Colour of the surrounding text, which icons inherit. */
  color: string
}

/** Elements that count as a word when white space is collapsed. */
const wordLike = new Set('code samp tt kbd img math input'.split(' '))

function convert(node: MarkupNode, page: ConversionContext, line: LineState, depth: number): TypstArgument[] {
  if (node.type === 'text') return words(node.value, line)
  if (!isElement(node) || isScreenOnly(node)) return []
  if (depth >= maxDepth) return words(textContent(node), line)
  if (wordLike.has(node.tagName)) line.isAfterBlank = false
  const inside = (): TypstCode =>
    sequence(node.children.flatMap((child) => convert(child, page, line, depth + 1)))
  const wrapped = (name: string): TypstArgument[] => [call(name, inside())]
  switch (node.tagName) {
    case 'br':
      line.isAfterBlank = true
      return [call('linebreak')]
    case 'wbr':
      return [quote('\u200b')]
    case 'strong':
    case 'b':
      return wrapped('strong-text')
    case 'em':
    case 'i':
    case 'cite':
    case 'dfn':
    case 'var':
      return wrapped('emphasis')
    case 'u':
    case 'ins':
      return wrapped('underlined')
    case 'del':
    case 's':
    case 'strike':
      return wrapped('struck')
    case 'code':
    case 'samp':
    case 'tt':
      return [call('code', withBreaks(textContent(node)))]
    case 'kbd':
      return [call('key', textContent(node))]
    case 'sup':
      return hasClass(node, 'annotation') ? noteReference(node, page) : wrapped('raised')
    case 'sub':
      return wrapped('lowered')
    case 'small':
      return wrapped('small-text')
    case 'mark':
      return wrapped('marked')
    case 'a':
      return convertLink(node, page, inside)
    case 'img':
      return convertPicture(node, page)
    case 'svg':
      return convertIcon(node, page, line)
    case 'math':
      return [convertFormula(node)]
    case 'input':
      return attribute(node, 'type') === 'checkbox'
        ? [call('tick', attribute(node, 'checked') !== undefined)]
        : []
    case 'rt':
    case 'rp':
      return node.tagName === 'rt' ? [call('raised', textContent(node))] : []
    case 'bdo':
      return [call(attribute(node, 'dir') === 'rtl' ? 'from-right' : 'from-left', inside())]
    default:
      return span(node, page, line, inside)
  }
}

function span(
  node: Element,
  page: ConversionContext,
  line: LineState,
  inside: () => TypstCode,
): TypstArgument[] {
  const named = attribute(node, 'id')
  const mark = named === undefined ? undefined : page.name(named)
  const before = mark === undefined ? [] : [call('target', mark)]
  const method = classWithPrefix(node, 'method-')
  if (hasClass(node, 'chip')) {
    const back = backgroundColor(classWithPrefix(node, 'background-'))
    return [...before, back === undefined ? call('chip', inside()) : call('painted-chip', back, inside())]
  }
  if (method !== undefined) return [...before, call('method', methodColor(method), inside()), ' ']
  if (hasClass(node, 'type') || hasClass(node, 'code-language'))
    return [...before, call('small-text', inside())]
  const back = backgroundColor(classWithPrefix(node, 'background-'))
  const color = textColor(classWithPrefix(node, 'text-'))
  const outerColor = line.color
  if (color !== undefined) line.color = color
  const content = inside()
  line.color = outerColor
  const painted = color === undefined ? content : call('painted', color, content)
  return [...before, back === undefined ? painted : call('washed', back, painted)]
}

/** Returns text with collapsed white space and break opportunities in long words. */
function words(text: string, line: LineState): TypstArgument[] {
  let collapsed = text.replace(/[ \t\r\n\f]+/g, ' ')
  if (line.isAfterBlank && collapsed.startsWith(' ')) collapsed = collapsed.slice(1)
  if (collapsed === '') return []
  line.isAfterBlank = collapsed.endsWith(' ')
  return [withBreaks(collapsed)]
}

/** Words that may not fit into a line or a cell. */
const longWord = /[!-~]{24,}/g

/** Returns the text with break opportunities in its longest words. */
export function withBreaks(text: string): TypstCode {
  return quote(
    text.replace(longWord, (word) =>
      word.replace(/[/.,;:?&=_+-](?=[^/.,;:?&=_+-])/g, '$&\u200b').replace(/[^\u200b]{32}/g, '$&\u200b'),
    ),
  )
}

function convertLink(node: Element, page: ConversionContext, inside: () => TypstCode): TypstArgument[] {
  const href = attribute(node, 'href')
  const target = href === undefined ? undefined : page.link(href)
  const content = hasClass(node, 'button') ? call('button', inside()) : inside()
  return target === undefined ? [content] : [linkTo(target, content)]
}

/** Returns the content as a link. */
export function linkTo(destination: PdfLinkTarget, content: TypstCode): TypstCode {
  return destination.kind === 'away'
    ? call('away', destination.url, content)
    : call('within', destination.name, content)
}

/** The number of a note, linked to the note. */
function noteReference(node: Element, page: ConversionContext): TypstArgument[] {
  const button = node.children.find(isElement)
  const number = (button === undefined ? '' : button.children.map(valueOf).join('')).trim()
  const note =
    button === undefined
      ? undefined
      : (attribute(button, 'popoverTarget') ?? attribute(button, 'popovertarget'))
  const target = note === undefined ? undefined : page.link(`#${note}`)
  const content = call('raised', number)
  return [target === undefined ? content : linkTo(target, content)]
}

const valueOf = (node: MarkupNode): string => (node.type === 'text' ? node.value : '')

function convertPicture(node: Element, page: ConversionContext): TypstArgument[] {
  if (hasClass(node, 'when-dark')) return []
  const alt = attribute(node, 'alt') ?? ''
  const source = attribute(node, 'src') ?? ''
  const picture = page.picture(source)
  if (picture === undefined) return missingPicture(source, alt, page)
  return hasClass(node, 'inline-image') && !hasClass(node, 'original')
    ? [call('line-picture', picture.path, alt)]
    : [call('box', call('picture', picture.path, picture.width, picture.height, alt, false))]
}

/** Placeholder of a picture on another host, which is not fetched: a link with its name. */
export function missingPicture(source: string, alt: string, page: ConversionContext): TypstArgument[] {
  const name = alt === '' ? source.slice(0, 200) : alt
  if (name === '') return []
  const target = page.link(source)
  const content = call('emphasis', withBreaks(name))
  return [target === undefined ? content : linkTo(target, content)]
}

function convertIcon(node: Element, page: ConversionContext, line: LineState): TypstArgument[] {
  const use = node.children.find(isElement)
  const [, name] = /^#icon:([a-z0-9-]+)$/.exec((use && attribute(use, 'href')) ?? '') ?? []
  const path = name === undefined ? undefined : page.icon(name, line.color)
  if (path === undefined) return []
  line.isAfterBlank = true
  return [call('sign', path, 1), quote('\u00a0')]
}
