/** Breadcrumbs of a page: from its JSON-LD metadata, else from the trail above the content. */
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

/** A page above this one, or a group of pages, which has no URL; the page itself may be the last. */
export interface Crumb {
  readonly title: string
  readonly url?: string
}

const trailNames = /^(?:breadcrumbs?|wy-breadcrumbs|theme-doc-breadcrumbs|related)$/
const pagerNames = /^(?:relations|pagination|pager|paging)$/
/** Longest JSON-LD that is parsed. */
const maxJsonLdLength = 200_000
const maxCrumbs = 20

type ResolveLink = (url: string) => string | undefined

function isTrail(element: HtmlElement): boolean {
  return (
    /\bbreadcrumbs?\b/i.test(valueOf(element, 'aria-label') ?? '') ||
    trailNames.test(valueOf(element, 'id')?.toLowerCase() ?? '') ||
    classesOf(element).some((name) => trailNames.test(name))
  )
}

/** Returns whether an element is a breadcrumb trail or a pager, and so not a site menu. */
export function isBreadcrumbOrPager(element: HtmlElement): boolean {
  return (
    isTrail(element) ||
    /\bpagination\b/i.test(valueOf(element, 'aria-label') ?? '') ||
    classesOf(element).some((name) => pagerNames.test(name))
  )
}

/** Returns whether a link is a pager link: to the next, previous or parent page, or an index. */
export function isPagerLink(link: HtmlElement): boolean {
  return (
    valueOf(link, 'accesskey') !== undefined ||
    /^(?:next|previous) chapter$/i.test(valueOf(link, 'title') ?? '') ||
    /\b(?:next|prev|previous|up)\b/i.test(valueOf(link, 'rel') ?? '')
  )
}

/** Returns the breadcrumbs of a page, outermost first; empty when it has none. */
export function readTrail(document: HtmlElement, destination: ResolveLink): readonly Crumb[] {
  let visibleTrail: readonly Crumb[] = []
  for (const element of descendants(document)) {
    if (element.name === 'script' && /^application\/ld\+json/i.test(valueOf(element, 'type') ?? '')) {
      const fromJsonLd = jsonLdTrail(textOf(element), destination)
      if (fromJsonLd.length > 0) return fromJsonLd
    } else if (visibleTrail.length === 0 && isTrail(element))
      visibleTrail = trailOfElement(element, destination)
  }
  return visibleTrail
}

function jsonLdTrail(text: string, destination: ResolveLink): readonly Crumb[] {
  if (text.length > maxJsonLdLength || !text.includes('BreadcrumbList')) return []
  const list = findList(parseJson(text))
  const items = Array.isArray(list?.['itemListElement']) ? (list['itemListElement'] as unknown[]) : []
  return items
    .slice(0, maxCrumbs)
    .flatMap((one) => (isMapping(one) ? [one] : []))
    .toSorted((a, b) => Number(a['position']) - Number(b['position']) || 0)
    .flatMap((one) => {
      const item = isMapping(one['item']) ? one['item'] : { '@id': one['item'] }
      const url = [item['@id'], item['url']].find((value) => typeof value === 'string')
      const title = [one['name'], item['name']].find((value) => typeof value === 'string') ?? ''
      return crumb(title, url === undefined ? undefined : destination(url))
    })
}

/** The list may be the document itself, in an array or `@graph`, or the `breadcrumb` of a WebPage. */
function findList(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const graph = isMapping(value) && Array.isArray(value['@graph']) ? (value['@graph'] as unknown[]) : []
  const candidates = [...(Array.isArray(value) ? (value as unknown[]) : [value]), ...graph].flatMap((one) =>
    isMapping(one) ? [one, one['breadcrumb']] : [],
  )
  return candidates.find(
    (one): one is Readonly<Record<string, unknown>> => isMapping(one) && one['@type'] === 'BreadcrumbList',
  )
}

/** The items of a list, else the links. In the navigation bar of Sphinx only ancestors are numbered. */
function trailOfElement(trail: HtmlElement, destination: ResolveLink): readonly Crumb[] {
  const list = findElement(trail, ({ name }) => name === 'ul' || name === 'ol')
  const isBar = classesOf(trail).includes('related')
  const items = elementsOf(list ?? trail).filter(
    (item) => !isBar || classesOf(item).some((name) => /^nav-item-\d/.test(name)),
  )
  return items.slice(0, maxCrumbs).flatMap((item) => {
    const link = item.name === 'a' ? item : findElement(item, ({ name }) => name === 'a')
    const href = link && valueOf(link, 'href')
    return crumb(
      wordsOf(link ?? item),
      href === undefined || href.startsWith('#') ? undefined : destination(href),
    )
  })
}

/** Separators between the items are dropped. */
function crumb(title: string, url: string | undefined): readonly Crumb[] {
  const words = title.replace(/\s+/g, ' ').trim().slice(0, 200)
  if (url !== undefined) return [{ title: words, url: url.replace(/#.*/s, '') }]
  return /[\p{L}\p{N}]/u.test(words) ? [{ title: words }] : []
}
