/**
 * Normalizes HTML exports of Google Docs: monospaced paragraphs, and those between two private-use characters, become
 * code; comments after the text and page numbers in tables of contents are removed.
 */
import type { Mark } from '../document/types.js'
import { marksOfStyle } from './marks.js'
import {
  type HtmlElement,
  type HtmlNode,
  classesOf,
  descendants,
  elementsOf,
  textOf,
  valueOf,
  wordsOf,
} from './nodes.js'
import { type Replacements, newElement, newText } from './rewrite.js'

/** Private-use characters around an inserted code block. */
const codeStart = '\uec03'
const codeEnd = '\uec02'

type Styles = ReadonlyMap<string, readonly Mark[]>

/** Collects the replacements for a Google Docs export. */
export function normalizeGoogleDocs(
  document: HtmlElement,
  styles: Styles,
  changes: Replacements,
  reportLoss: (what: string) => void,
): void {
  for (const element of descendants(document)) {
    if (element.name === 'a') removeComment(element, changes, reportLoss)
    else if (element.name === 'p') removePageNumber(element, changes)
    if (element.children.some((child) => child.kind === 'element' && child.name === 'p'))
      replaceCode(element, styles, changes)
  }
}

function removeComment(a: HtmlElement, changes: Replacements, reportLoss: (what: string) => void): void {
  const id = valueOf(a, 'id') ?? ''
  if (/^cmnt_ref\d{1,6}$/.test(id)) changes.set(a.parent?.name === 'sup' ? a.parent : a, [])
  else if (/^cmnt\d{1,6}$/.test(id)) {
    const line = a.parent ?? a
    const around = line.parent
    changes.set(around?.name === 'div' && elementsOf(around)[0] === line ? around : line, [])
    reportLoss('comments')
  }
}

/** A line of a table of contents links to its heading twice: with the text and with a page number. */
function removePageNumber(line: HtmlElement, changes: Replacements): void {
  const parts = elementsOf(line)
  const links = parts.map((part) => (part.name === 'a' ? part : elementsOf(part)[0]))
  const last = links.at(-1)
  const first = links[0]
  if (links.length < 2 || first?.name !== 'a' || last?.name !== 'a' || !/^\d{1,4}$/.test(wordsOf(last)))
    return
  const target = valueOf(first, 'href')
  if (target?.startsWith('#') !== true || target !== valueOf(last, 'href')) return
  for (const part of parts.slice(1))
    if (part === parts.at(-1) || textOf(part).trim() === '') changes.set(part, [])
}

/** Adjacent lines of code become one code block. */
function replaceCode(outer: HtmlElement, styles: Styles, changes: Replacements): void {
  let lines: HtmlElement[] = []
  let isMarked = false
  const flush = (): void => {
    // Trailing blank lines are not part of the code.
    let count = lines.length
    while (count > 0 && textOf(lines[count - 1]!).trim() === '') count--
    const [first, ...others] = lines.slice(0, count)
    if (first !== undefined && (isMarked || count > 1)) {
      changes.set(first, [newElement('pre', {}, [newText([first, ...others].map(lineOf).join('\n'))])])
      for (const line of others) changes.set(line, [])
    }
    lines = []
    isMarked = false
  }
  for (const child of outer.children) {
    if (child.kind === 'text' && child.value.trim() === '') continue
    if (child.kind === 'text' || child.name !== 'p') {
      flush()
      continue
    }
    const words = textOf(child)
    if (words.includes(codeStart)) {
      flush()
      isMarked = true
    }
    const at = isMarked ? words.indexOf(codeEnd) : -1
    if (at >= 0) {
      if (words.slice(0, at).replace(codeStart, '').trim() !== '') {
        // The whole code block is in one paragraph.
        const code = newElement('p', {}, [newText(words.slice(0, at))])
        changes.set(child, [code, newElement('p', {}, [newText(words.slice(at + 1))])])
        lines.push(code)
        flush()
        continue
      }
      flush()
      if (words.slice(at + 1).trim() === '') changes.set(child, [])
      else for (const text of textsOf(child)) text.value = text.value.replace(codeEnd, '')
    } else if (isMarked) lines.push(child)
    else if (isMono(child, styles) || (words.trim() === '' && lines.length > 0)) lines.push(child)
    else flush()
  }
  // Without an end marker it is not a code block.
  isMarked = false
  flush()
}

function lineOf(line: HtmlElement): string {
  const parts: string[] = []
  const pending: HtmlNode[] = [line]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.kind === 'text') parts.push(next.value.replace(/[ \t\r\n]+/g, ' '))
    else if (next.name === 'br') parts.push('\n')
    else for (let index = next.children.length - 1; index >= 0; index--) pending.push(next.children[index]!)
  }
  return parts.join('').replaceAll('\u00a0', ' ').replace(codeStart, '').trimEnd()
}

/** Returns whether a paragraph is entirely monospaced. */
function isMono(line: HtmlElement, styles: Styles): boolean {
  let holds = false
  for (const part of line.children) {
    if (textOf(part).trim() === '') continue
    if (part.kind === 'text' || part.name !== 'span' || !isCode(part, styles)) return false
    holds = true
  }
  return holds
}

function isCode(span: HtmlElement, styles: Styles): boolean {
  const marks = [
    ...classesOf(span).flatMap((name) => styles.get(name) ?? []),
    ...marksOfStyle(valueOf(span, 'style') ?? ''),
  ]
  return marks.some(({ type }) => type === 'code')
}

function* textsOf(element: HtmlElement): Generator<{ value: string }> {
  for (const one of [element, ...descendants(element)])
    for (const child of one.children) if (child.kind === 'text') yield child
}
