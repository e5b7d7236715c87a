/** Entries of the search dialog's list. User text only ever becomes text nodes. */
import { groupBy } from '../../../core/group.js'
import { word } from './words.js'

interface HighlightedText {
  readonly text: string
  readonly marks: readonly (readonly [number, number])[]
}

/** JSON response of the search: the `SearchResults` of layout/search-page.ts. */
export interface SearchResponse {
  readonly count?: number
  readonly items: readonly {
    readonly title: HighlightedText
    readonly href: string
    readonly counted?: string
    readonly section?: string
    readonly breadcrumbs?: readonly string[]
    readonly sections: readonly {
      readonly heading?: HighlightedText
      readonly href?: string
      readonly excerpt?: HighlightedText
    }[]
  }[]
}

type SearchResponseItem = SearchResponse['items'][number]

function option(tag: 'a' | 'div', className = ''): HTMLElement {
  const element = document.createElement(tag)
  element.className = `search-option ${className}`
  element.setAttribute('role', 'option')
  // The focus stays in the field; the list is navigated by aria-activedescendant.
  element.tabIndex = -1
  return element
}

function linkOption(href: string, onSelect: () => void, className?: string): HTMLElement {
  const link = option('a', className) as HTMLAnchorElement
  link.href = href
  // The server is trusted, but script URLs from data are refused nevertheless.
  if (!/^https?:$/.test(link.protocol)) link.removeAttribute('href')
  link.addEventListener('click', onSelect)
  return link
}

function part(tag: 'small' | 'strong', className: string, ...content: (string | Node)[]): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  element.dir = 'auto'
  element.append(...content)
  return element
}

/** Returns the results grouped by site section; `onSelect` runs before a link is followed. */
export function resultGroups(
  items: readonly SearchResponseItem[],
  onSelect: (item: SearchResponseItem) => void,
): HTMLElement[] {
  return [...groupBy(items, ({ section }) => section)].flatMap(([section, found]) => {
    const groups = found.map((item) => resultGroup(item, () => onSelect(item)))
    return section === undefined ? groups : [sectionHeading(section), ...groups]
  })
}

/** Visual only, not an option: the labels of its results repeat the name. */
function sectionHeading(section: string): HTMLElement {
  const heading = document.createElement('div')
  heading.className = 'search-heading'
  heading.setAttribute('role', 'presentation')
  heading.dir = 'auto'
  heading.textContent = section
  return heading
}

/** Returns a found page with its sections, each a link; `onSelect` runs before one is followed. */
export function resultGroup(
  { title, href, section: siteSection, breadcrumbs = [], sections }: SearchResponseItem,
  onSelect: () => void,
): HTMLElement {
  const group = document.createElement('div')
  group.className = 'search-result'
  group.setAttribute('role', 'group')
  group.setAttribute('aria-label', [siteSection, title.text].filter(Boolean).join(' / '))
  const page = linkOption(href, onSelect)
  if (breadcrumbs.length > 0) page.append(part('small', 'search-path', breadcrumbs.join(' / ')))
  page.append(part('strong', '', ...highlight(title)))
  group.append(page)
  for (const section of sections) {
    let entry = page
    if (section.heading !== undefined && section.href !== undefined) {
      entry = linkOption(section.href, onSelect, 'search-section')
      entry.append(part('strong', '', ...highlight(section.heading)))
      group.append(entry)
    }
    if (section.excerpt !== undefined)
      entry.append(part('small', 'search-excerpt', ...highlight(section.excerpt)))
  }
  return group
}

/** Returns an option for a link that is not a result. */
export function messageOption(text: string, href: string): HTMLElement {
  const link = linkOption(href, () => {})
  link.append(part('small', 'search-more', text))
  return link
}

/** Returns an option that repeats an earlier query. */
export function recentOption(query: string, onSelect: () => void): HTMLElement {
  const entry = option('div')
  entry.dir = 'auto'
  entry.textContent = query
  entry.addEventListener('click', onSelect)
  return entry
}

/** Returns the number of found pages, as status text. */
export function countOf({ items, count = items.length }: SearchResponse): string {
  return `${word('results')}: ${count.toLocaleString(document.documentElement.lang || 'en')}`
}

function highlight({ text, marks }: HighlightedText): (string | Node)[] {
  const parts: (string | Node)[] = []
  let from = 0
  for (const [start, end] of marks) {
    if (start < from || end <= start) continue
    const mark = document.createElement('mark')
    mark.textContent = text.slice(start, end)
    parts.push(text.slice(from, start), mark)
    from = end
  }
  parts.push(text.slice(from))
  return parts
}
