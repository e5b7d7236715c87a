/** Where a site leads from an address at which no page stands: by a path that was changed, or by a redirect of its own. */
import { findPages } from '../../core/pages/read.js'
import type { PageId } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'
import { decodePercent } from '../../core/links/resolve.js'
import { findFormerTarget, listFormerDefaults } from '../../resources/sites/former-paths.js'
import { captured, isPattern, withPath } from '../../resources/sites/redirect-patterns.js'
import { findRedirectFor } from '../../resources/sites/redirect-store.js'
import { destinationOf } from '../../resources/sites/redirects.js'
import { trimEndOf } from '../../core/trim.js'
import { findDestination, isReadable } from '../routing/destination.js'
import { belowBase, encodePath } from '../routing/linker.js'
import { chooseVariant } from '../routing/match-path.js'
import type { ShownSite, Variant } from '../routing/site.js'
import { isReachable, openContent } from './content.js'

export interface SiteRedirection {
  readonly href: string
  readonly isElsewhere: boolean
  /** True for what browsers may remember. */
  readonly isPermanent: boolean
}

/** Returns where a path (percent-encoded, below the base) leads; undefined for nothing, or what the reader is not shown. */
export async function findSiteRedirect(
  services: Services,
  site: ShownSite,
  path: string,
): Promise<SiteRedirection | undefined> {
  if (site.siteId === undefined) return undefined
  const key = { organization_id: site.organizationId, id: site.siteId }
  const source = `/${trimEndOf(path, '/')}`
  const redirect = await findRedirectFor(services.database.read, key, source)
  if (redirect === undefined) return undefined
  const more = isPattern(redirect.source) ? captured(redirect.source, source) : ''
  if (more === undefined) return undefined
  const withMore = (href: string) => (redirect.capture_wildcard === 1 ? withPath(href, more) : href)
  const isPermanent = redirect.permanent === 1 && site.visibility === 'public'
  const destination = destinationOf(redirect)
  if (destination.kind === 'external')
    return { href: withMore(destination.url), isElsewhere: true, isPermanent }
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
  return href === undefined ? undefined : { href: withMore(href), isElsewhere: false, isPermanent }
}

/** A path (percent-encoded, below the base), at which the table of redirects of a space stands, or nothing. */
interface FormerPath {
  readonly path: string
  readonly isByTable: boolean
}

/**
 * Returns where a path leads that begins with what a section, or a variant of one, was called before. One name is
 * brought up to date at a time: where both are old ones, the answer is asked for the other.
 */
export async function findFormer(
  services: Services,
  site: ShownSite,
  { path, isByTable }: FormerPath,
): Promise<string | undefined> {
  if (site.siteId === undefined) return undefined
  const key = { organization_id: site.organizationId, id: site.siteId }
  const [first = '', ...below] = path.split('/').filter(Boolean)
  const section = site.sections.find((one) => one.path === nameOf(first))
  const [scope, name] = section === undefined ? ['', first] : [section.id!, below.shift() ?? '']
  const standing = section ?? site.sections.find((one) => one.path === undefined)
  const isTaken = standing?.variants.some((one) => one.path === nameOf(name)) === true
  const found = isTaken ? undefined : await findFormerTarget(services.database.read, key, scope, nameOf(name))
  const renamed = site.sections.find(({ id }) => id !== undefined && id === found)
  const variant = site.variants.find(({ id }) => id === found)
  if (renamed !== undefined) return `${site.base}${encodePath(renamed.path!)}/${below.join('/')}`
  if (variant !== undefined) return site.base + belowBase(variant) + below.join('/')
  return findOfFormerDefault(services, site, { path, isByTable })
}

/** Returns a part of a path as names are kept. */
function nameOf(part: string): string {
  return decodePercent(part).toLowerCase()
}

/** In more places than these a page is not looked for. */
const mostLookedAt = 10

/** Returns where the page of a path stands now that stood without the name of a default which is one no more. */
async function findOfFormerDefault(
  services: Services,
  site: ShownSite,
  { path, isByTable }: FormerPath,
): Promise<string | undefined> {
  const key = { organization_id: site.organizationId, id: site.siteId! }
  const [first = '', ...below] = path.split('/').filter(Boolean)
  const list = (scope: string | undefined) => listFormerDefaults(services.database.read, key, scope ?? '')
  const named = site.sections.find((one) => one.path === nameOf(first))
  const ofSite = named === undefined ? await list('') : []
  const sections = site.sections.filter((one) => one.id !== undefined && ofSite.includes(one.id))
  const standing = named ?? site.sections.find(({ isDefault }) => isDefault)
  const ofSections = await Promise.all(
    [standing, ...sections].map((one) => (one?.id === undefined ? [] : list(one.id))),
  )
  const variants = new Set([...ofSite, ...ofSections.flat()])
  const rest = named === undefined ? [first, ...below].join('/') : below.join('/')
  const roots = [
    ...sections.map((one) => `${encodePath(one.path!)}/`),
    ...site.variants.filter(({ id }) => variants.has(id)).map(belowBase),
  ]
  for (const root of roots.slice(0, mostLookedAt)) {
    if (await isThere(services, site, { path: root + rest, isByTable })) return site.base + root + rest
  }
  return undefined
}

/** One table of a space does not lead to another, which would lead back. */
async function isThere(
  services: Services,
  site: ShownSite,
  { path, isByTable }: FormerPath,
): Promise<boolean> {
  const choice = chooseVariant(site, path)
  if (choice === undefined) return false
  const shown = await openContent(services, site, choice.variant)
  const { content, linker } = shown
  const found = await content.run(findDestination(content.revision.snapshot, linker, choice))
  if (found.kind === 'missing' || (isByTable && found.kind === 'redirect' && found.isByTable === true))
    return false
  return isReachable(shown, found.page)
}

async function hrefOfPage(
  services: Services,
  site: ShownSite,
  variant: Variant,
  id: PageId,
): Promise<string | undefined> {
  const shown = await openContent(services, site, variant)
  const [page] = await shown.content.run(findPages(shown.content.revision.snapshot, [id]))
  if (page === undefined || !isReadable(page) || !(await isReachable(shown, page))) return undefined
  return shown.linker.page(page)
}
