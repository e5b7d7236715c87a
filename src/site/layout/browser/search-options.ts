/** The entries of the search dialog's list. Text of people only ever becomes text nodes. */
import { groupBy } from '../../../core/group.js'
import { word } from './words.js'

interface HighlightedText {
  readonly text: string
  readonly marks: readonly (readonly [number, number])[]
}

/** What the search answers as JSON: the `SearchResults` of layout/search-page.ts. */
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
  // The focus stays in the field; the list is walked by aria-activedescendant.
  element.tabIndex = -1
  return element
}

function linkOption(href: string, onSelect: () => void, className?: string): HTMLElement {
  const link = option('a', className) as HTMLAnchorElement
  link.href = href
  // The server is ours, but an address from data is never followed into a script.
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

/** What was found in each section of the site below its name; `onTake` runs before a link to one is followed. */
export function resultGroups(
  items: readonly SearchResponseItem[],
  onSelect: (item: SearchResponseItem) => void,
): HTMLElement[] {
  return [...groupBy(items, ({ section }) => section)].flatMap(([section, found]) => {
    const groups = found.map((item) => resultGroup(item, () => onSelect(item)))
    return section === undefined ? groups : [sectionHeading(section), ...groups]
  })
}

/** Seen, not walked: what stands below it says its name too. */
function sectionHeading(section: string): HTMLElement {
  const heading = document.createElement('div')
  heading.className = 'search-heading'
  heading.setAttribute('role', 'presentation')
  heading.dir = 'auto'
  heading.textContent = section
  return heading
}

/** A page that was found and its sections below it, each a link; `onTake` runs before one is followed. */
export function resultGroup(
  { title, href, section: place, breadcrumbs = [], sections }: SearchResponseItem,
  onSelect: () => void,
): HTMLElement {
  const group = document.createElement('div')
  group.className = 'search-result'
  group.setAttribute('role', 'group')
  group.setAttribute('aria-label', [place, title.text].filter(Boolean).join(' / '))
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

/** A link that stands for more than one page. */
export function messageOption(text: string, href: string): HTMLElement {
  const link = linkOption(href, () => {})
  link.append(part('small', 'search-more', text))
  return link
}

/** An earlier query, to be asked again. */
export function recentOption(query: string, onSelect: () => void): HTMLElement {
  const entry = option('div')
  entry.textContent = query
  entry.addEventListener('click', onSelect)
  return entry
}

/** How many pages were found, as the status of a list says it. */
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
