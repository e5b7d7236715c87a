/** Redirects of a site for addresses without a page: former paths of sections and variants, and the site's redirect table. */
import { findPages } from '../../core/pages/read.js'
import type { PageId } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'
import { decodePercent } from '../../core/links/resolve.js'
import { findFormerTarget, listFormerDefaults } from '../../resources/sites/former-paths.js'
import { capturedPath, isPattern, withPath } from '../../resources/sites/redirect-patterns.js'
import { findRedirectFor } from '../../resources/sites/redirect-store.js'
import { destinationOf } from '../../resources/sites/redirects.js'
import { trimEndOf } from '../../core/trim.js'
import { isReadable } from '../routing/destination.js'
import { belowBase, encodePath } from '../routing/linker.js'
import { chooseVariant } from '../routing/match-path.js'
import type { PublishedSite, Variant } from '../routing/site.js'
import { destinationFor, isReachable, openContent } from './content.js'

export interface RedirectTarget {
  readonly href: string
  readonly isExternal: boolean
  /** True for redirects that browsers may cache. */
  readonly isPermanent: boolean
}

/** Returns the redirect of a path (percent-encoded, below the base); undefined for none, or a target that the reader may not see. */
export async function findSiteRedirect(
  services: Services,
  site: PublishedSite,
  path: string,
): Promise<RedirectTarget | undefined> {
  if (site.siteId === undefined) return undefined
  const key = { organization_id: site.organizationId, id: site.siteId }
  const source = `/${trimEndOf(path, '/')}`
  const redirect = await findRedirectFor(services.database.read, key, source)
  if (redirect === undefined) return undefined
  const more = isPattern(redirect.source) ? capturedPath(redirect.source, source) : ''
  if (more === undefined) return undefined
  const withMore = (href: string) => (redirect.capture_wildcard === 1 ? withPath(href, more) : href)
  const isPermanent = redirect.permanent === 1 && site.visibility === 'public'
  const destination = destinationOf(redirect)
  if (destination.kind === 'external')
    return { href: withMore(destination.url), isExternal: true, isPermanent }
  const variant =
    destination.kind === 'site-section'
      ? site.sections
          .find(({ id }) => id === destination.siteSectionId)
          ?.variants.find(({ isDefault }) => isDefault)
      : site.variants.find(({ id }) => id === destination.siteSpaceId)
  if (variant === undefined) return undefined
  const href =
    destination.kind === 'site-page'
      ? await hrefOfPage(services, site, variant, destination.pageId as PageId)
      : site.base + belowBase(variant)
  return href === undefined ? undefined : { href: withMore(href), isExternal: false, isPermanent }
}

/** A path (percent-encoded, below the base) without a page. */
interface FormerPath {
  readonly path: string
  /** True when the space's redirect table has it, or a page has it without its ending. */
  readonly hasRedirect: boolean
}

/**
 * Returns the redirect of a path that begins with the former name of a section or variant. One name is replaced at a
 * time: where both are former ones, the next request replaces the other.
 */
export async function findRenamedPath(
  services: Services,
  site: PublishedSite,
  { path, hasRedirect }: FormerPath,
): Promise<string | undefined> {
  if (site.siteId === undefined) return undefined
  const key = { organization_id: site.organizationId, id: site.siteId }
  const [first = '', ...below] = path.split('/').filter(Boolean)
  const section = site.sections.find((one) => one.path === nameOf(first))
  const [scope, name] = section === undefined ? ['', first] : [section.id!, below.shift() ?? '']
  const currentSection = section ?? site.sections.find((one) => one.path === undefined)
  const isTaken = currentSection?.variants.some((one) => one.path === nameOf(name)) === true
  const found = isTaken ? undefined : await findFormerTarget(services.database.read, key, scope, nameOf(name))
  const renamed = site.sections.find(({ id }) => id !== undefined && id === found)
  const variant = site.variants.find(({ id }) => id === found)
  if (renamed !== undefined) return `${site.base}${encodePath(renamed.path!)}/${below.join('/')}`
  if (variant !== undefined) return site.base + belowBase(variant) + below.join('/')
  return findBelowFormerDefault(services, site, { path, hasRedirect })
}

/** Returns a part of a path as names are stored. */
function nameOf(part: string): string {
  return decodePercent(part).toLowerCase()
}

/** Paths at which a page is looked up. */
const maxLookups = 10

/** Returns the redirect of a path from when a former default section or variant had no name in its addresses. */
async function findBelowFormerDefault(
  services: Services,
  site: PublishedSite,
  { path, hasRedirect }: FormerPath,
): Promise<string | undefined> {
  const key = { organization_id: site.organizationId, id: site.siteId! }
  const [first = '', ...below] = path.split('/').filter(Boolean)
  const list = (scope: string | undefined) => listFormerDefaults(services.database.read, key, scope ?? '')
  const named = site.sections.find((one) => one.path === nameOf(first))
  const ofSite = named === undefined ? await list('') : []
  const sections = site.sections.filter((one) => one.id !== undefined && ofSite.includes(one.id))
  const currentSection = named ?? site.sections.find(({ isDefault }) => isDefault)
  const ofSections = await Promise.all(
    [currentSection, ...sections].map((one) => (one?.id === undefined ? [] : list(one.id))),
  )
  const variants = new Set([...ofSite, ...ofSections.flat()])
  const rest = named === undefined ? [first, ...below].join('/') : below.join('/')
  const roots = [
    ...sections.map((one) => `${encodePath(one.path!)}/`),
    ...site.variants.filter(({ id }) => variants.has(id)).map(belowBase),
  ]
  for (const root of roots.slice(0, maxLookups)) {
    if (await exists(services, site, { path: root + rest, hasRedirect })) return site.base + root + rest
  }
  return undefined
}

/** A redirect of one space does not lead to one of another, which might lead back. */
async function exists(
  services: Services,
  site: PublishedSite,
  { path, hasRedirect }: FormerPath,
): Promise<boolean> {
  const choice = chooseVariant(site, path)
  if (choice === undefined) return false
  const visible = await openContent(services, site, choice.variant)
  const found = await destinationFor(visible, choice)
  if (found.kind === 'missing') return false
  const isWeak = found.kind === 'redirect' && (found.isSpaceRedirect === true || found.isFallback === true)
  if (hasRedirect && isWeak) return false
  return found.page === undefined || (await isReachable(visible, found.page))
}

async function hrefOfPage(
  services: Services,
  site: PublishedSite,
  variant: Variant,
  id: PageId,
): Promise<string | undefined> {
  const visible = await openContent(services, site, variant)
  const [page] = await visible.content.run(findPages(visible.content.revision.snapshot, [id]))
  if (page === undefined || !isReadable(page) || !(await isReachable(visible, page))) return undefined
  return visible.linker.page(page)
}
