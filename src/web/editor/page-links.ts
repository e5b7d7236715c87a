/**
 * Destinations of links: pages of the space by title, their headings, pages of other spaces, and what an address that was
 * pasted leads to. A page of the same space is written as the relative path of its file, one of another space as its address
 * in the app.
 */
import { queryOptions } from '@tanstack/react-query'
import { changeRequestContent, spaceContent } from '../../contract/content.js'
import { changeRequestLinks, spaceLinks } from '../../contract/links.js'
import type { Page } from '../../contract/pages.js'
import { searchOrganization } from '../../contract/search.js'
import { relativePath } from '../../core/links/relative.js'
import { api } from '../api/client.js'
import { contentRequest } from '../api/content-request.js'
import { type ContentSource, contentKey, queryClient, spaceQuery } from '../api/queries.js'
import type { LinkDescription } from '../document/construct.js'
import { spacePath } from '../routes/addresses.js'
import { pageHtmlQuery } from '../space/page-html.js'

/** A page that a link can lead to. */
export interface LinkablePage {
  readonly id: string
  readonly title: string
  readonly path: string
  /** The path of its file; that of the page for one that is no document. */
  readonly file: string
  readonly emoji: string | undefined
  /** Titles of the pages above, from the top. */
  readonly above: readonly string[]
}

export const linkablePagesQuery = (source: ContentSource) =>
  queryOptions({
    queryKey: [...contentKey(source), 'pages', 'links'],
    queryFn: async ({ signal }) => {
      const query = { metadata: false, fields: 'path,file,emoji' }
      const { pages } = await api.call(
        ...contentRequest(source, spaceContent.pages, changeRequestContent.pages, { query, signal }),
      )
      return linkablePages(pages, [])
    },
  })

function linkablePages(pages: readonly Page[], above: readonly string[]): readonly LinkablePage[] {
  return pages.flatMap(({ id, title, path, file, emoji, pages: below = [] }) => [
    ...(path === undefined ? [] : [{ id, title, path, file: file ?? path, emoji, above }]),
    ...linkablePages(below, [...above, title]),
  ])
}

export const fetchLinkablePages = (source: ContentSource): Promise<readonly LinkablePage[]> =>
  queryClient.fetchQuery(linkablePagesQuery(source))

/** Returns the destination of a page in the text of another one. */
export function destinationOf(from: LinkablePage | undefined, to: LinkablePage, fragment?: string): string {
  const path = from?.id === to.id && fragment !== undefined ? '' : relativePath(from?.file ?? '', to.file)
  return fragment === undefined ? path : `${path}#${encodeURIComponent(fragment)}`
}

/** Returns the pages whose title or path has all words, those that begin with them first. */
export function findPages(pages: readonly LinkablePage[], query: string): readonly LinkablePage[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const rankOf = ({ title, path, above }: LinkablePage): number => {
    const name = title.toLowerCase()
    if (words.length === 0 || name.startsWith(words.join(' '))) return 0
    if (words.every((word) => name.includes(word))) return 1
    const all = `${name} ${path.toLowerCase()} ${above.join(' ').toLowerCase()}`
    return words.every((word) => all.includes(word)) ? 2 : 3
  }
  return pages
    .map((page) => ({ page, rank: rankOf(page) }))
    .filter(({ rank }) => rank < 3)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ page }) => page)
}

export interface ForeignPage {
  readonly title: string
  readonly space: string
  /** The address in the app. */
  readonly url: string
}

/** Searches the pages of the other spaces that the person may read. */
export async function searchOtherSpaces(
  source: ContentSource,
  query: string,
): Promise<readonly ForeignPage[]> {
  if (query.trim().length < 2) return []
  const { organization: organizationId } = await queryClient.fetchQuery(spaceQuery(source.space))
  const { items } = await api.call(searchOrganization, {
    params: { organizationId },
    query: { query, limit: 5 },
  })
  return items
    .filter(({ id }) => id !== source.space)
    .flatMap(({ title: space, pages }) =>
      pages.slice(0, 3).map(({ title, urls }) => ({ title, space, url: urls.app })),
    )
}

/** The headings of a page, with the fragments that lead to them; an outline leaves out lone and deep ones. */
export async function headingsOf(source: ContentSource, page: Pick<LinkablePage, 'id' | 'path'>) {
  const { article } = await queryClient.fetchQuery(pageHtmlQuery(source, page))
  const html = new DOMParser().parseFromString(article, 'text/html')
  for (const sign of html.querySelectorAll('a.anchor')) sign.remove()
  return [...html.querySelectorAll(':is(h2, h3, h4)[id]')].map(({ id, textContent }) => ({
    id,
    title: textContent.trim(),
  }))
}

export interface AddressTarget {
  readonly url: string
  readonly title: string
}

/**
 * Returns what an address of this app leads to: the title of the page, and the destination as it is written in the text;
 * undefined for every other address.
 */
export async function describeAddress(
  source: ContentSource,
  page: string,
  address: string,
): Promise<AddressTarget | undefined> {
  const url = parseUrl(address)
  const parts = url?.origin === location.origin ? url.pathname.split('/').filter(Boolean) : []
  const [first, space, ...rest] = parts
  if (url === undefined || first !== 's' || space === undefined) return undefined
  const path = decode((rest[0] === '~' ? rest.slice(3) : rest).join('/'))
  const fragment = url.hash === '' ? undefined : decode(url.hash.slice(1))
  if (space !== source.space) {
    const { title } = await api.call(spaceContent.pageByPath, {
      params: { spaceId: space, pagePath: path },
      query: { format: 'markdown' },
    })
    return { url: `${location.origin}${spacePath(space, path)}${url.hash}`, title }
  }
  const pages = await fetchLinkablePages(source)
  const target = pages.find((one) => one.path === path)
  if (target === undefined) return undefined
  const heading =
    fragment === undefined
      ? undefined
      : (await headingsOf(source, target)).find(({ id }) => id === fragment)?.title
  return {
    url: destinationOf(
      pages.find(({ id }) => id === page),
      target,
      fragment,
    ),
    title: heading ?? target.title,
  }
}

function parseUrl(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** What the links of a page lead to, by their destinations as they are written. */
export const linkTargetsQuery = (source: ContentSource, page: string) =>
  queryOptions({
    queryKey: [...contentKey(source), 'page', page, 'links'],
    queryFn: async ({ signal }) => {
      const { items } = await api.call(
        ...contentRequest(source, spaceLinks.ofPage, changeRequestLinks.ofPage, {
          params: { pageId: page },
          query: { limit: 1000 },
          signal,
        }),
      )
      return new Map(
        items.map(({ destination, status, targetReference }): [string, LinkDescription] => [
          destination,
          { ...describeTarget(targetReference), isBroken: status === 'broken' },
        ]),
      )
    },
  })

type Target = NonNullable<
  Awaited<ReturnType<typeof api.call<typeof spaceLinks.ofPage>>>['items'][number]['targetReference']
>

function describeTarget(target: Target | undefined): LinkDescription {
  switch (target?.kind) {
    case 'page':
      return {
        title: target.page.title,
        ...(target.page.description !== undefined && { detail: target.page.description }),
      }
    case 'file':
      return { title: target.file.name }
    case 'reusable-content':
      return { title: target.reusableContent.title }
    case 'space':
      return { title: target.space.title }
    default:
      return {}
  }
}
