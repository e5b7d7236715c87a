/** What stands inside a line, as calls. White space is as a browser shows it: one blank for all that stands together. */
import type { Element } from 'hast'
import { backColor, inkColor, methodColor, textColor } from './colors.js'
import type { ConversionContext, PdfLinkTarget } from './context.js'
import { convertFormula } from './formula.js'
import { type Node, attribute, classAfter, hasClass, isElement, isUnseen, textIn } from './tree.js'
import { type Argument, Code, call, quote, sequence } from './typst.js'

/** Elements in one another: what is deeper is shown as its words. */
const deepest = 30

/** Returns the nodes one after another, without the blanks around them. */
export function convertInlines(nodes: readonly Node[], page: ConversionContext): Code {
  const line: Line = { isAfterBlank: true, color: inkColor }
  return sequence(nodes.flatMap((node) => convert(node, page, line, 0)))
}

interface Line {
  isAfterBlank: boolean
  /** Of the words around, which icons take. */
  color: string
}

/** What stands between words as a word does. */
const standing = new Set('code samp tt kbd img math input'.split(' '))

function convert(node: Node, page: ConversionContext, line: Line, depth: number): Argument[] {
  if (node.type === 'text') return words(node.value, line)
  if (!isElement(node) || isUnseen(node)) return []
  if (depth >= deepest) return words(textIn(node), line)
  if (standing.has(node.tagName)) line.isAfterBlank = false
  const inside = (): Code => sequence(node.children.flatMap((child) => convert(child, page, line, depth + 1)))
  const wrapped = (name: string): Argument[] => [call(name, inside())]
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
      return [call('code', broken(textIn(node)))]
    case 'kbd':
      return [call('key', textIn(node))]
    case 'sup':
      return hasClass(node, 'annotation') ? noteSign(node, page) : wrapped('raised')
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
      return node.tagName === 'rt' ? [call('raised', textIn(node))] : []
    case 'bdo':
      return [call(attribute(node, 'dir') === 'rtl' ? 'from-right' : 'from-left', inside())]
    default:
      return span(node, page, line, inside)
  }
}

function span(node: Element, page: ConversionContext, line: Line, inside: () => Code): Argument[] {
  const named = attribute(node, 'id')
  const mark = named === undefined ? undefined : page.name(named)
  const before = mark === undefined ? [] : [call('target', mark)]
  const method = classAfter(node, 'method-')
  if (hasClass(node, 'chip')) {
    const back = backColor(classAfter(node, 'background-'))
    return [...before, back === undefined ? call('chip', inside()) : call('painted-chip', back, inside())]
  }
  if (method !== undefined) return [...before, call('method', methodColor(method), inside()), ' ']
  if (hasClass(node, 'type') || hasClass(node, 'code-language'))
    return [...before, call('small-text', inside())]
  const back = backColor(classAfter(node, 'background-'))
  const color = textColor(classAfter(node, 'text-'))
  const around = line.color
  if (color !== undefined) line.color = color
  const shown = inside()
  line.color = around
  const painted = color === undefined ? shown : call('painted', color, shown)
  return [...before, back === undefined ? painted : call('washed', back, painted)]
}

/** Words with one blank for each stretch of them, and places where what is long may end a line. */
function words(text: string, line: Line): Argument[] {
  let shown = text.replace(/[ \t\r\n\f]+/g, ' ')
  if (line.isAfterBlank && shown.startsWith(' ')) shown = shown.slice(1)
  if (shown === '') return []
  line.isAfterBlank = shown.endsWith(' ')
  return [broken(shown)]
}

/** Characters of a word from which it may not fit into a line, or a cell. */
const longWord = /[!-~]{24,}/g

/** Returns the text with places to break its longest words. */
export function broken(text: string): Code {
  return quote(
    text.replace(longWord, (word) =>
      word.replace(/[/.,;:?&=_+-](?=[^/.,;:?&=_+-])/g, '$&\u200b').replace(/[^\u200b]{32}/g, '$&\u200b'),
    ),
  )
}

function convertLink(node: Element, page: ConversionContext, inside: () => Code): Argument[] {
  const href = attribute(node, 'href')
  const found = href === undefined ? undefined : page.link(href)
  const shown = hasClass(node, 'button') ? call('button', inside()) : inside()
  return found === undefined ? [shown] : [linked(found, shown)]
}

/** Returns something as a link to a destination. */
export function linked(destination: PdfLinkTarget, shown: Code): Code {
  return destination.kind === 'away'
    ? call('away', destination.url, shown)
    : call('within', destination.name, shown)
}

/** The number of a note leads to it. */
function noteSign(node: Element, page: ConversionContext): Argument[] {
  const button = node.children.find(isElement)
  const number = (button === undefined ? '' : button.children.map(valueOf).join('')).trim()
  const note =
    button === undefined
      ? undefined
      : (attribute(button, 'popoverTarget') ?? attribute(button, 'popovertarget'))
  const found = note === undefined ? undefined : page.link(`#${note}`)
  const shown = call('raised', number)
  return [found === undefined ? shown : linked(found, shown)]
}

const valueOf = (node: Node): string => (node.type === 'text' ? node.value : '')

function convertPicture(node: Element, page: ConversionContext): Argument[] {
  if (hasClass(node, 'when-dark')) return []
  const alt = attribute(node, 'alt') ?? ''
  const source = attribute(node, 'src') ?? ''
  const picture = page.picture(source)
  if (picture === undefined) return missing(source, alt, page)
  return hasClass(node, 'inline-image') && !hasClass(node, 'original')
    ? [call('line-picture', picture.path, alt)]
    : [call('box', call('picture', picture.path, picture.width, picture.height, alt, false))]
}

/** A picture of another host is not fetched: what it is called leads there. */
export function missing(source: string, alt: string, page: ConversionContext): Argument[] {
  const name = alt === '' ? source.slice(0, 200) : alt
  if (name === '') return []
  const found = page.link(source)
  const shown = call('emphasis', broken(name))
  return [found === undefined ? shown : linked(found, shown)]
}

function convertIcon(node: Element, page: ConversionContext, line: Line): Argument[] {
  const use = node.children.find(isElement)
  const [, name] = /^#icon:([a-z0-9-]+)$/.exec((use && attribute(use, 'href')) ?? '') ?? []
  const path = name === undefined ? undefined : page.icon(name, line.color)
  if (path === undefined) return []
  line.isAfterBlank = true
  return [call('sign', path, 1), quote('\u00a0')]
}
