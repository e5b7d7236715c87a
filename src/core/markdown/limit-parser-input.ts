/**
 * What the Markdown parser cannot read in linear time is hidden from it, and shown again in its tree.
 *
 * The parser is native code with a few slow spots, each measured: containers inside containers, marks in a long
 * line that is not ASCII, and underscores, addresses or character references without end in one word or
 * paragraph. One pass over the text finds what goes beyond any honest use; there each mark becomes a stand-in of the same
 * length, a private-use character that means nothing to the parser. Past the bound such marks are text.
 */
import type { Span } from '../document/types.js'
import { decodeEntities } from './entities.js'
import type { SyntaxNode } from './syntax-node.js'

/** Quotes, lists and footnotes that stand in one another on one line: the parser takes the square of it. */
const maxContainers = 90
/** Runs of underscores in one word, and addresses in one: 256 of them take a millisecond. */
const maxInWord = 256
/** Character references in one paragraph: so many take 8 ms. They are decoded here where the parser stops. */
const maxReferences = 2048
/** Length of a line times its marks, where it is not ASCII: the parser counts from its start for each. 2.5 ms. */
const maxLineWork = 2_000_000
/** Marks that every line has: what begins a block stands among them. */
const minMarks = 32

export interface BoundText {
  /** As long as the text given. */
  readonly text: string
  /** Shows in the tree what was hidden; returns where that made a mark into text. Undefined when nothing was hidden. */
  readonly restore: ((children: readonly SyntaxNode[]) => readonly Span[]) | undefined
}

/** Returns the text as the parser may see it, or undefined when it leaves no characters to hide anything with. */
export function boundText(text: string): BoundText | undefined {
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

/** Where 128 characters begin of which the text holds none. */
function chooseBase(text: string): number | undefined {
  const taken = new Set<number>()
  for (const [character] of text.matchAll(/[\ue000-\uf8ff]/g)) taken.add(character.charCodeAt(0) >> 7)
  for (let block = 0xe000 >> 7; block < 0xf900 >> 7; block++) if (!taken.has(block)) return block << 7
  return undefined
}

/** By their code: every character of every text is looked up, and a set takes four times as long. */
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
    // Stand-ins are not ASCII either.
    isWide ||= hidden.length > from
    const length = index - start
    if (isWide && markCount > minMarks && length * markCount > maxLineWork) {
      const kept = Math.max(minMarks, Math.floor(maxLineWork / length))
      const all = new Set([...hidden.splice(from), ...excessMarks(text, start, index, kept)])
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
/** Ends of raw HTML that stay in a line whose marks are hidden, for what follows them would be raw as well. */
const maxRawEnds = 16

/** Offsets of the marks of a line after the first `kept`. */
function* excessMarks(text: string, start: number, end: number, kept: number): Iterable<number> {
  let count = 0
  let rawEnds = 0
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index)
    const isMark = isMarkAt[code] === 1 || (code === 46 && isWww(text, index))
    if (!isMark || ++count <= kept) continue
    rawEnd.lastIndex = index
    if (code === 60 && rawEnds < maxRawEnds && rawEnd.test(text)) rawEnds++
    else yield index
  }
}

const texts = ['value', 'url', 'title', 'alt', 'lang', 'meta', 'identifier'] as const
/** What these hold is as it was written, hidden or not. */
const literal = new Set(['html', 'code', 'inlineCode', 'math', 'inlineMath', 'yaml'])

function restore(children: readonly SyntaxNode[], base: number): readonly Span[] {
  // linear: one character.
  const stand = new RegExp(`[${String.fromCharCode(base)}-${String.fromCharCode(base + 127)}]`, 'g')
  // linear: at most 34 characters.
  const reference = new RegExp(`${String.fromCharCode(base + 38)}(#?[0-9A-Za-z]{1,32};)`, 'g')
  const show = (character: string): string => String.fromCharCode(character.charCodeAt(0) - base)
  const places: Span[] = []
  const waiting = children.toReversed()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    for (const name of texts) {
      const written = node[name]
      if (!written) continue
      const decoded = literal.has(node.type)
        ? written
        : written.replace(reference, (whole, rest: string) => {
            const character = decodeEntities(`&${rest}`)
            return character.startsWith('&') && character.length > 1 ? whole : character
          })
      const shown = decoded.replace(stand, show)
      if (shown !== decoded && node.type === 'text')
        places.push({ start: node.position.start.offset, end: node.position.end.offset })
      if (shown !== written) (node as { [Name in (typeof texts)[number]]?: string })[name] = shown
    }
    if (node.children)
      for (let index = node.children.length - 1; index >= 0; index--) waiting.push(node.children[index]!)
  }
  return places
}
