/**
 * Searching the static twin of a site, where no server answers: the index lies beside this program in parts, and the
 * excerpts come from the pages that were found. Loaded by the search dialog, and by the page of results.
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
import { type Answer, countOf, resultGroup } from './search-options.js'
import { word } from './words.js'

/** Pages that are read for what they say; of the others the titles are shown. */
const toldPages = 6
const sectionsPerPage = 3
const excerptLength = 180
/** Milliseconds that a page may take to come: its title says enough. */
const patience = 3000

const here = new URL(import.meta.url)
const root = new URL('../../', here)
const files = new URL('../search/', here)
/** Which variant is read: the fragment of this program's address. */
const variant = Number(here.hash.slice(1)) || 0
/** Of the twin, and so of its index. */
const version = here.searchParams.get('v') ?? ''

const reading = new Map<string, Promise<string>>()

function readOnce(name: string): Promise<string> {
  let text = reading.get(name)
  if (text === undefined) {
    text = load(new URL(`${name}?v=${version}`, files))
    text.catch(() => reading.delete(name))
    reading.set(name, text)
  }
  return text
}

async function load(address: URL, signal: AbortSignal | null = null): Promise<string> {
  const answer = await fetch(address, { signal })
  if (!answer.ok) throw new Error(String(answer.status))
  return answer.text()
}

/** Answers a query as the server would. */
export async function find(query: string): Promise<Answer & { readonly count: number }> {
  const found = await searchStaticIndex(readOnce, variant, query)
  const items = await Promise.all(found.hits.map((hit, at) => itemOf(hit, found, at < toldPages)))
  return { items, count: found.count }
}

async function itemOf(
  hit: StaticHit,
  { stems }: StaticSearchResult,
  isTold: boolean,
): Promise<Answer['items'][number]> {
  const stem = stemmerOf(hit.language)
  const tell = (text: string, length = text.length) => {
    const meant = new Set(
      foldText(text)
        .split(' ')
        .filter((word) => stems.has(stem(word))),
    )
    return createExcerpter([...meant])(text, length)
  }
  const { href } = new URL(hit.href, root)
  const told = (isTold ? await readSections(href) : []).map(({ heading, anchor, body }) => {
    const [ofHeading, ofBody] = [tell(heading), tell(body, excerptLength)]
    const worth = ofHeading.marks.length * 2 + ofBody.marks.length
    return { anchor, heading: ofHeading, excerpt: ofBody, worth }
  })
  const best = told.filter(({ worth }) => worth > 0).toSorted((one, other) => other.worth - one.worth)
  const shown = best.length > 0 ? best.slice(0, sectionsPerPage) : told.slice(0, 1)
  return {
    title: tell(hit.title),
    href,
    ...(hit.section !== undefined && { section: hit.section }),
    // What stands under the title itself comes first, as it does in the page.
    sections: shown
      .toSorted((one, other) => Number(other.anchor === '') - Number(one.anchor === ''))
      .map(({ anchor, heading, excerpt: words }) => ({
        ...(anchor !== '' && { heading, href: `${href}#${encodeURIComponent(anchor)}` }),
        ...(words.text !== '' && { excerpt: words }),
      })),
  }
}

interface ReadSection {
  readonly heading: string
  readonly anchor: string
  body: string
}

const pages = new Map<string, Promise<readonly ReadSection[]>>()

/** The sections of a page, as its own file says them; none where it does not come. */
function readSections(href: string): Promise<readonly ReadSection[]> {
  let page = pages.get(href)
  if (page === undefined) {
    page = load(new URL(href), AbortSignal.timeout(patience)).then(sectionsOf, () => {
      pages.delete(href)
      return []
    })
    pages.set(href, page)
  }
  return page
}

function sectionsOf(markup: string): readonly ReadSection[] {
  const body = new DOMParser().parseFromString(markup, 'text/html').querySelector('article .body')
  const sections: ReadSection[] = [{ heading: '', anchor: '', body: '' }]
  const walk = (node: Node): void => {
    if (node instanceof Text) sections.at(-1)!.body += node.data
    if (!(node instanceof Element) || node.matches('script, style, svg, button, nav, form')) return
    if (/^H[1-6]$/.test(node.tagName) && node.id !== '') {
      sections.push({ heading: (node.textContent ?? '').trim(), anchor: node.id, body: '' })
      return
    }
    // Blocks are apart, whatever stands between their tags.
    if (node.matches('p, li, td, th, pre, div')) sections.at(-1)!.body += ' '
    node.childNodes.forEach(walk)
  }
  if (body !== null) walk(body)
  return sections.map((section) => ({ ...section, body: section.body.replace(/\s+/g, ' ').trim() }))
}

/** Fills the page of results, where this program stands on it, with what its address asks for. */
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
    const answer = await find(query)
    const { items, count } = answer
    status.textContent = count === 0 ? word('nothingFound', query) : countOf(answer)
    for (const [section, found] of groupBy(items, (item) => item.section)) {
      if (section !== undefined) {
        const heading = document.createElement('h2')
        heading.className = 'result-group'
        heading.textContent = section
        list.before(heading)
      }
      const ofSection = list.cloneNode() as HTMLElement
      for (const item of found) {
        const entry = document.createElement('li')
        entry.append(resultGroup(item, () => {}))
        ofSection.append(entry)
      }
      list.before(ofSection)
    }
    list.remove()
  } catch {
    status.textContent = word('searchBusy')
  }
}

if (here.searchParams.has('page')) void showResults()
