/**
 * What is put right in a document of Word between the library's reading and its writing of HTML. Code that no style names:
 * words in a face of equal widths, and lines of nothing else below one another. Links that are fields with several words.
 */

/** What is looked at in the library's elements; what they hold besides stays in them. */
interface WordElement {
  readonly type: string
  readonly children?: readonly WordElement[]
  /** Of a run: the face it names itself. */
  readonly font?: string | null
  readonly styleId?: string | null
  readonly styleName?: string | null
  /** Of a paragraph in a list. */
  readonly numbering?: unknown
  readonly value?: string
  /** Of a link: where it leads, out of the document or within it. */
  readonly href?: string | null
  readonly anchor?: string | null
}

const equalWidths = /mono\b|courier|consolas|menlo|monaco|inconsolata|source code|fira code|cascadia/i
/** Styles that say nothing of what a text is. */
const plainStyle =
  /^(?:normal|standard|body text|text body|default(?: paragraph font)?|hyperlink|internet link|no spacing|plain text)$/i

/** Returns a document whose links lead where they say, and whose code is called by the styles that programs have for it. */
export function normalizeElements(element: WordElement): WordElement {
  if (element.children === undefined) return element
  const { children } = element
  // The face of a heading or a quote says nothing of its words.
  const isOther = element.type === 'paragraph' && !isPlain(element)
  const isLine = findLines(children)
  const settled = children.map((child, at): WordElement => {
    const inner = normalizeElements(child)
    if (isLine[at]!) return { ...asLine(inner), styleId: 'PreformattedText', styleName: 'Preformatted Text' }
    if (isNamedCode(inner)) return asLine(inner)
    return !isOther && isCode(child) ? { ...inner, styleId: 'SourceText', styleName: 'Source Text' } : inner
  })
  return { ...element, ...(element.type === 'hyperlink' && destinationOf(element)), children: settled }
}

/** What stands in an empty line of code, which the library would leave out; no document can hold it. */
export const emptyLine = '\0'

function asLine(line: WordElement): WordElement {
  return isEmpty(line) ? { ...line, children: [{ type: 'text', value: emptyLine }] } : line
}

/** Returns which of the elements are lines of a block of code, with the empty ones between them. */
function findLines(children: readonly WordElement[]): readonly boolean[] {
  const areLines: boolean[] = children.map(isLineOfCode)
  let last = -1
  for (let at = 0; at < children.length; at++) {
    if (isEmpty(children[at]!) && isPlain(children[at]!)) continue
    // A line alone is rather a word that stands alone.
    if (areLines[at]! && last >= 0 && areLines[last]!) areLines.fill(true, last, at)
    last = at
  }
  return areLines.map((isOne, at) => isOne && (areLines[at - 1] === true || areLines[at + 1] === true))
}

/** Styles of lines of code, as the library is told to read them. */
function isNamedCode({ type, styleName }: WordElement): boolean {
  return (
    type === 'paragraph' &&
    /^(?:code|source code|html preformatted|preformatted text|macro)$/i.test(styleName ?? '')
  )
}

function isEmpty({ type, children = [] }: WordElement): boolean {
  return type === 'paragraph' && children.every((child) => child.type === 'run' && isBlank(child))
}

/** The library takes a field up to its last sign of quotation, whatever words of Word stand between. */
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
