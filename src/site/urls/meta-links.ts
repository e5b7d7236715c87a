/**
 * Meta links of a page for external renderers, as its HTML on our own sites has them: its canonical page and its
 * translations, as references that the renderer resolves.
 */
import type { OrganizationId, PageId, SiteId, SpaceId } from '../../core/ids.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { PageMetaLinks } from '../../contract/meta-links.js'
import type { LoadRequest } from '../../access/route/scope.js'
import type { ContentContext } from '../../resources/content/content.js'
import { claimReaderFor } from '../../resources/content/visibility.js'
import { inSite } from '../../resources/sites/scope.js'
import { findSiteShowing } from '../../resources/sites/store.js'
import { openContent } from '../pages/content.js'
import { findTranslations } from '../pages/translations.js'
import { withComputedRevisions } from '../routing/computed-revisions.js'
import { isReadable } from '../routing/destination.js'
import { type PublishedSite, anonymousReader, publishedSite } from '../routing/site.js'

/** Returns the meta links of a page that the caller may read. */
export async function readMetaLinks(
  request: LoadRequest,
  { organizationId, spaceId }: ContentContext,
  page: PageRecord,
): Promise<PageMetaLinks> {
  const canonical = refTo(spaceId, page.id)
  const opened = isReadable(page) ? await openSite(request, organizationId, spaceId) : undefined
  const variant = opened?.site.variants.find((one) => one.spaceId === spaceId)
  if (opened === undefined || variant === undefined || !isReadable(page)) return { canonical, alternates: [] }
  const { services } = request
  const visible = await openContent(services, opened.site, variant)
  const translations = await findTranslations(services, visible, page)
  return {
    canonical,
    alternates: translations
      .filter((one) => one.variant !== variant && opened.readable.has(one.variant.spaceId))
      .map((one) => refTo(one.variant.spaceId, one.page.id)),
  }
}

function refTo(space: SpaceId, page: PageId) {
  return { kind: 'page', page, space } as const
}

/** Returns the site of the caller's content token, else the first site with the space, and the spaces in it that they may read. */
async function openSite(
  request: LoadRequest,
  organizationId: OrganizationId,
  spaceId: SpaceId,
): Promise<{ readonly site: PublishedSite; readonly readable: ReadonlySet<SpaceId> } | undefined> {
  const { services, actor } = request
  const siteId: SiteId | undefined =
    actor.reading?.siteId ?? (await findSiteShowing(request.db, organizationId, spaceId))?.row.id
  if (siteId === undefined) return undefined
  const { organization, site } = await inSite.load(request, { organizationId, siteId })
  const rows = { ...site, organizationHostname: organization.row.hostname }
  const visitor = actor.reading?.visitor
  return {
    site: publishedSite(services.addresses, await withComputedRevisions({ db: request.db, services }, rows), {
      entryPoint: 'host',
      claimReader: visitor === undefined ? anonymousReader : claimReaderFor(visitor),
    }),
    readable: site.readable,
  }
}
