/**
 * Link rewriting of a static export: addresses of the site become relative links between files.
 *
 * An address is requested when it is found for the first time; its file is written, its page is queued. So the export
 * contains what its pages refer to, and nothing else.
 */
import { trimBothOf } from '../../core/trim.js'
import { escapeHtml } from '../../site/html.js'
import { belowBase } from '../../site/routing/linker.js'
import { createFileNames, relativePath } from '../../site/static-export/file-names.js'
import { extensionFor } from '../../site/static-export/file-types.js'
import {
  type FoundAddress,
  findAddresses,
  findDataAddresses,
  findStyleAddresses,
  findTextAddresses,
  replaceAddresses,
  withoutCounting,
  withoutFeedback,
  withoutMcpAction,
} from '../../site/static-export/markup.js'
import { type FetchableSite, type ExportedResponse, textOf } from './fetch-internal.js'
import { type SiteAddress, type SiteReference, createAddressParser } from './site-addresses.js'

/** Target of a link: a file of the export (a page is its folder), or an address outside of it. */
export type LinkTarget = { readonly name: string; readonly query?: string } | { readonly href: string }

export interface ResolvedLink {
  readonly target: LinkTarget
  readonly fragment: string
}

/** The script that searches the export. */
export interface SearchScript {
  readonly name: string
  readonly version: string
}

export interface LinkRewriter {
  readonly parse: ReturnType<typeof createAddressParser>
  /** The folder of the page at a path below the site. */
  pageName(path: string): string
  markdownName(path: string): string
  /** Registers the target of an address that is known to be a page, or the Markdown of one. */
  register(href: string, target: LinkTarget): void
  /** Resolves an address, by a request where it is not known yet; undefined for a broken link. */
  resolve(href: string): Promise<ResolvedLink | undefined>
  /** The same; records a broken link and returns the site itself for it; undefined for an address that stays as written. */
  resolveOrReport(href: string): Promise<ResolvedLink | undefined>
  relativeHref(name: string, link: ResolvedLink): string
  /** Returns the body of a response with its links relative to the file of this name. */
  rewrite(name: string, response: ExportedResponse): Promise<string | Uint8Array>
  /** Takes the pages that links refer to and no list contains out of the queue; the caller writes them. */
  takeQueuedPages(): SiteAddress[]
  /** Addresses of broken links. */
  readonly brokenLinks: ReadonlySet<string>
}

/** Path of the search results of a variant, below it. */
export const searchPath = '~octavo/search'
/** Redirects that are followed in a row. */
const maxHops = 5
/** Files at the top of an export that are no part of the site. */
const reservedNames = ['404.html', '_redirects', '.nojekyll'] as const

export function createLinkRewriter(
  { site, fetchPath }: FetchableSite,
  {
    serverBase,
    publicUrl,
    searchScript,
    write,
  }: {
    readonly serverBase: string
    readonly publicUrl: string | undefined
    readonly searchScript: SearchScript
    readonly write: (name: string, content: string | Uint8Array) => Promise<void>
  },
): LinkRewriter {
  const parse = createAddressParser(site, serverBase)
  const names = createFileNames(reservedNames)
  const urlPrefix = site.url.startsWith(serverBase) ? `${serverBase}/` : site.url
  const targets = new Map<string, LinkTarget | undefined>()
  const brokenLinks = new Set<string>()
  let queue: SiteAddress[] = []
  // Before any other folder, so that it gets exactly this name, which scripts contain.
  names.folder('~octavo')

  const pageName = (path: string): string => names.folder(trimBothOf(path, '/'))

  async function resolveTarget(address: SiteAddress, hops = 0): Promise<LinkTarget | undefined> {
    if (targets.has(address.href)) return targets.get(address.href)
    // A circular reference is a broken link.
    targets.set(address.href, undefined)
    const target = await findTarget(address, hops)
    targets.set(address.href, target)
    return target
  }

  async function findTarget(address: SiteAddress, hops: number): Promise<LinkTarget | undefined> {
    const response = await fetchPath(address.href)
    if (response.location !== undefined) {
      const link = parse(response.location)
      if (link.address === undefined) return { href: link.href ?? response.location }
      return hops < maxHops ? resolveTarget(link.address, hops + 1) : undefined
    }
    if (response.status !== 200) return undefined
    if (isMarkup(response) && !address.path.includes('~octavo/')) {
      // The same page with a query: a search, a form.
      if (address.query !== '')
        return resolveTarget({ ...address, href: address.href.split('?')[0]!, query: '' })
      queue.push(address)
      return { name: pageName(address.path) }
    }
    const query = new URLSearchParams(address.query)
    const version = query.get('v')
    query.delete('v')
    // The same file in several spaces has several ids, and needs no folder for its space.
    const path = trimBothOf(address.path.replace(/^~octavo\/files\/[^/]+\//, '~octavo/files/'), '/')
    const name = names.file(path + extensionFor(path, response.contentType), query.toString())
    const isAsset = version !== null && address.path.startsWith('~octavo/assets/')
    const target = { name, ...(isAsset && { query: `v=${version}` }) }
    targets.set(address.href, target)
    await write(name, await rewrite(name, response))
    return target
  }

  async function resolve(href: string): Promise<ResolvedLink | undefined> {
    const reference = parse(href)
    if (reference.address === undefined) {
      return reference.href === undefined ? undefined : { target: { href: reference.href }, fragment: '' }
    }
    const target = await resolveTarget(reference.address)
    return target && { target, fragment: reference.fragment }
  }

  /** The synchronous form for a known address: a page has hundreds of them. */
  function resolveKnown(reference: SiteReference): ResolvedLink | undefined {
    if (reference.address === undefined) return undefined
    const target = targets.get(reference.address.href)
    return target && { target, fragment: reference.fragment }
  }

  async function resolveOrReport(href: string): Promise<ResolvedLink | undefined> {
    const link = await resolve(href)
    const reference = parse(href)
    if (link !== undefined || reference.address === undefined) return link
    brokenLinks.add(reference.address.href)
    // The site may have it later.
    const target = { href: new URL(reference.address.href, site.url).href }
    return { target, fragment: reference.fragment }
  }

  function relativeHref(name: string, { target, fragment }: ResolvedLink): string {
    if ('href' in target) return target.href + fragment
    return relativePath(name, target.name) + (target.query === undefined ? '' : `?${target.query}`) + fragment
  }

  /** Returns the public address of a target. */
  function absoluteHref({ target, fragment }: ResolvedLink): string {
    if ('href' in target || publicUrl === undefined)
      return ('href' in target ? target.href : site.url) + fragment
    return publicUrl + relativePath('', target.name).replace(/^\.\/$/, '') + fragment
  }

  async function rewrite(name: string, response: ExportedResponse): Promise<string | Uint8Array> {
    const { contentType, body } = response
    if (isMarkup(response)) return rewriteMarkup(name, textOf(response))
    if (/^text\/css\b/.test(contentType)) {
      const styles = textOf(response)
      return rewriteAddresses(styles, findStyleAddresses(styles), (one) => relativeHref(name, one))
    }
    const isMarkdown = /^text\/markdown\b/.test(contentType)
    const isFeed = /^(?:text\/(?:plain|xml)|application\/(?:\w+\+)?xml)\b/.test(contentType)
    // What programs fetch contains absolute addresses: those of the site unless the export has a public one.
    if (!isMarkdown && (!isFeed || publicUrl === undefined)) return body
    const text = textOf(response)
    const found = findTextAddresses(text, urlPrefix)
    return rewriteAddresses(text, found, (one) => (isMarkdown ? relativeHref(name, one) : absoluteHref(one)))
  }

  async function rewriteAddresses(
    text: string,
    found: readonly FoundAddress[],
    hrefOf: (link: ResolvedLink) => string,
  ): Promise<string> {
    const replacements: (string | undefined)[] = []
    for (const one of found) {
      const link = resolveKnown(parse(one.href)) ?? (await resolveOrReport(one.href))
      replacements.push(link && hrefOf(link))
    }
    return replaceAddresses(text, found, (_, index) => replacements[index])
  }

  async function rewriteMarkup(name: string, body: string): Promise<string> {
    // Without a public address, the action for language models refers to the site.
    const withoutForms = withoutFeedback(withoutCounting(body))
    const source = publicUrl === undefined ? withoutForms : withoutMcpAction(withoutForms)
    const data = publicUrl === undefined ? [] : findDataAddresses(source, urlPrefix)
    const markup = await rewriteAddresses(source, data, absoluteHref)
    const found = findAddresses(markup)
    const replacements: (string | undefined)[] = []
    for (const one of found) {
      const replacement = hrefInMarkup(name, one)
      replacements.push(typeof replacement === 'object' ? await replacement : replacement)
    }
    return replaceAddresses(markup, found, (_, index) => {
      const href = replacements[index]
      return href === undefined ? undefined : escapeHtml(href)
    })
  }

  /** Returns the replacement of an address in a tag; undefined where it stays as written. */
  function hrefInMarkup(name: string, one: FoundAddress): string | undefined | Promise<string | undefined> {
    const { element, attribute, href } = one
    const reference = parse(href)
    if (reference.address === undefined) return element === 'meta' ? undefined : reference.href
    if (attribute === 'data-search' || attribute === 'action') return searchHref(name, one, reference.address)
    const needsAbsolute = element === 'meta' || (element === 'link' && reference.isAbsolute)
    if (needsAbsolute && publicUrl === undefined) return undefined
    const hrefOf = (link: ResolvedLink | undefined) =>
      link && (needsAbsolute ? absoluteHref(link) : relativeHref(name, link))
    const known = resolveKnown(reference)
    return known === undefined ? resolveOrReport(href).then(hrefOf) : hrefOf(known)
  }

  /** The search of a variant is its page of results and a script; every other form needs the server of the site. */
  function searchHref(name: string, { attribute, href }: FoundAddress, { path }: SiteAddress): string {
    const root = attribute === 'action' ? path : path.replace(searchPath, '')
    const number = site.variants.findIndex((variant) => belowBase(variant) === root)
    if (number < 0) return new URL(href, site.url).href
    if (attribute === 'action') return relativePath(name, `${pageName(root)}${searchPath}/`)
    return `${relativePath(name, searchScript.name)}?v=${searchScript.version}#${number}`
  }

  return {
    parse,
    pageName,
    markdownName: (path) => names.file(path),
    register: (href, target) => void targets.set(href, target),
    resolve,
    resolveOrReport,
    relativeHref,
    rewrite,
    takeQueuedPages() {
      const taken = queue
      queue = []
      return taken
    },
    brokenLinks,
  }
}

function isMarkup({ contentType }: ExportedResponse): boolean {
  return /^text\/html\b/.test(contentType)
}
