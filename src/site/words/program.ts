/** The words that the program of a page needs: they come with the page, those alone that something on it calls for. */
import { html, type Html, nothing, trusted } from '../html.js'
import type { Words } from './en.js'
import { type ProgramWords, programWordsId } from './program-words.js'

/** Returns the element with the words that the program needs on a page of these parts. */
export function renderProgramWords(words: Words, parts: readonly string[]): Html {
  const needed = wordsByMark(words).flatMap(([mark, said]) =>
    parts.some((part) => part.includes(mark)) ? Object.entries(said) : [],
  )
  if (needed.length === 0) return nothing
  const text = JSON.stringify(Object.fromEntries(needed)).replaceAll('<', '\\u003c')
  return html`<script type="application/json" id="${programWordsId}">${trusted(text)}</script>`
}

function wordsByMark(words: Words): readonly (readonly [mark: string, said: ProgramWords])[] {
  return [
    [
      ' data-theme-toggle',
      { lightColors: words.lightColors, darkColors: words.darkColors, systemColors: words.systemColors },
    ],
    [' data-copy', { copied: words.copied }],
    [' data-try', { noAnswer: words.noAnswer }],
    [' data-feedback', { notSent: words.notSent }],
    ['<img', { enlarge: words.enlarge, picture: words.picture, close: words.close }],
    [
      ' data-search=',
      {
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
    ],
  ]
}
