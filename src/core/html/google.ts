/**
 * Documents of Google, downloaded as a web page: code is paragraphs in a face of equal widths, or stands between two
 * signs that no face has; comments stand behind the text, and the lines of a table of contents end with numbers of pages.
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
import { type Changes, newElement, newText } from './rewrite.js'

/** The signs around what somebody inserted as a block of code. */
const begin = '\uec03'
const end = '\uec02'

type Styles = ReadonlyMap<string, readonly Mark[]>

/** Gathers what is to change in a document of Google. */
export function settleGoogle(
  document: HtmlElement,
  styles: Styles,
  changes: Changes,
  lose: (what: string) => void,
): void {
  for (const element of descendants(document)) {
    if (element.name === 'a') settleComment(element, changes, lose)
    else if (element.name === 'p') settlePageNumber(element, changes)
    if (element.children.some((child) => child.kind === 'element' && child.name === 'p'))
      settleCode(element, styles, changes)
  }
}

function settleComment(a: HtmlElement, changes: Changes, lose: (what: string) => void): void {
  const id = valueOf(a, 'id') ?? ''
  if (/^cmnt_ref\d{1,6}$/.test(id)) changes.set(a.parent?.name === 'sup' ? a.parent : a, [])
  else if (/^cmnt\d{1,6}$/.test(id)) {
    const line = a.parent ?? a
    const around = line.parent
    changes.set(around?.name === 'div' && elementsOf(around)[0] === line ? around : line, [])
    lose('comments')
  }
}

/** A line of a table of contents leads to its heading twice, by its words and by a number. */
function settlePageNumber(line: HtmlElement, changes: Changes): void {
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

/** Lines of code that follow each other are one block of it. */
function settleCode(outer: HtmlElement, styles: Styles, changes: Changes): void {
  let lines: HtmlElement[] = []
  let isMarked = false
  const flush = (): void => {
    // Lines without words at its end are none of it.
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
    if (words.includes(begin)) {
      flush()
      isMarked = true
    }
    const at = isMarked ? words.indexOf(end) : -1
    if (at >= 0) {
      if (words.slice(0, at).replace(begin, '').trim() !== '') {
        // All of it in one line.
        const code = newElement('p', {}, [newText(words.slice(0, at))])
        changes.set(child, [code, newElement('p', {}, [newText(words.slice(at + 1))])])
        lines.push(code)
        flush()
        continue
      }
      flush()
      if (words.slice(at + 1).trim() === '') changes.set(child, [])
      else for (const text of textsOf(child)) text.value = text.value.replace(end, '')
    } else if (isMarked) lines.push(child)
    else if (isMono(child, styles) || (words.trim() === '' && lines.length > 0)) lines.push(child)
    else flush()
  }
  // What nobody ended is no block of code.
  isMarked = false
  flush()
}

function lineOf(line: HtmlElement): string {
  const parts: string[] = []
  const waiting: HtmlNode[] = [line]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.kind === 'text') parts.push(next.value.replace(/[ \t\r\n]+/g, ' '))
    else if (next.name === 'br') parts.push('\n')
    else for (let index = next.children.length - 1; index >= 0; index--) waiting.push(next.children[index]!)
  }
  return parts.join('').replaceAll('\u00a0', ' ').replace(begin, '').trimEnd()
}

/** Whether all words of a paragraph are in a face of equal widths. */
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
