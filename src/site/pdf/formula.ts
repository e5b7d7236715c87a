/**
 * Formulas: converts MathML of a page to Typst. Unknown elements are converted as their children.
 */
import type { Element } from 'hast'
import { type TypstCode, call, empty, none, sequence } from './typst.js'
import { type MarkupNode, attribute, childElements, hasClass, isElement, textContent } from './markup-tree.js'

/** Maximum nesting: deeper elements become their text. */
const maxDepth = 40

/** Returns a formula, with its text as alternative text. */
export function convertFormula(math: Element): TypstCode {
  const display = attribute(math, 'display') === 'block' || hasClass(math, 'tml-display')
  return call('formula', display, textContent(math).slice(0, 500), row(math.children, 0))
}

function row(nodes: readonly MarkupNode[], depth: number): TypstCode {
  return sequence(nodes.filter(isElement).map((element) => convert(element, depth)))
}

function convert(element: Element, depth: number): TypstCode {
  if (depth >= maxDepth) return call('upright', textContent(element))
  const inner = childElements(element)
  const at = (index: number): TypstCode => {
    const child = inner[index]
    return child === undefined ? empty : convert(child, depth + 1)
  }
  const within = (): TypstCode => row(element.children, depth + 1)
  switch (element.tagName) {
    case 'mi':
      return identifier(element)
    case 'mn':
    case 'mtext':
    case 'ms':
      return call('upright', textOf(element))
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
      return isFenced(inner) ? call('fenced', ...inner.map((one) => convert(one, depth + 1))) : within()
    default:
      return within()
  }
}

const textOf = (element: Element): string => textContent(element).replace(/\s+/g, ' ')

function identifier(element: Element): TypstCode {
  const name = textOf(element).trim()
  const letters = [...name]
  if (letters.length === 0) return empty
  if (letters.length > 1) return call('math.op', name)
  const isUpright = attribute(element, 'mathvariant') === 'normal'
  return isUpright ? call('upright', call('letter', name)) : call('letter', name)
}

function operator(element: Element): TypstCode {
  const sign = textOf(element).trim()
  const letters = [...sign]
  if (letters.length === 0) return empty
  // Function application and invisible operators.
  if (/^[\u2061-\u2064]$/u.test(sign)) return empty
  if (letters.length > 1) return call('math.op', sign)
  return call('letter', sign)
}

function isFenced(inner: readonly Element[]): boolean {
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

function over([, above]: readonly Element[], at: (index: number) => TypstCode): TypstCode {
  const sign = above?.tagName === 'mo' ? textOf(above).trim() : ''
  if (sign === '\u23de' || sign === '\ufe37') return call('math.overbrace', at(0))
  const accent = accents.get(sign)
  return accent === undefined ? call('limit', at(0), at(1), none) : call('math.accent', at(0), accent)
}

function under([, below]: readonly Element[], at: (index: number) => TypstCode): TypstCode {
  const sign = below?.tagName === 'mo' ? textOf(below).trim() : ''
  if (sign === '\u23df' || sign === '\ufe38') return call('math.underbrace', at(0))
  if (sign === '_' || sign === '\u0332' || sign === '\u203e') return call('math.underline', at(0))
  return call('limit', at(0), none, at(1))
}

function table(rows: readonly Element[], depth: number): TypstCode {
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

/** Returns a width in em; a thin space for unknown lengths. */
function space(width: string | undefined): TypstCode {
  const em = Number(/^(-?\d{1,2}(?:\.\d+)?)em$/.exec(width ?? '')?.[1] ?? 0.17)
  return call('em', Math.max(-2, Math.min(em, 10)))
}
