/**
 * HTML tokenizer: tags, text and comments, tolerant of any input and linear in time. Nesting is decided in
 * `pair-tags.ts`, meaning in `blocks.ts` and `inlines.ts`. It does not sanitise: that happens when HTML is
 * rendered.
 */
import type { Attribute, Attributes } from './tags.js'
import { decodeEntities } from './entities.js'

export type HtmlToken =
  | { readonly kind: 'text' | 'comment' | 'mask'; readonly start: number; readonly end: number }
  | { readonly kind: 'close'; readonly name: string; readonly start: number; readonly end: number }
  | {
      readonly kind: 'open'
      readonly name: string
      readonly attributes: Attributes
      readonly start: number
      readonly end: number
    }

const tagStart = /<(\/?)([A-Za-z][A-Za-z0-9:_-]*)/y
const attribute = /[\s/]*([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y
const tagEnd = /[\s/]*>/y
const rawTextElements = new Set(['script', 'style', 'textarea', 'title', 'xmp'])

/**
 * Returns the tokens of `html`, which cover it without gaps. `mask` is the pattern, sticky, of a hidden dialect
 * tag; inside comments, scripts and styles there are none.
 */
export function tokenizeHtml(html: string, mask: RegExp | undefined): HtmlToken[] {
  const tokens: HtmlToken[] = []
  // An end that was searched once without success is not searched again: keeps the whole linear.
  const missing = new Set<string>()
  let textStart = 0
  const push = (token: HtmlToken): void => {
    if (token.start > textStart) tokens.push({ kind: 'text', start: textStart, end: token.start })
    tokens.push(token)
    textStart = token.end
  }
  const find = (pattern: string, from: number): number => {
    if (missing.has(pattern)) return -1
    const found = html.indexOf(pattern, from)
    if (found < 0) missing.add(pattern)
    return found
  }
  let start = html.indexOf('<')
  while (start >= 0) {
    const token = readToken(html, start, mask, find)
    if (token) {
      push(token)
      if (token.kind === 'open' && rawTextElements.has(token.name)) {
        const end = findRawEnd(html, token.name, token.end, missing)
        if (end > token.end) push({ kind: 'text', start: token.end, end })
      }
    }
    start = html.indexOf('<', token ? textStart : start + 1)
  }
  if (textStart < html.length) tokens.push({ kind: 'text', start: textStart, end: html.length })
  return tokens
}

function readToken(
  html: string,
  start: number,
  mask: RegExp | undefined,
  find: (pattern: string, from: number) => number,
): HtmlToken | undefined {
  const next = html[start + 1]
  if (next === '!' || next === '?') {
    if (mask) {
      mask.lastIndex = start
      if (mask.test(html)) return { kind: 'mask', start, end: mask.lastIndex }
    }
    const closing = html.startsWith('<!--', start) ? '-->' : next === '?' ? '?>' : '>'
    const end = find(closing, start + 2)
    return end < 0 ? undefined : { kind: 'comment', start, end: end + closing.length }
  }
  tagStart.lastIndex = start
  const match = tagStart.exec(html)
  if (!match) return undefined
  const name = match[2]!.toLowerCase()
  if (match[1]) {
    const end = closeTag(html, tagStart.lastIndex)
    return end < 0 ? undefined : { kind: 'close', name, start, end }
  }
  return openTag(html, name, start, tagStart.lastIndex)
}

function closeTag(html: string, from: number): number {
  tagEnd.lastIndex = from
  return tagEnd.test(html) ? tagEnd.lastIndex : -1
}

function openTag(html: string, name: string, start: number, from: number): HtmlToken | undefined {
  const attributes = new Map<string, Attribute>()
  for (let index = from; ;) {
    const end = closeTag(html, index)
    if (end >= 0) return { kind: 'open', name, attributes, start, end }
    attribute.lastIndex = index
    const match = attribute.exec(html)
    if (!match) return undefined
    index = attribute.lastIndex
    const key = match[1]!.toLowerCase()
    if (attributes.has(key)) continue
    const written = match[2] ?? match[3] ?? match[4] ?? ''
    const last = match[2] !== undefined || match[3] !== undefined ? index - 1 : index
    attributes.set(key, {
      value: decodeEntities(written),
      span: { start: last - written.length, end: last },
    })
  }
}

function findRawEnd(html: string, name: string, from: number, missing: Set<string>): number {
  if (missing.has(name)) return from
  // linear: a word.
  const pattern = new RegExp(`</${name}\\b`, 'gi')
  pattern.lastIndex = from
  const match = pattern.exec(html)
  if (!match) missing.add(name)
  return match ? match.index : from
}
