/**
 * Code in documents of Word that no style names: words in a face of equal widths are code, and so are lines of nothing
 * else that stand below one another. The library calls this with what it read, before it writes HTML.
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
}

const equalWidths = /mono\b|courier|consolas|menlo|monaco|inconsolata|source code|fira code|cascadia/i
/** Styles that say nothing of what a text is. */
const plainStyle =
  /^(?:normal|standard|body text|text body|default(?: paragraph font)?|hyperlink|internet link|no spacing|plain text)$/i

/** Returns a document whose code is called by the styles that programs have for it. */
export function nameCode(document: WordElement): WordElement {
  if (document.children === undefined) return document
  const { children } = document
  const areLines = children.map(isLineOfCode)
  return {
    ...document,
    children: children.map((child, at) => {
      // A line alone is rather a word that stands alone.
      const isBlock = areLines[at]! && (areLines[at - 1] === true || areLines[at + 1] === true)
      if (isBlock) return { ...child, styleId: 'PreformattedText', styleName: 'Preformatted Text' }
      if (isCode(child)) return { ...child, styleId: 'SourceText', styleName: 'Source Text' }
      return child.type === 'paragraph' && !isPlain(child) ? child : nameCode(child)
    }),
  }
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
