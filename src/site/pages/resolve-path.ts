/**
 * Path resolution of a site, with redirect loop detection: the page at a path, or its redirect. The order of precedence
 * is documented in docs/guide/publishing.md. Redirects are written one by one and their targets renamed, so each chain
 * is followed before it is answered: a loop is not found.
 */
import type { Services } from '../../access/route/scope.js'
import type { Destination } from '../routing/destination.js'
import { belowBase } from '../routing/linker.js'
import { type VariantChoice, matchPath } from '../routing/match-path.js'
import type { PublishedSite } from '../routing/site.js'
import { type VisibleContent, destinationFor, isReachable, openContent } from './content.js'
import { type RedirectTarget, findRenamedPath, findSiteRedirect } from './site-redirect.js'

export type ResolvedPath =
  | Exclude<Destination, { readonly kind: 'redirect' }>
  | (RedirectTarget & { readonly kind: 'redirect' })

/** A path (percent-encoded, below the base of its site), and the variant that it names. */
interface PathRequest {
  readonly path: string
  readonly choice: VariantChoice
}

/** Resolves a path; a page that the reader may not see is missing. */
export async function resolvePath(
  services: Services,
  visible: VisibleContent,
  request: PathRequest,
): Promise<ResolvedPath> {
  const resolved = await resolveOnce(services, visible, request)
  if (resolved.kind !== 'redirect' || (await terminates(services, visible.site, resolved.href)))
    return resolved
  return { kind: 'missing' }
}

/** Resolves a path without following its redirect. */
async function resolveOnce(
  services: Services,
  visible: VisibleContent,
  { path, choice }: PathRequest,
): Promise<ResolvedPath> {
  const { site } = visible
  const destination = await destinationFor(visible, choice)
  const isVisible =
    destination.kind !== 'missing' &&
    (destination.page === undefined || (await isReachable(visible, destination.page)))
  if (isVisible && destination.kind !== 'redirect') return destination
  const redirect = isVisible && destination.kind === 'redirect' ? destination : undefined
  const isFallback = redirect?.isFallback === true
  const hasRedirect = redirect?.isSpaceRedirect === true || isFallback
  // Former names of sections and spaces take precedence over the space's redirects.
  const isOther = redirect !== undefined && !hasRedirect
  const former = isOther ? undefined : await findRenamedPath(services, site, { path, hasRedirect })
  if (former !== undefined) return { kind: 'redirect', href: former, isExternal: false, isPermanent: false }
  const siteRedirect =
    redirect === undefined || isFallback ? await findSiteRedirect(services, site, path) : undefined
  if (siteRedirect !== undefined) return { kind: 'redirect', ...siteRedirect }
  if (redirect === undefined) return { kind: 'missing' }
  const { href, isExternal = false, isPermanent } = redirect
  return { kind: 'redirect', href, isExternal, isPermanent }
}

/** Browsers follow about twenty redirects. */
const maxHops = 16

/** Returns whether the redirects from an address end at a page or outside of the site. */
async function terminates(services: Services, site: PublishedSite, href: string): Promise<boolean> {
  const visited = new Set<string>()
  let path = pathBelow(services, site, href)
  while (path !== undefined) {
    if (visited.has(path) || visited.size === maxHops) return false
    visited.add(path)
    const next = await nextHop(services, site, path)
    path = next === undefined ? undefined : pathBelow(services, site, next)
  }
  return true
}

async function nextHop(services: Services, site: PublishedSite, path: string): Promise<string | undefined> {
  const match = matchPath(site, path)
  if (match.kind === 'variant') return site.base + belowBase(match.choice.variant) + match.choice.rest
  if (match.kind !== 'page') return undefined
  const visible = await openContent(services, site, match.choice.variant)
  const resolved = await resolveOnce(services, visible, { path, choice: match.choice })
  return resolved.kind === 'redirect' ? resolved.href : undefined
}

/** Returns the path of an address below the site, by either entry point; undefined for external addresses. */
function pathBelow({ addresses }: Services, { base, url }: PublishedSite, href: string): string | undefined {
  const entryPoint = new URL(base, addresses.base)
  const { host, pathname } = new URL(href, entryPoint)
  for (const root of [entryPoint, new URL(url)]) {
    const isBelow = host === root.host && pathname.toLowerCase().startsWith(root.pathname.toLowerCase())
    if (isBelow) return pathname.slice(root.pathname.length)
  }
  return undefined
}
