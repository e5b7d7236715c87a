/** Search over the files of `static-index.ts`: loads only the few that a query needs. */
import { editDistance, maxErrors } from './edit-distance.js'
import {
  type ListedPage,
  type IndexManifest,
  type StemPostings,
  listName,
  pagesName,
  partName,
  readPart,
  termWeights,
} from './static-index.js'
import { readQuery } from './query.js'
import { stemmerOf } from './stems.js'

/** Returns the text of a file by its name. */
export type ReadFile = (name: string) => Promise<string>

export interface StaticHit {
  readonly title: string
  /** From the root of the site. */
  readonly href: string
  readonly section?: string
  readonly language: string | null
}

export interface StaticSearchResult {
  /** The best first. */
  readonly hits: readonly StaticHit[]
  readonly count: number
  /** The stems that matched the words of the query. */
  readonly stems: ReadonlySet<string>
}

/** Parts that one word of a query may load: the words that begin with one letter are in many. */
const maxPartsPerWord = 6
/** Quality of a stem match: the word's own stem, a prefix match, or a likely typo. */
const [same, prefix, mistyped] = [1, 0.7, 0.5]
const maxHits = 20

/** Returns the pages that match a query made while reading a variant. */
export async function searchStaticIndex(
  read: ReadFile,
  variant: number,
  query: string,
): Promise<StaticSearchResult> {
  const list = JSON.parse(await read(listName)) as IndexManifest
  const searched = searchedFrom(list, variant)
  const isSearched = (page: number) => searched.some(({ from, to }) => page >= from && page < to)
  const languages = [...new Set(searched.map(({ language }) => language))]
  const { terms, isOpen } = readQuery(query, languages)
  const words = await Promise.all(
    terms.map((term, at) =>
      lookUp(read, list, { term, languages, isOpen: isOpen && at === terms.length - 1 }),
    ),
  )
  const scores = new Map<number, { readonly score: number; readonly held: number }>()
  let total = 0
  for (const stems of words) {
    const best = new Map<number, number>()
    for (const { holders, quality } of stems) {
      for (const { page, level } of holders) {
        if (isSearched(page)) best.set(page, Math.max(best.get(page) ?? 0, termWeights[level as 0] * quality))
      }
    }
    // Rarer stems weigh more.
    const weight = Math.log(1 + list.pages / Math.max(1, best.size))
    total += weight
    for (const [page, value] of best) {
      const known = scores.get(page) ?? { score: 0, held: 0 }
      scores.set(page, { score: known.score + value * weight, held: known.held + weight })
    }
  }
  const found = [...scores]
    .filter(([, { held }]) => held >= total / 2)
    .toSorted(([a, one], [b, two]) => two.held - one.held || two.score - one.score || a - b)
  const numbers = found.slice(0, maxHits).map(([page]) => page)
  return {
    hits: await readHits(read, list, numbers),
    count: found.length,
    stems: new Set(words.flat().map(({ stem }) => stem)),
  }
}

/** The current variant, and the default ones of the other sections. */
function searchedFrom({ variants }: IndexManifest, current: number): IndexManifest['variants'] {
  const own = variants[current]
  return variants.filter((one) => one === own || (one.group !== own?.group && one.isDefault && !one.isHidden))
}

interface MatchedStem extends StemPostings {
  readonly quality: number
}

interface QueryWord {
  readonly term: string
  readonly languages: readonly (string | null)[]
  /** It may be the beginning of a word. */
  readonly isOpen: boolean
}

async function lookUp(
  read: ReadFile,
  list: IndexManifest,
  { term, languages, isOpen }: QueryWord,
): Promise<readonly MatchedStem[]> {
  const own = new Set(languages.map((language) => stemmerOf(language)(term)))
  const exact = await Promise.all(
    [...own].map((stem) => stemsBetween(read, list, [stem, stem], (one) => one === stem)),
  )
  const found: MatchedStem[] = exact.flat().map((stem) => ({ ...stem, quality: same }))
  if (isOpen) {
    const isBegun = (one: string) => one.startsWith(term) && !own.has(one)
    const begins = await stemsBetween(read, list, [term, `${term}\uffff`], isBegun)
    found.push(...begins.map((stem) => ({ ...stem, quality: prefix })))
  }
  const most = maxErrors(term)
  if (found.length > 0 || most === 0) return found
  const start = term.slice(0, 2)
  const isNear = (one: string) => [...own].some((stem) => editDistance(stem, one, most) !== undefined)
  const near = await stemsBetween(read, list, [start, `${start}\uffff`], isNear)
  return near.map((stem) => ({ ...stem, quality: mistyped }))
}

/** Returns the wanted stems of the parts in which those between two may be. */
async function stemsBetween(
  read: ReadFile,
  { parts }: IndexManifest,
  [from, to]: readonly [string, string],
  isWanted: (stem: string) => boolean,
): Promise<StemPostings[]> {
  const first = Math.max(
    0,
    parts.findLastIndex((one) => one <= from),
  )
  const last = parts.findLastIndex((one) => one <= to)
  const count = Math.min(maxPartsPerWord, Math.max(0, last - first + 1))
  const texts = await Promise.all(Array.from({ length: count }, (_, at) => read(partName(first + at))))
  return texts.flatMap((text) => [...readPart(text, isWanted)])
}

async function readHits(
  read: ReadFile,
  { pagesPerFile, variants }: IndexManifest,
  numbers: readonly number[],
): Promise<StaticHit[]> {
  const files = new Map<number, Promise<readonly ListedPage[]>>()
  const readPages = (file: number) => {
    const reading = files.get(file) ?? read(pagesName(file)).then((text) => JSON.parse(text) as ListedPage[])
    files.set(file, reading)
    return reading
  }
  return Promise.all(
    numbers.map(async (number) => {
      const listed = await readPages(Math.floor(number / pagesPerFile))
      const [title, href] = listed[number % pagesPerFile]!
      const { section, language } = variants.find(({ from, to }) => number >= from && number < to)!
      return { title, href, ...(section !== undefined && { section }), language }
    }),
  )
}
