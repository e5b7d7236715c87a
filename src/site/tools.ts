/**
 * What a language model is offered of a site: to search it, and to read a page. The words for it stand here, what is
 * found and read is what the site answers anybody else; who may read it has been decided.
 */
import type { Services } from '../access/route/scope.js'
import type { Visitor } from '../core/visitor/visitor.js'
import { ApiError } from '../contract/errors.js'
import { type Answer, answerSite } from './answer.js'
import type { SearchItem } from './layout/search-page.js'
import { openContent } from './pages/content.js'
import { longestQuery, searchSite } from './pages/search.js'
import type { Assets } from './pages/site-view.js'
import type { ShownSite, Variant } from './routing/site.js'

export interface OfferedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** A JSON schema. */
  readonly inputSchema: { readonly type: 'object' } & Readonly<Record<string, unknown>>
}

/** Texts for the model; `isError` tells it that it asked for what there is not. */
export interface ToolResult {
  readonly texts: readonly string[]
  readonly isError?: true
}

/** Where a model reads, and as whom. */
export interface ToolPlace {
  readonly services: Services
  readonly site: ShownSite
  /** The one at whose root it asks. */
  readonly variant: Variant
  readonly visitor: Visitor
  readonly signal: AbortSignal
  readonly assets: Assets
}

/** Characters of an excerpt: a model reads more than a person who looks through a list. */
const excerptLength = 500
/** Addresses that lead on to one another. */
const mostRedirects = 5

/** Returns the tools of a site. */
export function toolsOf({ title, customization, url }: ShownSite): OfferedTool[] {
  const name = customization.title ?? title
  const text = (description: string, maxLength: number) => ({ type: 'string', description, maxLength })
  return [
    {
      name: 'searchDocumentation',
      title: `Search ${name}`,
      description: `Search the documentation of ${name}. Returns pages with their addresses and what they say about the words that were asked for. Read a page whole with getPage.`,
      inputSchema: {
        type: 'object',
        properties: { query: text('Words to look for, or a question', longestQuery) },
        required: ['query'],
      },
    },
    {
      name: 'getPage',
      title: `Read a page of ${name}`,
      description: `Returns a page of the documentation of ${name} as Markdown.`,
      inputSchema: {
        type: 'object',
        properties: { url: text(`Address of the page, below ${url}`, 2048) },
        required: ['url'],
      },
    },
  ]
}

/** Uses a tool; undefined when there is none of this name. */
export async function callTool(
  place: ToolPlace,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<ToolResult | undefined> {
  try {
    if (name === 'searchDocumentation') {
      const { query } = given
      if (typeof query !== 'string' || query.trim() === '') return failure('Say in "query" what to look for.')
      return await searchDocumentation(place, query.slice(0, longestQuery))
    }
    if (name !== 'getPage') return undefined
    const { url } = given
    if (typeof url !== 'string') return failure('Say in "url" which page to read.')
    return await getPage(place, url)
  } catch (error) {
    // Too many search, or a part of the content is damaged.
    if (error instanceof ApiError) return failure(error.message)
    throw error
  }
}

function failure(text: string): ToolResult {
  return { texts: [text], isError: true }
}

async function searchDocumentation(
  { services, site, variant, signal }: ToolPlace,
  query: string,
): Promise<ToolResult> {
  const shown = await openContent(services, site, variant)
  const { items } = await searchSite(services, shown, { query, page: 0, signal, excerptLength })
  if (items.length === 0) return { texts: ['Nothing was found. Try other words, or fewer of them.'] }
  return { texts: items.map((item) => describeItem(shown.linker.absolute, item)) }
}

function describeItem(
  absolute: (href: string) => string,
  { title, href, section, breadcrumbs = [], sections }: SearchItem,
): string {
  const parts = sections.flatMap(({ heading, excerpt }) => {
    const lines = [
      ...(heading === undefined ? [] : [`## ${heading.text}`]),
      ...(excerpt ? [excerpt.text] : []),
    ]
    return lines.length === 0 ? [] : [lines.join('\n')]
  })
  const path = [...(section === undefined ? [] : [section]), ...breadcrumbs, title.text].join(' / ')
  return [`Title: ${path}`, `Link: ${absolute(href)}`, ...parts].join('\n')
}

async function getPage(place: ToolPlace, written: string): Promise<ToolResult> {
  const { services, site, visitor, signal, assets } = place
  let path = pathIn(site, written)
  for (let count = 0; path !== undefined && count < mostRedirects; count++) {
    const asked = { path, query: new URLSearchParams(), wantsMarkdown: true, visitor, signal }
    const answer = await answerSite(services, site, asked, assets)
    if (answer.location === undefined) return textOf(answer)
    path = pathIn(site, answer.location)
    if (path === undefined) return { texts: [`This page has moved to ${answer.location}`] }
  }
  return failure(`The address is no page of this site: its pages stand below ${site.url}`)
}

function textOf({ status, contentType, body }: Answer): ToolResult {
  const isPage = status === 200 && contentType.startsWith('text/markdown')
  if (isPage && typeof body === 'string') return { texts: [body] }
  return failure('There is no page at this address.')
}

/** Returns the path of an address below the site, by whichever of its addresses; undefined for what is elsewhere. */
function pathIn({ url, base }: ShownSite, written: string): string | undefined {
  let address: URL
  try {
    address = new URL(written.trim(), url)
  } catch {
    return undefined
  }
  const known = new URL(url)
  const roots = [known.pathname, base]
  const root = roots.find((one) => `${address.pathname}/`.startsWith(one))
  // Only paths are compared: behind a proxy the host is known by several names.
  if (root === undefined) return undefined
  return address.pathname.slice(root.length)
}
