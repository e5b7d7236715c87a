/** The way from the first page of a site to this one, as the page says it: marked for programs, or shown above the content. */
import { isMapping } from '../mapping.js'
import { parseJson } from '../parse-json.js'
import {
  type HtmlElement,
  classesOf,
  descendants,
  elementsOf,
  findElement,
  textOf,
  valueOf,
  wordsOf,
} from './nodes.js'

/** A page above this one, or a mere group of pages, which has no address; the page itself may be the last. */
export interface Crumb {
  readonly title: string
  readonly url?: string
}

const trails = /^(?:breadcrumbs?|wy-breadcrumbs|theme-doc-breadcrumbs|related)$/
const steps = /^(?:relations|pagination|pager|paging)$/
/** What programs are told is short. */
const longestData = 200_000
const mostCrumbs = 20

type Lead = (url: string) => string | undefined

function isTrail(element: HtmlElement): boolean {
  return (
    /\bbreadcrumbs?\b/i.test(valueOf(element, 'aria-label') ?? '') ||
    trails.test(valueOf(element, 'id')?.toLowerCase() ?? '') ||
    classesOf(element).some((name) => trails.test(name))
  )
}

/** Returns whether an element shows such a way, or the steps to the pages around: no menu of a site. */
export function isAround(element: HtmlElement): boolean {
  return (
    isTrail(element) ||
    /\bpagination\b/i.test(valueOf(element, 'aria-label') ?? '') ||
    classesOf(element).some((name) => steps.test(name))
  )
}

/** Returns whether a link is a step from this page: to the next one, the one before, the one above, or an index. */
export function isStep(link: HtmlElement): boolean {
  return (
    valueOf(link, 'accesskey') !== undefined ||
    /^(?:next|previous) chapter$/i.test(valueOf(link, 'title') ?? '') ||
    /\b(?:next|prev|previous|up)\b/i.test(valueOf(link, 'rel') ?? '')
  )
}

/** Returns the way to a page, the outermost first; empty where it says none. */
export function readTrail(document: HtmlElement, destination: Lead): readonly Crumb[] {
  let shown: readonly Crumb[] = []
  for (const element of descendants(document)) {
    if (element.name === 'script' && /^application\/ld\+json/i.test(valueOf(element, 'type') ?? '')) {
      const told = toldTrail(textOf(element), destination)
      if (told.length > 0) return told
    } else if (shown.length === 0 && isTrail(element)) shown = shownTrail(element, destination)
  }
  return shown
}

function toldTrail(text: string, destination: Lead): readonly Crumb[] {
  if (text.length > longestData || !text.includes('BreadcrumbList')) return []
  const list = findList(parseJson(text))
  const items = Array.isArray(list?.['itemListElement']) ? (list['itemListElement'] as unknown[]) : []
  return items
    .slice(0, mostCrumbs)
    .flatMap((one) => (isMapping(one) ? [one] : []))
    .toSorted((a, b) => Number(a['position']) - Number(b['position']) || 0)
    .flatMap((one) => {
      const item = isMapping(one['item']) ? one['item'] : { '@id': one['item'] }
      const url = [item['@id'], item['url']].find((value) => typeof value === 'string')
      const title = [one['name'], item['name']].find((value) => typeof value === 'string') ?? ''
      return crumb(title, url === undefined ? undefined : destination(url))
    })
}

/** The list stands alone, among others, or in what a page says of itself. */
function findList(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const graph = isMapping(value) && Array.isArray(value['@graph']) ? (value['@graph'] as unknown[]) : []
  const candidates = [...(Array.isArray(value) ? (value as unknown[]) : [value]), ...graph].flatMap((one) =>
    isMapping(one) ? [one, one['breadcrumb']] : [],
  )
  return candidates.find(
    (one): one is Readonly<Record<string, unknown>> => isMapping(one) && one['@type'] === 'BreadcrumbList',
  )
}

/** The items of a list; else the links. In the bar of Sphinx the pages above alone have a number. */
function shownTrail(trail: HtmlElement, destination: Lead): readonly Crumb[] {
  const list = findElement(trail, ({ name }) => name === 'ul' || name === 'ol')
  const isBar = classesOf(trail).includes('related')
  const items = elementsOf(list ?? trail).filter(
    (item) => !isBar || classesOf(item).some((name) => /^nav-item-\d/.test(name)),
  )
  return items.slice(0, mostCrumbs).flatMap((item) => {
    const link = item.name === 'a' ? item : findElement(item, ({ name }) => name === 'a')
    const href = link && valueOf(link, 'href')
    return crumb(
      wordsOf(link ?? item),
      href === undefined || href.startsWith('#') ? undefined : destination(href),
    )
  })
}

/** Signs between the items are none. */
function crumb(title: string, url: string | undefined): readonly Crumb[] {
  const words = title.replace(/\s+/g, ' ').trim().slice(0, 200)
  if (url !== undefined) return [{ title: words, url: url.replace(/#.*/s, '') }]
  return /[\p{L}\p{N}]/u.test(words) ? [{ title: words }] : []
}
