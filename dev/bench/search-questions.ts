/**
 * Search queries with a known right page, drawn from the pages of a corpus, the same on every run: words of a title, a
 * heading or a sentence, also misspelt.
 */
import { plainText } from '../../src/core/document/plain-text.js'
import type { Document } from '../../src/core/document/types.js'
import { visitBlocks } from '../../src/core/document/visit.js'
import { createRandom } from './corpus.js'

export interface SearchablePage {
  readonly id: string
  readonly title: string
  readonly document: Document
}

export interface Question {
  readonly text: string
  /** The page that it was drawn from. */
  readonly id: string
}

export interface QuestionKind {
  readonly name: string
  /** Share of right pages among the first five that is to be reached, in English. */
  readonly target: number
  readonly questions: readonly Question[]
}

/** A text that more pages share has no answer among the first five. */
const mostSharing = 5
const seed = 5

type Random = () => number

/** Returns six kinds of questions, at most `count` of each. */
export function drawQuestions(pages: readonly SearchablePage[], count: number): readonly QuestionKind[] {
  const titles = onFewPages(pages.map(({ id, title }) => ({ id, text: title })))
  const headings = onFewPages(
    pages.flatMap((page) => headingsOf(page).map((text) => ({ id: page.id, text }))),
  )
  const kinds = [
    { name: 'title', target: 0.98, drawn: draw(titles, count, (text) => text) },
    { name: 'heading', target: 0.96, drawn: draw(headings, count, (text) => text) },
    { name: '"how do I" before a heading', target: 0.97, drawn: draw(headings, count, asQuestion) },
    { name: 'title with a typing error', target: 0.92, drawn: draw(titles, count, mistype) },
    { name: 'title in another inflection', target: 0.96, drawn: draw(titles, count, inflect) },
    { name: 'four words of a sentence', target: 0.97, drawn: drawSentences(pages, count) },
  ]
  return kinds.map(({ name, target, drawn }) => ({ name, target, questions: drawn }))
}

function headingsOf({ document }: SearchablePage): string[] {
  const found: string[] = []
  visitBlocks(document, (block) => {
    if (block.type === 'heading') found.push(plainText(block.children).trim())
    return block.type !== 'if'
  })
  return found
}

function onFewPages(texts: readonly Question[]): Question[] {
  const pages = new Map<string, Set<string>>()
  for (const { text, id } of texts) {
    const key = text.toLowerCase()
    pages.set(key, (pages.get(key) ?? new Set()).add(id))
  }
  const known = new Set<string>()
  return texts.filter(({ text, id }) => {
    const key = `${id} ${text.toLowerCase()}`
    if (!/\p{L}/u.test(text) || known.has(key)) return false
    known.add(key)
    return pages.get(text.toLowerCase())!.size <= mostSharing
  })
}

/** What cannot be changed as wanted is passed over. */
function draw(
  texts: readonly Question[],
  count: number,
  change: (text: string, random: Random) => string | undefined,
): Question[] {
  const random = createRandom(seed)
  const left = [...texts]
  const drawn: Question[] = []
  while (left.length > 0 && drawn.length < count) {
    const [{ id, text }] = left.splice(Math.floor(random() * left.length), 1) as [Question]
    const changed = change(text, random)
    if (changed !== undefined) drawn.push({ id, text: changed })
  }
  return drawn
}

function asQuestion(heading: string): string {
  return `how do I ${heading[0]!.toLowerCase()}${heading.slice(1)}?`
}

/** One letter is omitted, doubled, replaced, or swapped with the next. */
function mistype(title: string, random: Random): string | undefined {
  return changeWord(title, random, (word) => {
    const at = Math.floor(random() * (word.length - 1))
    const [before, letter, next, after] = [word.slice(0, at), word[at]!, word[at + 1]!, word.slice(at + 2)]
    const other = String.fromCharCode(97 + Math.floor(random() * 26))
    const ways = [
      before + next + after,
      before + letter + letter + next + after,
      before + other + next + after,
      before + next + letter + after,
    ]
    return ways[Math.floor(random() * ways.length)]!
  })
}

/** One word becomes its plural or singular, or gets or loses `-ing` or `-ed`. */
function inflect(title: string, random: Random): string | undefined {
  return changeWord(title, random, (word) => {
    const ending = /(?:ing|ed|s)$/.exec(word)?.[0]
    if (ending === 's' || (ending !== undefined && random() < 0.5)) return word.slice(0, -ending.length)
    const stem = ending === undefined ? word : word.slice(0, -ending.length)
    const ways = [/(?:[sx]|ch|sh)$/.test(stem) ? 'es' : 's', 'ing', 'ed'].filter((way) => way !== ending)
    const added = ways[Math.floor(random() * ways.length)]!
    return added === 's' ? `${stem}s` : stem.replace(/e$/, '') + added
  })
}

/** Changes one of the words of at least four small Latin letters behind the first; undefined where that changes nothing. */
function changeWord(text: string, random: Random, change: (word: string) => string): string | undefined {
  const words = [...text.matchAll(/(?<![\p{L}\p{N}])[A-Za-z][a-z]{3,}(?![\p{L}\p{N}])/gu)]
  if (words.length === 0) return undefined
  const { 0: word, index } = words[Math.floor(random() * words.length)]!
  const changed = change(word)
  if (changed === word) return undefined
  return text.slice(0, index) + changed + text.slice(index + word.length)
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const words = new Intl.Segmenter('en', { granularity: 'word' })
const queryWords = 4

function drawSentences(pages: readonly SearchablePage[], count: number): Question[] {
  const random = createRandom(seed)
  const texts = pages.map(({ id, document }) => ({ id, paragraphs: paragraphsOf(document) }))
  const left = texts.flatMap(({ id, paragraphs }) => paragraphs.map((text) => ({ id, text })))
  const lower = texts.map(({ paragraphs }) => paragraphs.join('\n').toLowerCase())
  const drawn: Question[] = []
  while (left.length > 0 && drawn.length < count) {
    const [{ id, text }] = left.splice(Math.floor(random() * left.length), 1) as [Question]
    const query = fourWords(text, random)
    if (query === undefined) continue
    const sharing = lower.filter((page) => page.includes(query.toLowerCase()))
    if (sharing.length <= mostSharing) drawn.push({ id, text: query })
  }
  return drawn
}

function paragraphsOf(document: Document): string[] {
  const found: string[] = []
  visitBlocks(document, (block) => {
    if (block.type === 'paragraph') found.push(plainText(block.children).trim())
    return block.type !== 'if'
  })
  return found
}

function fourWords(text: string, random: Random): string | undefined {
  const all = [...sentences.segment(text)]
  const { segment: sentence } = all[Math.floor(random() * all.length)] ?? { segment: '' }
  const found = [...words.segment(sentence)].filter(({ isWordLike }) => isWordLike)
  if (found.length < queryWords + 2) return undefined
  const first = Math.floor(random() * (found.length - queryWords + 1))
  const last = found[first + queryWords - 1]!
  return sentence.slice(found[first]!.index, last.index + last.segment.length)
}
