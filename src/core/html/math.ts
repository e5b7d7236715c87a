/**
 * Formulas: the TeX source where the page still contains it; else MathML converted to TeX.
 */
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

export interface Formula {
  readonly formula: string
  readonly isBlock: boolean
}

/** Returns the formula of an element; undefined when it is not a formula. */
export function readMath(element: HtmlElement): Formula | undefined {
  const { name } = element
  if (name === 'script') {
    const type = valueOf(element, 'type') ?? ''
    if (!type.startsWith('math/tex')) return undefined
    return { formula: oneLine(textOf(element)), isBlock: type.includes('display') }
  }
  if (name === 'math') {
    const formula = annotated(element) ?? valueOf(element, 'alttext') ?? texOf(element)
    return { formula: oneLine(formula), isBlock: valueOf(element, 'display') === 'block' }
  }
  if (name !== 'span' && name !== 'div' && name !== 'mjx-container' && name !== 'eq' && name !== 'eqn')
    return undefined
  if (
    hasClass(element, 'katex', 'katex-display', 'katex-mathml', 'mwe-math-element') ||
    name === 'mjx-container'
  ) {
    const math = findElement(element, (one) => one.name === 'math')
    if (math === undefined) return undefined
    const isBlock =
      hasClass(element, 'katex-display', 'mwe-math-element-block') ||
      valueOf(element, 'display') === 'true' ||
      valueOf(math, 'display') === 'block'
    return { formula: readMath(math)!.formula, isBlock }
  }
  if (hasClass(element, 'mathjax_preview', 'mathjax')) return { formula: '', isBlock: false }
  if (hasClass(element, 'math', 'arithmatex', 'tex', 'tex2jax_process')) return written(element)
  return undefined
}

/** TeX without the delimiters that MathJax looks for. */
function written(element: HtmlElement): Formula | undefined {
  const inner = findElement(element, (one) => one.name === 'script' || one.name === 'math')
  if (inner) return readMath(inner)
  const text = textOf(element).trim()
  const match = /^(?:\\\(([^]*)\\\)|\\\[([^]*)\\\]|\$\$([^]*)\$\$|\$([^]*)\$)$/.exec(text)
  const formula = match ? (match[1] ?? match[2] ?? match[3] ?? match[4])! : text
  const isBlock = match
    ? match[2] !== undefined || match[3] !== undefined
    : element.name === 'div' || hasClass(element, 'display')
  return { formula: oneLine(formula), isBlock }
}

function annotated(math: HtmlElement): string | undefined {
  const annotation = findElement(
    math,
    (one) => one.name === 'annotation' && /tex/i.test(valueOf(one, 'encoding') ?? ''),
  )
  return annotation && textOf(annotation)
}

/** Removes the `\displaystyle` that MediaWiki puts around every formula. */
function oneLine(formula: string): string {
  const line = formula.replace(/\s+/g, ' ').trim()
  const styled = /^\{\\displaystyle (.*)\}$/.exec(line)
  return (styled ? styled[1]! : line).trim()
}

const signs = new Map<string, string>(
  Object.entries({
    '×': '\\times ', '⋅': '\\cdot ', '±': '\\pm ', '≤': '\\leq ', '≥': '\\geq ', '≠': '\\neq ', '≈': '\\approx ', '∞': '\\infty ',
    '∑': '\\sum ', '∏': '\\prod ', '∫': '\\int ', '∂': '\\partial ', '∇': '\\nabla ', '→': '\\to ', '⇒': '\\Rightarrow ', '∈': '\\in ',
    '∉': '\\notin ', '⊂': '\\subset ', '⊆': '\\subseteq ', '∪': '\\cup ', '∩': '\\cap ', '∀': '\\forall ', '∃': '\\exists ', '…': '\\dots ',
    'α': '\\alpha ', 'β': '\\beta ', 'γ': '\\gamma ', 'δ': '\\delta ', 'ε': '\\epsilon ', 'θ': '\\theta ', 'λ': '\\lambda ', 'μ': '\\mu ',
    'π': '\\pi ', 'ρ': '\\rho ', 'σ': '\\sigma ', 'τ': '\\tau ', 'φ': '\\phi ', 'ω': '\\omega ', 'Δ': '\\Delta ', 'Σ': '\\Sigma ', 'Ω': '\\Omega ',
    '{': '\\{', '}': '\\}', '%': '\\%', '#': '\\#', '&': '\\&', '−': '-',
    '\u2061': '', '\u2062': '', '\u2063': ',', '\u2064': '',
  }),
) // prettier-ignore

const scripts = new Map<string, readonly [string, string]>(
  Object.entries({
    msup: ['^', ''], msub: ['_', ''], munder: ['_', ''], mover: ['^', ''], msubsup: ['_', '^'], munderover: ['_', '^'],
  }),
) // prettier-ignore

/** Deeper formulas become plain text. */
const maxLevels = 60

/** Returns MathML as TeX. */
function texOf(node: HtmlNode, level = 0): string {
  if (node.kind === 'text') return Array.from(node.value.trim(), (sign) => signs.get(sign) ?? sign).join('')
  if (level > maxLevels) return wordsOf(node)
  const parts = elementsOf(node)
  const inner = (one: HtmlElement | undefined): string => (one ? texOf(one, level + 1) : '')
  const all = (): string => node.children.map((child) => texOf(child, level + 1)).join('')
  const script = scripts.get(node.name)
  if (script) {
    const [first, second] = script
    const end = second === '' ? '' : `${second}{${inner(parts[2])}}`
    const base = inner(parts[0])
    return `${base.length > 1 && !base.startsWith('\\') ? `{${base}}` : base}${first}{${inner(parts[1])}}${end}`
  }
  switch (node.name) {
    case 'annotation':
    case 'annotation-xml':
      return ''
    case 'mfrac':
      return `\\frac{${inner(parts[0])}}{${inner(parts[1])}}`
    case 'msqrt':
      return `\\sqrt{${all()}}`
    case 'mroot':
      return `\\sqrt[${inner(parts[1])}]{${inner(parts[0])}}`
    case 'mtext':
      return `\\text{${wordsOf(node)}}`
    case 'mi': {
      const word = wordsOf(node)
      return word.length > 1 && /^[a-z]+$/i.test(word) ? `\\operatorname{${word}}` : all()
    }
    case 'mspace':
      return '\\ '
    case 'mfenced': {
      const open = valueOf(node, 'open') ?? '('
      const close = valueOf(node, 'close') ?? ')'
      return `\\left${open}${parts.map((part) => inner(part)).join(',')}\\right${close}`
    }
    case 'mtable':
      return `\\begin{matrix}${parts
        .map((row) =>
          elementsOf(row)
            .map((cell) => inner(cell))
            .join(' & '),
        )
        .join(' \\\\ ')}\\end{matrix}`
    default:
      return all()
  }
}
