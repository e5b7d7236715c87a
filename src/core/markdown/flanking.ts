/**
 * Emphasis beside CJK and punctuation, as the author saw it in the editor that wrote it.
 *
 * CommonMark finds out from the two characters beside a run of `*` whether it begins or ends emphasis, in a way made
 * for words with spaces between them. The CJK-friendly amendments let it do so beside CJK as well; and
 * `**can'**t`, `**Note:**text` and `**Note: **text` are what editors write for bold that ends at punctuation. The
 * parser follows neither, so a sign that stands for a letter or for punctuation is put beside such a run before it
 * reads, and taken out of its tree again.
 */
import type { SyntaxNode } from './syntax-node.js'

export interface EasedText {
  readonly text: string
  /** Takes the signs out of the tree; undefined when none were put in. */
  readonly restore: ((children: readonly SyntaxNode[]) => void) | undefined
  /** Where a character of `text` stands in the text that was given. */
  readonly at: (offset: number) => number
}

const cjk =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Yi}\u3001-\u303f\u30fb\u30fc\u3200-\u33ff\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uffee]/u
const punctuation = /[\p{P}\p{S}]/u
const blank = /^\s?$/u

/** Whether the amendments count the character as CJK: ideographs, kana, Hangul, and their punctuation. */
export function isCjk(character: string): boolean {
  return character > '\u10ff' && cjk.test(character)
}

/** Whether a run of `*` between two characters may begin emphasis; an edge of the text is an empty string. */
export function mayOpen(before: string, after: string): boolean {
  if (blank.test(after)) return false
  return !isOtherPunctuation(after) || blank.test(before) || punctuation.test(before) || isCjk(before)
}

/** Whether a run of `*` between two characters may end emphasis: the mirror of `mayOpen`. */
export function mayClose(before: string, after: string): boolean {
  return mayOpen(after, before)
}

function isOtherPunctuation(character: string): boolean {
  return punctuation.test(character) && !isCjk(character)
}

const runs = /\*+|_+|~~/g
/** Punctuation that stands for such in the parser's eyes; the first that a text does not hold is taken. */
const signs = Array.from('\u203d\u2e2e\u2e18\u2042\u2051\u204a\u2e4e\u2e40')

/** Returns the text as the parser is to see it. */
export function easeEmphasis(text: string): EasedText {
  const punctuationSign = signs.find((sign) => !text.includes(sign))
  const letterSign = Array.from({ length: 16 }, (_, index) => String.fromCharCode(0xf8f0 + index)).find(
    (sign) => !text.includes(sign),
  )
  const untouched: EasedText = { text, restore: undefined, at: (offset) => offset }
  if (punctuationSign === undefined || letterSign === undefined) return untouched
  const places: number[] = []
  const parts: string[] = []
  let done = 0
  const insert = (place: number, appearance: Appearance): void => {
    places.push(place)
    parts.push(text.slice(done, place), appearance === 'letter' ? letterSign : punctuationSign)
    done = place
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
  if (places.length === 0) return untouched
  parts.push(text.slice(done))
  // Where each sign stands once all are in.
  const starts = places.map((place, index) => place + index)
  const at = (offset: number): number => offset - countBelow(starts, offset)
  // linear: one character.
  const pattern = new RegExp(`[${letterSign}${punctuationSign}]`, 'g')
  return { text: parts.join(''), restore: (children) => restore(children, pattern, at), at }
}

type Appearance = 'letter' | 'punctuation'

/** What a character beside a run has to look like, when that is not what it is. */
function appearance(character: string, other: string, run: string): Appearance | undefined {
  if (!isCjk(character)) return undefined
  const isPunctuation = punctuation.test(character)
  // An underscore inside a word is no mark; between ideographs there are no words to be inside of.
  const wanted = run.startsWith('_') || isOtherPunctuation(other) ? 'punctuation' : 'letter'
  return isPunctuation === (wanted === 'punctuation') ? undefined : wanted
}

const word = /[\p{L}\p{N}]/u
const quotes = '"\'\u2019\u201d'
const looseEnds = `${quotes})\`\u00bb`
/** After these a single `*` is more often a sign of its own than the end of emphasis. */
const boldEnds = '.,:;!?%]}\u2026'

/** Whether emphasis that ends with punctuation may end here, though a word follows: `**Note:**text`. */
function isLooseEnd(text: string, start: number, run: string, before: string, after: string): boolean {
  if (!word.test(after)) return false
  if (run.length > 1 && boldEnds.includes(before)) return true
  return looseEnds.includes(before) && !(quotes.includes(before) && opensQuote(text, start - 1))
}

/** Whether emphasis that begins with a quote or code may begin here, though a word stands before it. */
function isLooseStart(text: string, end: number, before: string, after: string): boolean {
  return word.test(before) && '"\u201c\u2018`'.includes(after) && !blank.test(characterAt(text, end + 1))
}

function opensQuote(text: string, at: number): boolean {
  const before = characterBefore(text, at)
  return blank.test(before) || '([{<'.includes(before)
}

/** Whether a label stands before the space before `index`: `**Note: **`. */
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

const texts = ['value', 'url', 'title', 'alt', 'lang', 'meta', 'identifier'] as const

function restore(children: readonly SyntaxNode[], pattern: RegExp, at: (offset: number) => number): void {
  const waiting = children.toReversed()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    for (const name of texts) {
      const written = node[name]
      if (written)
        (node as { [Name in (typeof texts)[number]]?: string })[name] = written.replace(pattern, '')
    }
    const { start, end } = node.position
    Object.assign(node, {
      position: { start: { offset: at(start.offset) }, end: { offset: at(end.offset) } },
    })
    for (let index = (node.children?.length ?? 0) - 1; index >= 0; index--)
      waiting.push(node.children![index]!)
  }
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}
