/**
 * MCP tools of a site: search, and read a page. Holds the tool definitions and formats the results; the content is what
 * the site answers to any reader. The caller has authorized the reader.
 */
import type { Services } from '../access/route/scope.js'
import type { Visitor } from '../core/visitor/visitor.js'
import { ApiError } from '../contract/errors.js'
import { type SiteResponse, answerSite } from './answer.js'
import type { SearchItem } from './layout/search-page.js'
import { openContent } from './pages/content.js'
import { maxQueryLength, searchSite } from './pages/search.js'
import type { Assets } from './pages/site-view.js'
import type { PublishedSite, Variant } from './routing/site.js'

export interface ToolDefinition {
  readonly name: string
  readonly title: string
  readonly description: string
  /** A JSON schema. */
  readonly inputSchema: { readonly type: 'object' } & Readonly<Record<string, unknown>>
}

/** Texts for the model; `isError` marks a failed call. */
export interface ToolResult {
  readonly texts: readonly string[]
  readonly isError?: true
}

/** The site that a model reads, and the reader it acts for. */
export interface ToolContext {
  readonly services: Services
  readonly site: PublishedSite
  /** The variant at whose root the endpoint was called. */
  readonly variant: Variant
  readonly visitor: Visitor
  readonly signal: AbortSignal
  readonly assets: Assets
}

/** Characters of an excerpt: longer than in a list for people. */
const excerptLength = 500
/** Redirects that are followed. */
const maxRedirects = 5

/** Returns the tools of a site. */
export function listTools({ title, customization, url }: PublishedSite): ToolDefinition[] {
  const name = customization.title ?? title
  const text = (description: string, maxLength: number) => ({ type: 'string', description, maxLength })
  return [
    {
      name: 'searchDocumentation',
      title: `Search ${name}`,
      description: `Search the documentation of ${name}. Returns pages with their addresses and what they say about the words that were asked for. Read a page whole with getPage.`,
      inputSchema: {
        type: 'object',
        properties: { query: text('Words to look for, or a question', maxQueryLength) },
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

/** Calls a tool; undefined when there is none of this name. */
export async function callTool(
  context: ToolContext,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<ToolResult | undefined> {
  try {
    if (name === 'searchDocumentation') {
      const { query } = input
      if (typeof query !== 'string' || query.trim() === '') return failure('Say in "query" what to look for.')
      return await searchDocumentation(context, query.slice(0, maxQueryLength))
    }
    if (name !== 'getPage') return undefined
    const { url } = input
    if (typeof url !== 'string') return failure('Say in "url" which page to read.')
    return await getPage(context, url)
  } catch (error) {
    // The search is overloaded, or a part of the content is damaged.
    if (error instanceof ApiError) return failure(error.message)
    throw error
  }
}

function failure(text: string): ToolResult {
  return { texts: [text], isError: true }
}

async function searchDocumentation(
  { services, site, variant, signal }: ToolContext,
  query: string,
): Promise<ToolResult> {
  const visible = await openContent(services, site, variant)
  const { items } = await searchSite(services, visible, { query, page: 0, signal, excerptLength })
  if (items.length === 0) return { texts: ['Nothing was found. Try other words, or fewer of them.'] }
  return { texts: items.map((item) => formatItem(visible.linker.absolute, item)) }
}

function formatItem(
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

async function getPage(context: ToolContext, written: string): Promise<ToolResult> {
  const { services, site, visitor, signal, assets } = context
  let path = pathBelowSite(site, written)
  for (let count = 0; path !== undefined && count < maxRedirects; count++) {
    const request = { path, query: new URLSearchParams(), wantsMarkdown: true, visitor, signal }
    const answer = await answerSite(services, site, request, assets)
    if (answer.location === undefined) return resultOf(answer)
    path = pathBelowSite(site, answer.location)
    if (path === undefined) return { texts: [`This page has moved to ${answer.location}`] }
  }
  return failure(`The address is no page of this site: its pages stand below ${site.url}`)
}

function resultOf({ status, contentType, body }: SiteResponse): ToolResult {
  const isPage = status === 200 && contentType.startsWith('text/markdown')
  if (isPage && typeof body === 'string') return { texts: [body] }
  return failure('There is no page at this address.')
}

/** Returns the path of an address below any base of the site; undefined for external addresses. */
function pathBelowSite({ url, base }: PublishedSite, written: string): string | undefined {
  let address: URL
  try {
    address = new URL(written.trim(), url)
  } catch {
    return undefined
  }
  const known = new URL(url)
  const roots = [known.pathname, base]
  const root = roots.find((one) => `${address.pathname}/`.startsWith(one))
  // Only paths are compared: behind a proxy the host has several names.
  if (root === undefined) return undefined
  return address.pathname.slice(root.length)
}
