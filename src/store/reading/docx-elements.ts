/**
 * Normalizes the elements of a Word document between the library's parsing and its HTML output: code without a code style
 * (monospaced words, and consecutive lines of them), and links in fields with several words.
 */

/** The parts of a document by their names in its archive. */
export type DocumentParts = ReadonlyMap<string, Uint8Array>

/** The parts of the library's elements that we read; others are preserved. */
export interface WordElement {
  readonly type: string
  readonly children?: readonly WordElement[]
  /** Of a run: its own font. */
  readonly font?: string | null
  readonly styleId?: string | null
  readonly styleName?: string | null
  /** Of a paragraph in a list: its level, and the style by which the level was found. */
  readonly numbering?: {
    readonly isOrdered: boolean
    readonly level: string
    readonly paragraphStyleId?: string
  } | null
  readonly value?: string
  /** Of a link: its external or internal destination. */
  readonly href?: string | null
  readonly anchor?: string | null
}

const equalWidths = /mono\b|courier|consolas|menlo|monaco|inconsolata|source code|fira code|cascadia/i
/** Styles without semantic meaning. */
const plainStyle =
  /^(?:normal|standard|body text|text body|default(?: paragraph font)?|hyperlink|internet link|no spacing|plain text)$/i

/** Returns a document with correct link destinations, whose code has code styles. */
export function normalizeElements(element: WordElement): WordElement {
  if (element.children === undefined) return element
  const { children } = element
  // The font of a heading or a quote is not semantic.
  const isOther = element.type === 'paragraph' && !isPlain(element)
  const isLine = findLines(children)
  const settled = children.map((child, at): WordElement => {
    const inner = withStyleLevel(normalizeElements(child), children[at - 1])
    if (isLine[at]!) return { ...asLine(inner), styleId: 'PreformattedText', styleName: 'Preformatted Text' }
    if (isNamedCode(inner)) return asLine(inner)
    return !isOther && isCode(child) ? { ...inner, styleId: 'SourceText', styleName: 'Source Text' } : inner
  })
  return { ...element, ...(element.type === 'hyperlink' && destinationOf(element)), children: settled }
}

/** Styles such as “List Number 2” are items of the second level, though each is a list of its own. */
function withStyleLevel(element: WordElement, before: WordElement | undefined): WordElement {
  const { numbering, styleName } = element
  const level = /^list (?:number|bullet|continue) ([2-5])$/i.exec(styleName ?? '')?.[1]
  if (!numbering || numbering.level !== '0' || level === undefined || !before?.numbering) return element
  return { ...element, numbering: { ...numbering, level: String(Number(level) - 1) } }
}

/** Placeholder of an empty line of code, which the library would omit; no document can contain it. */
export const emptyLine = '\0'

function asLine(line: WordElement): WordElement {
  return isEmpty(line) ? { ...line, children: [{ type: 'text', value: emptyLine }] } : line
}

/** Returns which of the elements are lines of a code block, with the empty ones between them. */
function findLines(children: readonly WordElement[]): readonly boolean[] {
  const areLines: boolean[] = children.map(isLineOfCode)
  let last = -1
  for (let at = 0; at < children.length; at++) {
    if (isEmpty(children[at]!) && isPlain(children[at]!)) continue
    // A single line is more likely a word on its own.
    if (areLines[at]! && last >= 0 && areLines[last]!) areLines.fill(true, last, at)
    last = at
  }
  return areLines.map((isOne, at) => isOne && (areLines[at - 1] === true || areLines[at + 1] === true))
}

/** Styles of lines of code, as in the style map of the library. */
function isNamedCode({ type, styleName }: WordElement): boolean {
  return (
    type === 'paragraph' &&
    /^(?:code|source code|html preformatted|preformatted text|macro)$/i.test(styleName ?? '')
  )
}

/** Returns whether an element is a paragraph without content. */
export function isEmpty({ type, children = [] }: WordElement): boolean {
  return type === 'paragraph' && children.every((child) => child.type === 'run' && isBlank(child))
}

/** The library takes a field up to its last quotation mark, including Word's switches in between. */
function destinationOf({ href, anchor }: WordElement): Pick<WordElement, 'href' | 'anchor'> {
  if (anchor?.includes('"')) return { anchor: anchor.slice(0, anchor.indexOf('"')) }
  const end = href?.indexOf('" \\') ?? -1
  if (!href || end < 0) return {}
  const part = /\\l\s{1,9}"([^"]{1,300})/.exec(href.slice(end))?.[1]
  return { href: href.slice(0, end) + (part === undefined ? '' : `#${part}`) }
}

function isPlain({ styleName }: WordElement): boolean {
  return !styleName || plainStyle.test(styleName)
}

function isCode(element: WordElement): boolean {
  return element.type === 'run' && isPlain(element) && equalWidths.test(element.font ?? '')
}

function isLineOfCode(element: WordElement): boolean {
  if (element.type !== 'paragraph' || element.numbering || !isPlain(element)) return false
  const runs = (element.children ?? []).filter((child) => child.type !== 'run' || !isBlank(child))
  return runs.length > 0 && runs.every(isCode)
}

function isBlank({ children = [] }: WordElement): boolean {
  return children.every(({ type, value }) => type === 'text' && value?.trim() === '')
}
