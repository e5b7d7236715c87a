/**
 * Download of a whole OpenAPI specification, linked from pages whose API blocks are truncated: for public ones, and for
 * those from which the page is generated, unless parts of them are hidden from readers. Only such a page contains the
 * signed address, which is valid for one version. The caller has authorized the reader of the site.
 */
import { timingSafeEqual } from 'node:crypto'
import {
  findSpecificationPages,
  slugsOf,
  usedSpecifications,
} from '../../core/openapi/expand-computed-pages.js'
import type { DocumentPage } from '../../core/pages/types.js'
import type { SpecificationView } from '../../core/openapi/view.js'
import type { Services } from '../../access/route/scope.js'
import { getContent } from '../../resources/content/content.js'
import { hidesOperations } from '../../resources/openapi-specs/hidden-operations.js'
import type { LatestVersion } from '../../resources/openapi-specs/store.js'
import type { Linker } from '../routing/linker.js'
import type { PathMatch } from '../routing/match-path.js'
import type { PublishedSite } from '../routing/site.js'

interface DownloadContext {
  readonly site: Pick<PublishedSite, 'siteId'>
  readonly linker: Linker
  /** The page with the truncated block. */
  readonly page: Pick<DocumentPage, 'generated'>
}

/** Returns the download link of a version for readers of a page; undefined where they may not read all of it. */
export async function specificationDownload(
  services: Pick<Services, 'files'>,
  { site, linker, page }: DownloadContext,
  version: LatestVersion,
): Promise<SpecificationView['whole']> {
  // A preview or print is no site: its readers have other ways to read it.
  if (site.siteId === undefined) return undefined
  if (version.visibility !== 'public') {
    const { generated } = page
    const isGenerated = generated !== undefined && 'spec' in generated && generated.spec === version.slug
    if (!isGenerated || (await hidesOperations(services, version.hash))) return undefined
  }
  return { href: linker.specification(version), name: `${version.slug}.json` }
}

/** Returns the version of a download address, while the site has a page that links to it. */
export async function findSpecificationDownload(
  services: Services,
  { organizationId, specifications }: PublishedSite,
  { choice: { variant }, download: { slug, token } }: Extract<PathMatch, { kind: 'specification' }>,
): Promise<LatestVersion | undefined> {
  const version = specifications.find((one) => one.slug === slug)
  if (version === undefined) return undefined
  const { spaceId, revisionId } = variant
  const expected = Buffer.from(services.addresses.specificationToken(spaceId, slug, version.hash))
  const actual = Buffer.from(token)
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined
  const location = { db: services.database.read, services, organizationId, spaceId }
  const content = await getContent(location, revisionId)
  const { snapshot } = content.writtenRevision
  if (version.visibility === 'public') {
    const names = [slug, ...(version.address === null ? [] : [version.address])]
    const used = await content.run(usedSpecifications(snapshot, names))
    return names.some((name) => used.has(name)) ? version : undefined
  }
  const isGenerated = slugsOf(await content.run(findSpecificationPages(snapshot))).includes(slug)
  return isGenerated && !(await hidesOperations(services, version.hash)) ? version : undefined
}
