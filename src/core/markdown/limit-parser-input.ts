/**
 * Complexity guard for the Markdown parser: hides markup that it cannot parse in linear time, and restores it in the
 * tree.
 *
 * The parser is native code with a few slow paths, each measured: nested containers, markup characters in a long
 * non-ASCII line, and very many underscores, URLs or character references in one word or paragraph. One pass over the
 * text finds what exceeds any legitimate use; there each markup character is replaced by a private-use character of
 * the same length, which the parser ignores. Past the limit such characters are text.
 */
import type { Span } from '../document/types.js'
import { decodeEntities } from './entities.js'
import type { SyntaxNode } from './syntax-node.js'

/** Quotes, lists and footnotes nested on one line: the parser is quadratic in them. */
const maxContainers = 90
/** Runs of underscores, and URLs, in one word: 256 of them take a millisecond. */
const maxInWord = 256
/** Character references in one paragraph: this many take 8 ms. Those beyond are decoded here. */
const maxReferences = 2048
/** Length of a non-ASCII line times its markup characters: the parser counts from its start for each. 2.5 ms. */
const maxLineWork = 2_000_000
/** Markup characters that every line may have: those that begin a block are among them. */
const minMarks = 32

export interface LimitedText {
  /** As long as the input. */
  readonly text: string
  /** Restores the hidden characters in the tree; returns the spans where markup became text. Undefined when nothing was hidden. */
  readonly restore: ((children: readonly SyntaxNode[]) => readonly Span[]) | undefined
}

/** Returns the text to pass to the parser; undefined when the text leaves no unused placeholder characters. */
export function limitParserInput(text: string): LimitedText | undefined {
  const hidden = findExcess(text)
  if (hidden.length === 0) return { text, restore: undefined }
  const base = chooseBase(text)
  if (base === undefined) return undefined
  const parts: string[] = []
  let done = 0
  for (const at of hidden) {
    parts.push(text.slice(done, at), String.fromCharCode(base + text.charCodeAt(at)))
    done = at + 1
  }
  parts.push(text.slice(done))
  return { text: parts.join(''), restore: (children) => restore(children, base) }
}

/** Start of a block of 128 characters that the text does not use. */
function chooseBase(text: string): number | undefined {
  const used = new Set<number>()
  for (const [character] of text.matchAll(/[\ue000-\uf8ff]/g)) used.add(character.charCodeAt(0) >> 7)
  for (let block = 0xe000 >> 7; block < 0xf900 >> 7; block++) if (!used.has(block)) return block << 7
  return undefined
}

/** Indexed by character code: every character of every text is looked up, and a Set takes four times as long. */
const isMarkAt = new Uint8Array(128)
for (const mark of '*_~`[<&\\$|:@') isMarkAt[mark.charCodeAt(0)] = 1
const container = /[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[\^[^\s\]]{1,999}\]:)/y

/** Offsets of the characters to hide, ascending. */
function findExcess(text: string): readonly number[] {
  const hidden: number[] = []
  let references = 0
  for (let start = 0; start < text.length;) {
    const from = hidden.length
    let index = hideContainers(text, start, hidden)
    let markCount = 0
    let isWide = false
    let isBlank = index === start
    let runs = 0
    let addresses = 0
    for (; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code === 10 || code === 13) break
      if (code === 32 || code === 9) {
        runs = addresses = 0
        continue
      }
      isBlank = false
      if (code > 127) isWide = true
      else markCount += isMarkAt[code]!
      if (code === 95) {
        if (text.charCodeAt(index - 1) !== 95) runs++
        if (runs > maxInWord) hidden.push(index)
      } else if (code === 38) {
        if (++references > maxReferences) hidden.push(index)
      } else if (code === 58 ? text.startsWith('//', index + 1) : code === 46 && isWww(text, index)) {
        if (++addresses > maxInWord) hidden.push(index)
      }
    }
    // Placeholders are not ASCII either.
    isWide ||= hidden.length > from
    const length = index - start
    if (isWide && markCount > minMarks && length * markCount > maxLineWork) {
      const allowed = Math.max(minMarks, Math.floor(maxLineWork / length))
      const all = new Set([...hidden.splice(from), ...excessMarks(text, start, index, allowed)])
      for (const at of [...all].toSorted((a, b) => a - b)) hidden.push(at)
    }
    if (isBlank) references = 0
    start = index + 1
  }
  return hidden
}

function isWww(text: string, dot: number): boolean {
  return /^www$/i.test(text.slice(dot - 3, dot))
}

/** Hides the containers of a line beyond the bound; returns where its content begins. */
function hideContainers(text: string, start: number, hidden: number[]): number {
  container.lastIndex = start
  let end = start
  for (let count = 1; container.test(text); count++) {
    end = container.lastIndex
    if (count > maxContainers) hidden.push(end - 1)
  }
  return end
}

const rawEnd = /<\/(?:script|pre|style|textarea)>/iy
/** End tags of raw HTML that stay in a line whose markup is hidden; otherwise what follows would be raw as well. */
const maxRawEnds = 16

/** Offsets of the marks of a line after the first `allowed` ones. */
function* excessMarks(text: string, start: number, end: number, allowed: number): Iterable<number> {
  let count = 0
  let rawEnds = 0
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index)
    const isMark = isMarkAt[code] === 1 || (code === 46 && isWww(text, index))
    if (!isMark || ++count <= allowed) continue
    rawEnd.lastIndex = index
    if (code === 60 && rawEnds < maxRawEnds && rawEnd.test(text)) rawEnds++
    else yield index
  }
}

const textProperties = ['value', 'url', 'title', 'alt', 'lang', 'meta', 'identifier'] as const
/** The content of these is literal, hidden or not. */
const literal = new Set(['html', 'code', 'inlineCode', 'math', 'inlineMath', 'yaml'])

function restore(children: readonly SyntaxNode[], base: number): readonly Span[] {
  // linear: one character.
  const stand = new RegExp(`[${String.fromCharCode(base)}-${String.fromCharCode(base + 127)}]`, 'g')
  // linear: at most 34 characters.
  const reference = new RegExp(`${String.fromCharCode(base + 38)}(#?[0-9A-Za-z]{1,32};)`, 'g')
  const show = (character: string): string => String.fromCharCode(character.charCodeAt(0) - base)
  const textSpans: Span[] = []
  const pending = children.toReversed()
  for (let node = pending.pop(); node; node = pending.pop()) {
    for (const name of textProperties) {
      const written = node[name]
      if (!written) continue
      const decoded = literal.has(node.type)
        ? written
        : written.replace(reference, (whole, rest: string) => {
            const character = decodeEntities(`&${rest}`)
            return character.startsWith('&') && character.length > 1 ? whole : character
          })
      const restored = decoded.replace(stand, show)
      if (restored !== decoded && node.type === 'text')
        textSpans.push({ start: node.position.start.offset, end: node.position.end.offset })
      if (restored !== written)
        (node as { [Name in (typeof textProperties)[number]]?: string })[name] = restored
    }
    if (node.children)
      for (let index = node.children.length - 1; index >= 0; index--) pending.push(node.children[index]!)
  }
  return textSpans
}
