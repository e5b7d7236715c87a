/** Admonitions: notes and warnings of the well-known documentation generators become hints. */
import type { Block, HintStyle } from '../document/types.js'
import { plainText } from '../document/plain-text.js'
import { type HtmlElement, classesOf, elementsOf, findElement, valueOf, wordsOf } from './nodes.js'
import { type HtmlReader, noSpan } from './reader.js'

const styles = new Map<string, HintStyle>(
  Object.entries({
    info: 'note info information important seealso abstract summary tldr question help faq example quote cite secondary primary version',
    success: 'tip success hint check done',
    warning: 'warning warn caution attention todo experimental deprecated',
    danger: 'danger error bug failure fail failed critical',
  }).flatMap(([style, words]) =>
    words.split(' ').map((word): [string, HintStyle] => [word, style as HintStyle]),
  ),
)

const bySeverity: readonly HintStyle[] = ['danger', 'warning', 'success', 'info']

/** Classes of admonitions whose style is in another class. */
const containers = new Set(
  (
    'admonition theme-admonition admonitionblock alert callout custom-block starlight-aside markdown-alert notecard hint ' +
    'confluence-information-macro doc-note panel-note infobox admonition-block rubric-note flash message-block bs-callout'
  ).split(' '),
)

/** Returns the hint of an admonition; undefined when the element is not one. */
export function readAdmonition(reader: HtmlReader, element: HtmlElement): readonly Block[] | undefined {
  const style = styleOf(element)
  if (style === undefined) return undefined
  // An admonition laid out as a table has its text in the last cell.
  const table = elementsOf(element)[0]
  const cell =
    table?.name === 'table'
      ? findElement(table, (one) => one.name === 'td' && classesOf(one).includes('content'))
      : undefined
  const body = cell ?? element
  const title = findTitle(body)
  if (title) reader.skipped.add(title)
  const blocks = reader.blocks(body.children)
  const words = title ? wordsOf(title).replace(/[:：]$/, '') : ''
  const isLabel = words === '' || styles.has(words.toLowerCase().replace(/\s+/g, ''))
  const children = title && !isLabel ? reader.inlines(title.children, [{ type: 'bold' }]) : []
  const content: Block[] =
    plainText(children).trim() === '' ? blocks : [{ type: 'paragraph', span: noSpan, children }, ...blocks]
  return content.length === 0 ? [] : [{ type: 'hint', span: noSpan, style, blocks: content }]
}

function styleOf(element: HtmlElement): HintStyle | undefined {
  const { name } = element
  if (name !== 'div' && name !== 'aside' && name !== 'section' && name !== 'blockquote' && name !== 'p')
    return undefined
  const all = classesOf(element)
  if (all.length === 0) return undefined
  const isContainer = all.some((one) => containers.has(one))
  const isPlain = !isContainer && name !== 'section' && all.length <= 2
  if (!isContainer && !isPlain) return undefined
  // A bare word counts only as the first of at most two classes; other elements may have such a class as well.
  if (isPlain) {
    const [first] = all
    return /^(?:note|tip|warning|important|caution|danger|info)$/.test(first!)
      ? styles.get(first!)
      : undefined
  }
  const words = all
    .flatMap((one) => [one, ...one.split(/[-_]+/)])
    .concat(valueOf(element, 'data-callout') ?? [])
  // Confluence warnings are red, and its notes are what others call warnings.
  if (all.includes('confluence-information-macro-note')) return 'warning'
  if (all.includes('confluence-information-macro-warning')) return 'danger'
  const styleCandidates = new Set(
    words.flatMap((word) => (containers.has(word) ? [] : (styles.get(word) ?? []))),
  )
  // The most severe word wins: the class of the macro itself may contain another.
  return bySeverity.find((style) => styleCandidates.has(style)) ?? 'info'
}

/** The title element of the admonition. */
function findTitle(body: HtmlElement): HtmlElement | undefined {
  let examined = 0
  for (const one of elementsOf(body).slice(0, 3)) {
    if (isTitle(one)) return one
    for (const inner of elementsOf(one).slice(0, 2)) if (isTitle(inner) && ++examined < 4) return inner
  }
  return undefined
}

function isTitle(element: HtmlElement): boolean {
  return classesOf(element).some((name) =>
    /^(?:admonition-title|custom-block-title|starlight-aside__title|markdown-alert-title|callout-title|title|alert-heading|admonition-heading|admonitionheading_\w{1,20})$/.test(
      name,
    ),
  )
}
