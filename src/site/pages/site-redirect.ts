/** Where a site leads from an address at which no page stands, by a redirect of its own. */
import { findPages } from '../../core/pages/read.js'
import type { PageId } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'
import { findRedirectFrom } from '../../resources/sites/redirect-store.js'
import { destinationOf } from '../../resources/sites/redirects.js'
import { trimEndOf } from '../../core/trim.js'
import { isReadable } from '../routing/destination.js'
import { belowBase } from '../routing/linker.js'
import type { ShownSite, Variant } from '../routing/site.js'
import { isOpen, openContent } from './content.js'

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
  const redirect = await findRedirectFrom(services.database.read, key, `/${trimEndOf(path, '/')}`)
  if (redirect === undefined) return undefined
  const isPermanent = redirect.permanent === 1 && site.visibility === 'public'
  const destination = destinationOf(redirect)
  if (destination.kind === 'external') return { href: destination.url, isElsewhere: true, isPermanent }
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
  return href === undefined ? undefined : { href, isElsewhere: false, isPermanent }
}

async function hrefOfPage(
  services: Services,
  site: ShownSite,
  variant: Variant,
  id: PageId,
): Promise<string | undefined> {
  const shown = await openContent(services, site, variant)
  const [page] = await shown.content.run(findPages(shown.content.revision.snapshot, [id]))
  return page !== undefined && isReadable(page) && isOpen(shown, page) ? shown.linker.page(page) : undefined
}
