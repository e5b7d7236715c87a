/** Where a site leads from an address at which no page stands: by a path that was changed, or by a redirect of its own. */
import { findPages } from '../../core/pages/read.js'
import type { PageId } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'
import { decodePercent } from '../../core/links/resolve.js'
import { findFormerTarget } from '../../resources/sites/former-paths.js'
import { captured, isPattern, withPath } from '../../resources/sites/redirect-patterns.js'
import { findRedirectFor } from '../../resources/sites/redirect-store.js'
import { destinationOf } from '../../resources/sites/redirects.js'
import { trimEndOf } from '../../core/trim.js'
import { isReadable } from '../routing/destination.js'
import { belowBase, encodePath } from '../routing/linker.js'
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

/**
 * Returns where a path leads that begins with what a section, or a variant of one, was called before. One name is
 * brought up to date at a time: where both are old ones, the answer is asked for the other.
 */
export async function findFormer(
  services: Services,
  site: ShownSite,
  path: string,
): Promise<string | undefined> {
  if (site.siteId === undefined) return undefined
  const key = { organization_id: site.organizationId, id: site.siteId }
  const find = (scope: string, name: string) =>
    findFormerTarget(services.database.read, key, scope, decodePercent(name).toLowerCase())
  const [first = '', ...below] = path.split('/').filter(Boolean)
  const section = site.sections.find((one) => one.path === decodePercent(first).toLowerCase())
  const found = await (section === undefined ? find('', first) : find(section.id!, below.shift() ?? ''))
  const renamed = site.sections.find(({ id }) => id !== undefined && id === found)
  const variant = site.variants.find(({ id }) => id === found)
  if (renamed !== undefined) return `${site.base}${encodePath(renamed.path!)}/${below.join('/')}`
  return variant && site.base + belowBase(variant) + below.join('/')
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
