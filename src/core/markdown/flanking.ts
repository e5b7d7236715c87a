/**
 * Delimiter flanking: emphasis beside CJK and punctuation, as the author saw it in the editor.
 *
 * CommonMark decides from the two characters beside a run of `*` whether it opens or closes emphasis, by rules made
 * for words separated by spaces. The CJK-friendly amendments extend them to CJK; and editors write `**can'**t`,
 * `**Note:**text` and `**Note: **text` for bold text ending in punctuation. The parser supports neither, so a
 * placeholder letter or punctuation character is inserted beside such a run before parsing, and removed from the tree
 * afterwards.
 */
import { partitionPoint } from '../binary-search.js'
import type { SyntaxNode } from './syntax-node.js'

export interface AdjustedText {
  readonly text: string
  /** Removes the placeholders from the tree; undefined when none were inserted. */
  readonly restore: ((children: readonly SyntaxNode[]) => void) | undefined
  /** Maps an offset of `text` to the original text. */
  readonly at: (offset: number) => number
}

const cjk =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Yi}\u3001-\u303f\u30fb\u30fc\u3200-\u33ff\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uffee]/u
const punctuation = /[\p{P}\p{S}]/u
const blank = /^\s?$/u

/** Returns whether the amendments treat the character as CJK: ideographs, kana, Hangul, and their punctuation. */
export function isCjk(character: string): boolean {
  return character > '\u10ff' && cjk.test(character)
}

/** Returns whether a run of `*` between two characters may open emphasis; an edge of the text is an empty string. */
export function mayOpen(before: string, after: string): boolean {
  if (blank.test(after)) return false
  return !isOtherPunctuation(after) || blank.test(before) || punctuation.test(before) || isCjk(before)
}

/** Returns whether a run of `*` between two characters may close emphasis: the mirror of `mayOpen`. */
export function mayClose(before: string, after: string): boolean {
  return mayOpen(after, before)
}

function isOtherPunctuation(character: string): boolean {
  return punctuation.test(character) && !isCjk(character)
}

const runs = /\*+|_+|~~/g
/** Candidates for the punctuation placeholder; the first one that the text does not contain is used. */
const substitutes = Array.from('\u203d\u2e2e\u2e18\u2042\u2051\u204a\u2e4e\u2e40')

/** Returns the text to pass to the parser. */
export function adjustEmphasis(text: string): AdjustedText {
  const punctuationSign = substitutes.find((sign) => !text.includes(sign))
  const letterSign = Array.from({ length: 16 }, (_, index) => String.fromCharCode(0xf8f0 + index)).find(
    (sign) => !text.includes(sign),
  )
  const untouched: AdjustedText = { text, restore: undefined, at: (offset) => offset }
  if (punctuationSign === undefined || letterSign === undefined) return untouched
  const offsets: number[] = []
  const parts: string[] = []
  let done = 0
  const insert = (offset: number, appearance: Appearance): void => {
    offsets.push(offset)
    parts.push(text.slice(done, offset), appearance === 'letter' ? letterSign : punctuationSign)
    done = offset
  }
  let lastEnd = 0
  for (const { 0: run, index } of text.matchAll(runs)) {
    const end = index + run.length
    const before = characterBefore(text, index)
    const after = characterAt(text, end)
    const followsRun = lastEnd > 0 && !text.slice(lastEnd, index).includes('\n')
    lastEnd = end
    if (blank.test(before)) {
      if (followsRun && run.length > 1 && before === ' ' && endsLabel(text, index)) insert(index, 'letter')
      continue
    }
    if (blank.test(after)) continue
    const first = appearance(before, after, run)
    if (first) insert(index, first)
    const second = appearance(after, before, run)
    if (second) insert(end, second)
    if (first || second || run.startsWith('_')) continue
    if (isLooseEnd(text, index, run, before, after)) insert(end, 'punctuation')
    else if (isLooseStart(text, end, before, after)) insert(index, 'punctuation')
  }
  if (offsets.length === 0) return untouched
  parts.push(text.slice(done))
  // Offsets of the placeholders in the result.
  const starts = offsets.map((place, index) => place + index)
  const at = (offset: number): number => offset - countBelow(starts, offset)
  // linear: one character.
  const pattern = new RegExp(`[${letterSign}${punctuationSign}]`, 'g')
  return { text: parts.join(''), restore: (children) => restore(children, pattern, at), at }
}

type Appearance = 'letter' | 'punctuation'

/** Returns how the parser must classify a character beside a run; undefined when it already does. */
function appearance(character: string, other: string, run: string): Appearance | undefined {
  if (!isCjk(character)) return undefined
  const isPunctuation = punctuation.test(character)
  // An underscore inside a word is not a delimiter; between ideographs there are no words.
  const required = run.startsWith('_') || isOtherPunctuation(other) ? 'punctuation' : 'letter'
  return isPunctuation === (required === 'punctuation') ? undefined : required
}

const word = /[\p{L}\p{N}]/u
const quotes = '"\'\u2019\u201d'
const looseEnds = `${quotes})\`\u00bb`
/** After these a single `*` is more often literal than the end of emphasis. */
const boldEnds = '.,:;!?%]}\u2026'

/** Returns whether emphasis ending in punctuation may close although a word follows: `**Note:**text`. */
function isLooseEnd(text: string, start: number, run: string, before: string, after: string): boolean {
  if (!word.test(after)) return false
  if (run.length > 1 && boldEnds.includes(before)) return true
  return looseEnds.includes(before) && !(quotes.includes(before) && opensQuote(text, start - 1))
}

/** Returns whether emphasis starting with a quote or code may open although a word precedes it. */
function isLooseStart(text: string, end: number, before: string, after: string): boolean {
  return word.test(before) && '"\u201c\u2018`'.includes(after) && !blank.test(characterAt(text, end + 1))
}

function opensQuote(text: string, at: number): boolean {
  const before = characterBefore(text, at)
  return blank.test(before) || '([{<'.includes(before)
}

/** Returns whether a label precedes the space before `index`: `**Note: **`. */
function endsLabel(text: string, index: number): boolean {
  return '.:'.includes(text[index - 2] ?? ' ')
}

function characterAt(text: string, index: number): string {
  const code = text.codePointAt(index)
  return code === undefined ? '' : String.fromCodePoint(code)
}

function characterBefore(text: string, index: number): string {
  if (index === 0) return ''
  const isPair = index > 1 && /[\udc00-\udfff]/.test(text[index - 1]!)
  return characterAt(text, isPair ? index - 2 : index - 1)
}

const textProperties = ['value', 'url', 'title', 'alt', 'lang', 'meta', 'identifier'] as const

function restore(children: readonly SyntaxNode[], pattern: RegExp, at: (offset: number) => number): void {
  const pending = children.toReversed()
  for (let node = pending.pop(); node; node = pending.pop()) {
    for (const name of textProperties) {
      const written = node[name]
      if (written)
        (node as { [Name in (typeof textProperties)[number]]?: string })[name] = written.replace(pattern, '')
    }
    const { start, end } = node.position
    Object.assign(node, {
      position: { start: { offset: at(start.offset) }, end: { offset: at(end.offset) } },
    })
    for (let index = (node.children?.length ?? 0) - 1; index >= 0; index--)
      pending.push(node.children![index]!)
  }
}

function countBelow(sorted: readonly number[], limit: number): number {
  return partitionPoint(sorted.length, (position) => sorted[position]! < limit)
}
