/**
 * Formulas: MathML, as a page has it, set by calls of our own. What is not known is set as what it holds.
 */
import type { Element } from 'hast'
import { type Code, call, empty, none, sequence } from './typst.js'
import { type Node, attribute, childElements, hasClass, isElement, textIn } from './tree.js'

/** Elements in one another: deeper ones are set as their words. */
const deepest = 40

/** Returns a formula; its words are what is read aloud. */
export function convertFormula(math: Element): Code {
  const display = attribute(math, 'display') === 'block' || hasClass(math, 'tml-display')
  return call('formula', display, textIn(math).slice(0, 500), row(math.children, 0))
}

function row(nodes: readonly Node[], depth: number): Code {
  return sequence(nodes.filter(isElement).map((element) => convert(element, depth)))
}

function convert(element: Element, depth: number): Code {
  if (depth >= deepest) return call('upright', textIn(element))
  const inner = childElements(element)
  const at = (index: number): Code => {
    const child = inner[index]
    return child === undefined ? empty : convert(child, depth + 1)
  }
  const within = (): Code => row(element.children, depth + 1)
  switch (element.tagName) {
    case 'mi':
      return identifier(element)
    case 'mn':
    case 'mtext':
    case 'ms':
      return call('upright', words(element))
    case 'mo':
      return operator(element)
    case 'mspace':
      return call('h', space(attribute(element, 'width')))
    case 'mfrac':
      return attribute(element, 'linethickness')?.startsWith('0') === true
        ? call('math.binom', at(0), at(1))
        : call('math.frac', at(0), at(1))
    case 'msqrt':
      return call('math.sqrt', within())
    case 'mroot':
      return call('math.root', at(1), at(0))
    case 'msup':
      return call('script', at(0), at(1), none)
    case 'msub':
      return call('script', at(0), none, at(1))
    case 'msubsup':
      return call('script', at(0), at(2), at(1))
    case 'mover':
      return over(inner, at)
    case 'munder':
      return under(inner, at)
    case 'munderover':
      return call('limit', at(0), at(2), at(1))
    case 'mmultiscripts':
      return call('script', at(0), at(2), at(1))
    case 'mtable':
      return table(inner, depth)
    case 'mphantom':
      return call('hide', within())
    case 'menclose':
      return call('enclosed', within())
    case 'annotation':
    case 'annotation-xml':
      return empty
    case 'mstyle':
    case 'mpadded':
    case 'mrow':
      return fenced(inner) ? call('fenced', ...inner.map((one) => convert(one, depth + 1))) : within()
    default:
      return within()
  }
}

const words = (element: Element): string => textIn(element).replace(/\s+/g, ' ')

function identifier(element: Element): Code {
  const name = words(element).trim()
  const letters = [...name]
  if (letters.length === 0) return empty
  if (letters.length > 1) return call('math.op', name)
  const isUpright = attribute(element, 'mathvariant') === 'normal'
  return isUpright ? call('upright', call('letter', name)) : call('letter', name)
}

function operator(element: Element): Code {
  const sign = words(element).trim()
  const letters = [...sign]
  if (letters.length === 0) return empty
  // Signs that say that something is applied, or left out, are not seen.
  if (/^[\u2061-\u2064]$/u.test(sign)) return empty
  if (letters.length > 1) return call('math.op', sign)
  return call('letter', sign)
}

function fenced(inner: readonly Element[]): boolean {
  const [first, last] = [inner[0], inner.at(-1)]
  return (
    inner.length > 1 &&
    first?.tagName === 'mo' &&
    last?.tagName === 'mo' &&
    (attribute(first, 'fence') === 'true' || attribute(first, 'form') === 'prefix') &&
    attribute(last, 'form') !== 'infix' &&
    attribute(first, 'stretchy') !== 'false'
  )
}

const accents = new Map([
  ['^', '\u0302'],
  ['\u02c6', '\u0302'],
  ['~', '\u0303'],
  ['\u02dc', '\u0303'],
  ['\u00af', '\u0304'],
  ['\u203e', '\u0304'],
  ['\u02c9', '\u0304'],
  ['\u02d9', '\u0307'],
  ['.', '\u0307'],
  ['\u00a8', '\u0308'],
  ['\u02c7', '\u030c'],
  ['\u02d8', '\u0306'],
  ['\u00b4', '\u0301'],
  ['`', '\u0300'],
  ['\u2192', '\u20d7'],
  ['\u20d7', '\u20d7'],
])

function over([, above]: readonly Element[], at: (index: number) => Code): Code {
  const sign = above?.tagName === 'mo' ? words(above).trim() : ''
  if (sign === '\u23de' || sign === '\ufe37') return call('math.overbrace', at(0))
  const accent = accents.get(sign)
  return accent === undefined ? call('limit', at(0), at(1), none) : call('math.accent', at(0), accent)
}

function under([, below]: readonly Element[], at: (index: number) => Code): Code {
  const sign = below?.tagName === 'mo' ? words(below).trim() : ''
  if (sign === '\u23df' || sign === '\ufe38') return call('math.underbrace', at(0))
  if (sign === '_' || sign === '\u0332' || sign === '\u203e') return call('math.underline', at(0))
  return call('limit', at(0), none, at(1))
}

function table(rows: readonly Element[], depth: number): Code {
  const cells = rows
    .filter(({ tagName }) => tagName === 'mtr' || tagName === 'mlabeledtr')
    .map((one) => childElements(one).map((cell) => row(cell.children, depth + 2)))
  const width = Math.max(0, ...cells.map(({ length }) => length))
  if (width === 0) return empty
  return call(
    'matrix',
    cells.map((one) => [...one, ...Array.from({ length: width - one.length }, () => empty)]),
  )
}

/** An unknown length is a thin space. */
function space(width: string | undefined): Code {
  const em = Number(/^(-?\d{1,2}(?:\.\d+)?)em$/.exec(width ?? '')?.[1] ?? 0.17)
  return call('em', Math.max(-2, Math.min(em, 10)))
}
