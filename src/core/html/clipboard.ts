/**
 * Clipboard HTML: rewrites what word processors, spreadsheets, code editors and Notion copy to plain HTML, before it is
 * converted for pasting. Exports of these products have other markup.
 *
 * Word writes list items as paragraphs whose style names a list and a level; spreadsheets have no header cells; code
 * editors write each line as an element of a monospaced block.
 */
import {
  type HtmlElement,
  type HtmlNode,
  classesOf,
  descendants,
  elementsOf,
  hasClass,
  isElement,
  textOf,
  valueOf,
} from './nodes.js'
import { type Replacements, newElement, newText } from './rewrite.js'

const spreadsheet =
  /google-sheets-html-origin|urn:schemas-microsoft-com:office:excel|ProgId"?\s+content="?Excel/i

/** Collects the replacements for a document that was parsed from `html`. */
export function normalizeClipboard(document: HtmlElement, html: string, changes: Replacements): void {
  const isWord = html.includes('mso-list') || /class="?Mso/.test(html)
  const isSpreadsheet = spreadsheet.test(html)
  const isNotion = html.includes('notionvc')
  for (const element of descendants(document)) {
    if (isWord) {
      nestWordLists(element, changes)
      replaceWordParagraph(element, changes)
    }
    if (isSpreadsheet && element.name === 'table') makeHeaderRow(element, changes)
    if (isNotion) replaceNotion(element, changes)
    if (element.name === 'div' && isCodeEditor(element)) replaceCode(element, changes)
    if (hasClass(element, 'apple-converted-space')) changes.set(element, [newText(' ')])
  }
}

interface WordItem {
  readonly paragraph: HtmlElement
  readonly list: string
  readonly level: number
}

function wordItemOf(node: HtmlNode): WordItem | undefined {
  if (node.kind === 'text' || node.name !== 'p') return undefined
  const style = node.attributes.get('style') ?? ''
  const [, list, level] = /mso-list:\s{0,4}(l\d{1,6}) level(\d)/i.exec(style) ?? []
  return list === undefined ? undefined : { paragraph: node, list, level: Number(level) }
}

/** Adjacent paragraphs of lists become nested lists. */
function nestWordLists(parent: HtmlElement, changes: Replacements): void {
  let run: WordItem[] = []
  const flush = (): void => {
    const [first, ...others] = run
    if (first === undefined) return
    changes.set(first.paragraph, listsOf(run, changes))
    for (const { paragraph } of others) changes.set(paragraph, [])
    run = []
  }
  for (const child of parent.children) {
    const item = wordItemOf(child)
    if (item !== undefined) run.push(item)
    else if (child.kind !== 'text' || child.value.trim() !== '') flush()
  }
  flush()
}

function listsOf(items: readonly WordItem[], changes: Replacements): HtmlElement[] {
  const roots: HtmlElement[] = []
  const open: { readonly level: number; readonly name: string; readonly list: HtmlElement }[] = []
  for (const { paragraph, list: name, level } of items) {
    while (open.length > 0 && open.at(-1)!.level > level) open.pop()
    const marker = takeMarker(paragraph, changes)
    const kind = orderedMarker.test(marker) ? 'ol' : 'ul'
    const last = open.at(-1)
    let list = last?.level === level && last.name === name && last.list.name === kind ? last.list : undefined
    if (list === undefined) {
      if (last?.level === level) open.pop()
      const number = /^\(?(\d{1,6})/.exec(marker)?.[1]
      list = newElement(kind, number === undefined ? {} : { start: number }, [])
      const item = open.at(-1)?.list.children.at(-1)
      if (item?.kind === 'element') item.children.push(list)
      else roots.push(list)
      open.push({ level, name, list })
    }
    list.children.push(newElement('li', {}, [newElement('p', {}, paragraph.children)]))
  }
  return roots
}

const orderedMarker = /^\(?(?:\d{1,6}|[a-z]{1,8})[.)]/i

/** Removes the bullet or number of a list paragraph, which Word writes as text, and returns it. */
function takeMarker(paragraph: HtmlElement, changes: Replacements): string {
  let marker = ''
  for (const one of descendants(paragraph)) {
    if (!/mso-list:\s{0,4}ignore/i.test(one.attributes.get('style') ?? '')) continue
    marker ||= textOf(one).replaceAll('\u00a0', ' ').trim()
    changes.set(one, [])
  }
  return marker
}

function replaceWordParagraph(element: HtmlElement, changes: Replacements): void {
  if (element.name !== 'p' || changes.has(element)) return
  const all = classesOf(element)
  if (all.includes('msotitle')) changes.set(element, [newElement('h1', {}, element.children)])
  else if (all.some((name) => name.startsWith('msoquote') || name.startsWith('msointensequote')))
    changes.set(element, [newElement('blockquote', {}, [newElement('p', {}, element.children)])])
}

/** The first row of copied cells has the titles of the columns. */
function makeHeaderRow(table: HtmlElement, changes: Replacements): void {
  const rows = elementsOf(table).flatMap((part) =>
    part.name === 'tr' ? [part] : elementsOf(part).filter(({ name }) => name === 'tr'),
  )
  if (rows.length < 2) return
  for (const cell of elementsOf(rows[0]!))
    if (cell.name === 'td')
      changes.set(cell, [newElement('th', Object.fromEntries(cell.attributes), cell.children)])
}

/** Notion's callouts, and to-dos, which it writes as text. */
function replaceNotion(element: HtmlElement, changes: Replacements): void {
  if (element.name === 'aside')
    changes.set(element, [newElement('div', { class: 'admonition note' }, element.children)])
  if (element.name !== 'li') return
  const [first] = element.children
  const text = first !== undefined && isElement(first) ? first.children[0] : first
  if (text?.kind !== 'text') return
  const [box, mark] = /^\s{0,8}\[([ xX])\]\s/.exec(text.value) ?? []
  if (box === undefined) return
  const checked = mark === ' ' ? {} : { checked: '' }
  const input = newElement('input', { type: 'checkbox', ...checked }, [])
  changes.set(text, [input, newText(text.value.slice(box.length))])
}

function isCodeEditor(element: HtmlElement): boolean {
  const style = valueOf(element, 'style') ?? ''
  return (
    /white-space:\s{0,4}pre\s{0,4}(?:;|$)/i.test(style) &&
    /font-family:[^;]{0,400}(?:monospace|consolas|menlo|monaco|courier)/i.test(style)
  )
}

/** Several lines become a code block, one line a line of code. */
function replaceCode(element: HtmlElement, changes: Replacements): void {
  const parts = elementsOf(element)
  const isOneLine =
    parts.length <= 1 && parts.every((part) => elementsOf(part).every(({ name }) => name !== 'div'))
  const code = isOneLine
    ? newElement('p', {}, [newElement('code', {}, [newText(textOf(element))])])
    : newElement('pre', {}, element.children)
  changes.set(element, [code])
}
