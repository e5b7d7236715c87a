/**
 * The search dialog: an input with a list of results, after the ARIA pattern of a combobox.
 *
 * It queries the server as the reader types, and links to the ordinary results page for more.
 */
import { readStored, writeStored } from './storage.js'
import { type SearchResponse, countOf, messageOption, recentOption, resultGroups } from './search-options.js'
import { word } from './words.js'

/** Milliseconds without input before the server is queried. */
const typingDelay = 120

export interface SearchDialog {
  open(query: string): void
}

/** Adds the dialog to a page until it is left; `api` is the JSON endpoint, `resultsPage` the search page. */
export function createSearchDialog(api: string, resultsPage: string, left: AbortSignal): SearchDialog {
  const dialog = document.createElement('dialog')
  dialog.className = 'search-dialog'
  dialog.setAttribute('aria-label', word('search'))
  const form = document.createElement('form')
  form.action = resultsPage
  form.setAttribute('role', 'search')
  const input = document.createElement('input')
  for (const [name, value] of Object.entries({
    type: 'search',
    name: 'q',
    placeholder: word('search'),
    autocomplete: 'off',
    maxlength: '512',
    role: 'combobox',
    'aria-label': word('search'),
    'aria-autocomplete': 'list',
    'aria-expanded': 'true',
    'aria-controls': 'search-list',
  })) {
    input.setAttribute(name, value)
  }
  const close = document.createElement('button')
  close.type = 'button'
  close.className = 'search-close'
  // Its accessible name begins with the visible label: the key, or on a phone the word.
  const [key, label, name] = [
    document.createElement('kbd'),
    document.createElement('span'),
    document.createElement('span'),
  ]
  key.textContent = 'Esc'
  label.textContent = word('cancel')
  label.className = 'search-cancel'
  name.textContent = word('closeSearch')
  name.className = 'unseen'
  close.append(key, label, name)
  const list = document.createElement('div')
  list.id = 'search-list'
  list.className = 'search-list'
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', word('results'))
  const status = document.createElement('p')
  status.className = 'search-status'
  status.setAttribute('role', 'status')
  form.append(input, close)
  dialog.append(form, status, list)
  document.body.append(dialog)

  let selected = -1
  let latestRequest = 0
  let pending: AbortController | undefined
  let timer = 0

  const options = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[role=option]')]
  const selectOption = (index: number): void => {
    const all = options()
    selected = all.length === 0 ? -1 : (index + all.length) % all.length
    all.forEach((option, at) => option.setAttribute('aria-selected', String(at === selected)))
    const option = all[selected]
    option?.scrollIntoView({ block: 'nearest' })
    if (option === undefined) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', option.id)
  }
  const show = (message: string, entries: readonly HTMLElement[]): void => {
    list.replaceChildren(...entries)
    options().forEach((option, index) => (option.id = `search-option-${index}`))
    list.scrollTop = 0
    status.classList.remove('unseen')
    status.textContent = message
    selectOption(entries.length > 0 ? 0 : -1)
  }
  const showRecent = (): void => {
    const recent = recentQueries()
    const entries = recent.map((query) =>
      recentOption(query, () => {
        input.value = query
        void runSearch()
      }),
    )
    show(recent.length > 0 ? word('recentSearches') : word('typeToSearch'), entries)
  }
  const runSearch = async (): Promise<void> => {
    const query = input.value.trim()
    const current = ++latestRequest
    // Further input cancels the previous request, also for the server.
    pending?.abort()
    if (query === '') return showRecent()
    pending = new AbortController()
    try {
      const answer = await fetchResults(api, query, pending.signal)
      // A slow response to an earlier query must not replace a later one.
      if (current !== latestRequest) return
      const entries = resultGroups(answer.items, ({ counted }) => {
        rememberQuery(query)
        if (counted !== undefined) navigator.sendBeacon(counted, new URLSearchParams({ query }))
      })
      if (entries.length > 0)
        entries.push(
          messageOption(word('allResults', query), `${resultsPage}?q=${encodeURIComponent(query)}`),
        )
      const isEmpty = entries.length === 0
      show(isEmpty ? word('nothingFound', query) : countOf(answer), entries)
      // The number of results is for screen readers only.
      status.classList.toggle('unseen', !isEmpty)
    } catch {
      if (current === latestRequest) show(word('searchFailed'), [])
    }
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = window.setTimeout(() => void runSearch(), typingDelay)
  })
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      selectOption(selected + (event.key === 'ArrowDown' ? 1 : -1))
    } else if (event.key === 'Enter' && options()[selected] !== undefined) {
      event.preventDefault()
      options()[selected]?.click()
    } else if (event.key === 'Escape') {
      // The field itself would use the first press to clear its value.
      event.preventDefault()
      dialog.close()
    }
  })
  close.addEventListener('click', () => dialog.close())
  form.addEventListener('submit', () => rememberQuery(input.value.trim()))
  list.addEventListener('mousemove', (event) => {
    const over = event.target instanceof Element ? event.target.closest<HTMLElement>('[role=option]') : null
    if (over !== null && over.ariaSelected !== 'true') selectOption(options().indexOf(over))
  })
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  // A result on the same page changes only the fragment, so the dialog must close.
  addEventListener('hashchange', () => dialog.close(), { signal: left })
  list.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link !== null && link.href === location.href) dialog.close()
  })

  return {
    open(query) {
      if (!dialog.open) dialog.showModal()
      input.value = query
      input.focus()
      void runSearch()
    },
  }
}

/** Returns the results of the server; in a static export, those of `static-search.ts`. */
async function fetchResults(api: string, query: string, signal: AbortSignal): Promise<SearchResponse> {
  if (/\.js\?/.test(api)) {
    const staticSearch = (await import(new URL(api, location.href).href)) as {
      searchSite(query: string): Promise<SearchResponse>
    }
    return staticSearch.searchSite(query)
  }
  const response = await fetch(`${api}?q=${encodeURIComponent(query)}`, {
    headers: { accept: 'application/json' },
    signal,
  })
  if (!response.ok) throw new Error(String(response.status))
  return (await response.json()) as SearchResponse
}

function recentQueries(): string[] {
  try {
    const stored: unknown = JSON.parse(readStored('searches') ?? '[]')
    return Array.isArray(stored) ? stored.filter((query) => typeof query === 'string').slice(0, 5) : []
  } catch {
    return []
  }
}

function rememberQuery(query: string): void {
  if (query === '') return
  writeStored(
    'searches',
    JSON.stringify([query, ...recentQueries().filter((queries) => queries !== query)].slice(0, 5)),
  )
}
