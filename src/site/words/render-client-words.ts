/** Embeds the UI texts of the client script in a page: only those that the page needs. */
import { html, type Html, flatten, nothing, trusted } from '../html.js'
import type { Words } from './en.js'
import { type ClientWords, clientWordsId } from './client-words.js'

/** Cache of rendered elements, by language and marks. */
const markupCache = new WeakMap<Words, Map<string, Html>>()

/** Returns the element with the texts that the client script needs on a page of these parts. */
export function renderClientWords(words: Words, parts: readonly string[]): Html {
  const needed = marks.filter((mark) => parts.some((part) => part.includes(mark)))
  if (needed.length === 0) return nothing
  const cached = markupCache.get(words) ?? new Map<string, Html>()
  markupCache.set(words, cached)
  const name = needed.join()
  let element = cached.get(name)
  if (element === undefined) cached.set(name, (element = write(words, needed)))
  return element
}

function write(words: Words, needed: readonly Mark[]): Html {
  const all = wordsByMark(words)
  const strings = Object.assign({}, ...needed.map((mark) => all[mark])) as ClientWords
  const text = JSON.stringify(strings).replace(special, escaped)
  return flatten(html`<script type="application/json" id="${clientWordsId}">${trusted(text)}</script>`)
}

/**
 * Characters that could close the element, and quotation marks. A single one of these, on a page of Latin characters only,
 * makes the engine store the whole string with two bytes per character.
 */
const special = /[<\u2010-\u2027]/g

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const marks = [
  ' data-theme-toggle',
  ' data-copy',
  ' data-try',
  ' data-feedback',
  '<img',
  ' data-search=',
] as const

type Mark = (typeof marks)[number]

function wordsByMark(words: Words): Readonly<Record<Mark, ClientWords>> {
  return {
    ' data-theme-toggle': {
      lightColors: words.lightColors,
      darkColors: words.darkColors,
      systemColors: words.systemColors,
    },
    ' data-copy': { copied: words.copied },
    ' data-try': { noAnswer: words.noAnswer },
    ' data-feedback': { notSent: words.notSent },
    '<img': { enlarge: words.enlarge, picture: words.picture, close: words.close },
    ' data-search=': {
      search: words.search,
      closeSearch: words.closeSearch,
      cancel: words.cancel,
      results: words.results,
      recentSearches: words.recentSearches,
      typeToSearch: words.typeToSearch,
      allResults: words.allResults,
      nothingFound: words.nothingFound,
      searchFailed: words.searchFailed,
      searchBusy: words.searchBusy,
    },
  }
}
