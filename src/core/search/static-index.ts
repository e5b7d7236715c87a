/**
 * Inverted index of a site as small static files, for search without a server: a browser loads the few files with the
 * stems of a query. `search-static-index.ts` reads them.
 *
 * Sorted stems are split into parts of some kilobytes; the list of their first stems locates the part of a stem. A stem's
 * postings are its pages and its weight on each. Texts are not in the files: excerpts come from the pages.
 */
import { byteLength } from '../bytes.js'
import { detachSubstring } from '../detach-substring.js'
import { stemmerOf } from './stems.js'
import { stopWordsOf } from './stop-words.js'
import { foldWords, isSpaceless } from './words.js'

/** A page to index. */
export interface IndexedPage {
  readonly title: string
  /** From the root of the site, as a link. */
  readonly href: string
  readonly headings: readonly string[]
  readonly body: string
}

/** One space of a site, the pages of which follow each other. */
export interface IndexedVariant {
  readonly language: string | null
  /** The title of its tab, where there are tabs. */
  readonly section?: string
  /** Which variants are beside each other: those of one section. */
  readonly group: number
  readonly isDefault: boolean
  readonly isHidden: boolean
}

/** The manifest of the index files. */
export interface IndexManifest {
  readonly version: 1
  /** The first stem of each part, in order. */
  readonly parts: readonly string[]
  /** Of all pages; this many are in a file of pages. */
  readonly pages: number
  readonly pagesPerFile: number
  /** With the numbers of its first page, and of the first page that is no more its own. */
  readonly variants: readonly (IndexedVariant & { readonly from: number; readonly to: number })[]
}

export type ListedPage = readonly [title: string, href: string]

export interface StaticIndexBuilder {
  /** Begins a variant; the pages that follow are its own. */
  begin(variant: IndexedVariant): void
  add(page: IndexedPage): void
  /** Returns the files by their names; rare long words are omitted where the files would be larger than `mostBytes`. */
  finish(mostBytes?: number): ReadonlyMap<string, string>
}

export const listName = 'index.json'
export const partName = (number: number): string => `words-${number}.txt`
export const pagesName = (number: number): string => `pages-${number}.json`

const pagesPerFile = 200
/** Characters of a part: few enough to load while the reader types. */
const partLength = 32_000
/** Characters of a page that are indexed; longer pages are data dumps. */
const maxBodyLength = 1_000_000

/** The postings of a stem, while the index is built. */
interface PostingsBuilder {
  /** Of each page that has it: four times the page number, plus the weight level. */
  readonly pages: number[]
  /** The page added last, and the number of occurrences in its text. */
  last: number
  times: number
}

/** Weights of a stem on a page: in its text, frequent in it, in a heading, in the title. */
export const termWeights = [1, 1.5, 2.2, 4] as const
const frequentCount = 4

export function createStaticIndexBuilder(): StaticIndexBuilder {
  const variants: (IndexedVariant & { from: number; to: number })[] = []
  const pages: ListedPage[] = []
  const held = new Map<string, PostingsBuilder>()
  let stem = stemmerOf(null)
  let small: ReadonlySet<string> = new Set()
  /** By the words of the variant; null for those that no query has. */
  let words = new Map<string, PostingsBuilder | null>()

  /** Returns the stem of a word of the variant; null for a word that is not indexed. */
  function read(word: string): PostingsBuilder | null {
    // In scripts without spaces, queries have pairs of characters; a single one is the beginning of a pair.
    if (word === '' || small.has(word) || (isSpaceless(word) && [...word].length < 2)) return null
    const own = stem(word)
    let found = held.get(own)
    if (found === undefined) held.set(own, (found = { pages: [], last: -1, times: 0 }))
    return found
  }

  /** Raises the weight level of each stem of a text on its page to `level`, or to `levelIfFrequent`. */
  function addOccurrences(text: string, number: number, level: number, levelIfFrequent: number): void {
    if (text.trim() === '') return
    // The words of one text are few and in the CPU cache; those of all texts are anywhere in memory.
    const times = new Map<string, number>()
    for (const word of foldWords(text)) times.set(word, (times.get(word) ?? 0) + 1)
    for (const [word, count] of times) {
      let found = words.get(word)
      if (found === undefined) words.set(detachSubstring(word), (found = read(word)))
      if (found === null) continue
      if (found.last !== number) {
        found.last = number
        found.times = 0
        found.pages.push(number * 4 + level)
      }
      found.times += count
      const occurrence = found.times >= frequentCount ? levelIfFrequent : level
      const at = found.pages.length - 1
      if (found.pages[at]! % 4 < occurrence) found.pages[at] = number * 4 + occurrence
    }
  }

  return {
    begin(variant) {
      variants.push({ ...variant, from: pages.length, to: pages.length })
      stem = stemmerOf(variant.language)
      small = stopWordsOf(variant.language)
      words = new Map()
    },
    add({ title, href, headings, body }) {
      const number = pages.push([title, href]) - 1
      variants.at(-1)!.to = pages.length
      addOccurrences(body.slice(0, maxBodyLength), number, 0, 1)
      addOccurrences(headings.join(' \n'), number, 2, 2)
      addOccurrences(title, number, 3, 3)
    },
    finish(mostBytes = Infinity) {
      const files = new Map<string, string>()
      for (let from = 0; from < pages.length; from += pagesPerFile) {
        files.set(pagesName(from / pagesPerFile), JSON.stringify(pages.slice(from, from + pagesPerFile)))
      }
      const beside = [...files.values()].reduce((sum, text) => sum + byteLength(text), 0)
      const holders = new Map([...held].map(([own, { pages }]) => [own, pages]))
      const inOrder = [...holders.keys()].toSorted(compare)
      const parts = splitIntoParts(pruneToSize(inOrder, holders, mostBytes - beside), holders)
      for (const [number, { text }] of parts.entries()) files.set(partName(number), text)
      const list: IndexManifest = {
        version: 1,
        parts: parts.map(({ first }) => first),
        pages: pages.length,
        pagesPerFile,
        variants,
      }
      files.set(listName, JSON.stringify(list))
      return files
    },
  }
}

/** By their code units, as texts are compared. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** Removes the longest of the stems that occur in a single page's text, until the rest fits. */
function pruneToSize(
  stems: readonly string[],
  holders: ReadonlyMap<string, readonly number[]>,
  mostBytes: number,
): readonly string[] {
  if (mostBytes === Infinity) return stems
  // A stem takes about its own length, and each of its pages two characters.
  const weightOf = (stem: string) => byteLength(stem) + 2 + holders.get(stem)!.length * 2
  let over = stems.reduce((sum, stem) => sum + weightOf(stem), 0) - mostBytes
  if (over <= 0) return stems
  const rare = stems
    .filter((stem) => holders.get(stem)!.length === 1 && holders.get(stem)![0]! % 4 < 2)
    .toSorted((one, other) => other.length - one.length)
  const left = new Set<string>()
  for (const stem of rare) {
    if (over <= 0) break
    left.add(stem)
    over -= weightOf(stem)
  }
  return stems.filter((stem) => !left.has(stem))
}

function splitIntoParts(
  stems: readonly string[],
  holders: ReadonlyMap<string, readonly number[]>,
): { readonly first: string; readonly text: string }[] {
  const parts: { first: string; text: string }[] = []
  let [first, text, before] = ['', '', '']
  for (const stem of stems) {
    if (text === '') [first, before] = [stem, '']
    let shared = 0
    while (shared < before.length && shared < 63 && before[shared] === stem[shared]) shared += 1
    text += `${digits[shared]}${stem.slice(shared)}\t${writeNumbers(holders.get(stem)!)}\n`
    before = stem
    if (text.length < partLength) continue
    parts.push({ first, text })
    text = ''
  }
  if (text !== '') parts.push({ first, text })
  return parts
}

/** Numbers as differences, five bits a character; the last character of each is of the first half of the alphabet. */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const valueOf = new Map([...digits].map((digit, value) => [digit, value]))

function writeNumbers(numbers: readonly number[]): string {
  let [text, before] = ['', 0]
  for (const number of numbers) {
    let left = number - before
    before = number
    while (left >= 32) {
      text += digits[32 + (left % 32)]
      left = Math.floor(left / 32)
    }
    text += digits[left]
  }
  return text
}

/** A stem, and the pages that hold it. */
export interface StemPostings {
  readonly stem: string
  readonly holders: readonly { readonly page: number; readonly level: number }[]
}

/** Returns the wanted stems of a part; the postings of the others are not decoded. */
export function* readPart(part: string, isWanted: (stem: string) => boolean): Generator<StemPostings> {
  let before = ''
  for (let at = 0; at < part.length;) {
    const tab = part.indexOf('\t', at)
    const end = part.indexOf('\n', tab)
    if (tab < 0 || end < 0) return
    const stem = before.slice(0, valueOf.get(part[at]!)) + part.slice(at + 1, tab)
    before = stem
    if (isWanted(stem)) yield { stem, holders: readNumbers(part.slice(tab + 1, end)) }
    at = end + 1
  }
}

function readNumbers(text: string): { page: number; level: number }[] {
  const numbers: { page: number; level: number }[] = []
  let [number, value, scale] = [0, 0, 1]
  for (const digit of text) {
    const read = valueOf.get(digit) ?? 0
    value += (read % 32) * scale
    if (read >= 32) scale *= 32
    else {
      number += value
      numbers.push({ page: Math.floor(number / 4), level: number % 4 })
      ;[value, scale] = [0, 1]
    }
  }
  return numbers
}
