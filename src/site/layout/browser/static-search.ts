/**
 * Client-side search of static exports, without a server: the index is in files beside this script, and the excerpts come
 * from the found pages. Loaded by the search dialog and by the results page.
 */
import { groupBy } from '../../../core/group.js'
import { createExcerpter } from '../../../core/search/excerpt.js'
import {
  type StaticSearchResult,
  type StaticHit,
  searchStaticIndex,
} from '../../../core/search/search-static-index.js'
import { stemmerOf } from '../../../core/search/stems.js'
import { foldText } from '../../../core/search/words.js'
import { type SearchResponse, countOf, resultGroup } from './search-options.js'
import { word } from './words.js'

/** Number of results with excerpts, for which the page is fetched; the others have titles only. */
const pagesWithExcerpts = 6
const sectionsPerPage = 3
const excerptLength = 180
/** Timeout in milliseconds for the fetch of a page; then only its title is displayed. */
const pageTimeout = 3000

const scriptUrl = new URL(import.meta.url)
const root = new URL('../../', scriptUrl)
const files = new URL('../search/', scriptUrl)
/** Index of the variant: the fragment of this script's URL. */
const variant = Number(scriptUrl.hash.slice(1)) || 0
/** Version of the static export, and so of its index. */
const version = scriptUrl.searchParams.get('v') ?? ''

const indexFiles = new Map<string, Promise<string>>()

function readIndexFile(name: string): Promise<string> {
  let text = indexFiles.get(name)
  if (text === undefined) {
    text = load(new URL(`${name}?v=${version}`, files))
    text.catch(() => indexFiles.delete(name))
    indexFiles.set(name, text)
  }
  return text
}

async function load(address: URL, signal: AbortSignal | null = null): Promise<string> {
  const answer = await fetch(address, { signal })
  if (!answer.ok) throw new Error(String(answer.status))
  return answer.text()
}

/** Returns the results of a query, in the format of the server. */
export async function searchSite(query: string): Promise<SearchResponse & { readonly count: number }> {
  const found = await searchStaticIndex(readIndexFile, variant, query)
  const items = await Promise.all(found.hits.map((hit, at) => itemOf(hit, found, at < pagesWithExcerpts)))
  return { items, count: found.count }
}

async function itemOf(
  hit: StaticHit,
  { stems }: StaticSearchResult,
  withExcerpts: boolean,
): Promise<SearchResponse['items'][number]> {
  const stem = stemmerOf(hit.language)
  const excerpt = (text: string, length = text.length) => {
    const queryWords = new Set(
      foldText(text)
        .split(' ')
        .filter((word) => stems.has(stem(word))),
    )
    return createExcerpter([...queryWords])(text, length)
  }
  const { href } = new URL(hit.href, root)
  const sections = (withExcerpts ? await readSections(href) : []).map(({ heading, anchor, body }) => {
    const [markedHeading, ofBody] = [excerpt(heading), excerpt(body, excerptLength)]
    const score = markedHeading.marks.length * 2 + ofBody.marks.length
    return { anchor, heading: markedHeading, excerpt: ofBody, worth: score }
  })
  const best = sections.filter(({ worth }) => worth > 0).toSorted((one, other) => other.worth - one.worth)
  const selected = best.length > 0 ? best.slice(0, sectionsPerPage) : sections.slice(0, 1)
  return {
    title: excerpt(hit.title),
    href,
    ...(hit.section !== undefined && { section: hit.section }),
    // The text directly below the title is first, as in the page.
    sections: selected
      .toSorted((one, other) => Number(other.anchor === '') - Number(one.anchor === ''))
      .map(({ anchor, heading, excerpt: words }) => ({
        ...(anchor !== '' && { heading, href: `${href}#${encodeURIComponent(anchor)}` }),
        ...(words.text !== '' && { excerpt: words }),
      })),
  }
}

interface PageSection {
  readonly heading: string
  readonly anchor: string
  body: string
}

const pages = new Map<string, Promise<readonly PageSection[]>>()

/** Returns the sections of a page from its HTML file; none if it fails to load. */
function readSections(href: string): Promise<readonly PageSection[]> {
  let page = pages.get(href)
  if (page === undefined) {
    page = load(new URL(href), AbortSignal.timeout(pageTimeout)).then(sectionsOf, () => {
      pages.delete(href)
      return []
    })
    pages.set(href, page)
  }
  return page
}

function sectionsOf(markup: string): readonly PageSection[] {
  const body = new DOMParser().parseFromString(markup, 'text/html').querySelector('article .body')
  const sections: PageSection[] = [{ heading: '', anchor: '', body: '' }]
  const walk = (node: Node): void => {
    if (node instanceof Text) sections.at(-1)!.body += node.data
    if (!(node instanceof Element) || node.matches('script, style, svg, button, nav, form')) return
    if (/^H[1-6]$/.test(node.tagName) && node.id !== '') {
      sections.push({ heading: (node.textContent ?? '').trim(), anchor: node.id, body: '' })
      return
    }
    // Blocks are separated by a space, even without white space in the markup.
    if (node.matches('p, li, td, th, pre, div')) sections.at(-1)!.body += ' '
    node.childNodes.forEach(walk)
  }
  if (body !== null) walk(body)
  return sections.map((section) => ({ ...section, body: section.body.replace(/\s+/g, ' ').trim() }))
}

/** Fills the results page, if this script is loaded by it, for the query of its URL. */
async function showResults(): Promise<void> {
  const list = document.querySelector('ol.results')
  const query = new URLSearchParams(location.search).get('q') ?? ''
  if (list === null || query === '') return
  const status = document.createElement('p')
  status.className = 'result-count'
  status.setAttribute('role', 'status')
  list.before(status)
  const field = document.querySelector<HTMLInputElement>('.search-large input')
  if (field !== null) field.value = query
  try {
    const answer = await searchSite(query)
    const { items, count } = answer
    status.textContent = count === 0 ? word('nothingFound', query) : countOf(answer)
    for (const [section, found] of groupBy(items, (item) => item.section)) {
      if (section !== undefined) {
        const heading = document.createElement('h2')
        heading.className = 'result-group'
        heading.textContent = section
        list.before(heading)
      }
      const sectionList = list.cloneNode() as HTMLElement
      for (const item of found) {
        const entry = document.createElement('li')
        entry.append(resultGroup(item, () => {}))
        sectionList.append(entry)
      }
      list.before(sectionList)
    }
    list.remove()
  } catch {
    status.textContent = word('searchBusy')
  }
}

if (scriptUrl.searchParams.has('page')) void showResults()
