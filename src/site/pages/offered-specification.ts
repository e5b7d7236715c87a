/**
 * All of a specification of the organization, where a page that shows a part of it left something out: of one that
 * anybody may read, and of one that is read there anyway, because the page is made of it and nothing in it is kept from
 * readers. The address is shown by such a page alone, and ends with the version; whoever asks was let into the site.
 */
import { timingSafeEqual } from 'node:crypto'
import { findSourced, slugsOf, usedSpecifications } from '../../core/openapi/expand.js'
import type { DocumentPage } from '../../core/pages/types.js'
import type { SpecificationView } from '../../core/openapi/view.js'
import type { Services } from '../../access/route/scope.js'
import { getContent } from '../../resources/content/content.js'
import { hidesSome } from '../../resources/openapi-specs/hidden.js'
import type { LatestVersion } from '../../resources/openapi-specs/store.js'
import type { Linker } from '../routing/linker.js'
import type { Meaning } from '../routing/match-path.js'
import type { ShownSite } from '../routing/site.js'

interface Offering {
  readonly site: Pick<ShownSite, 'siteId'>
  readonly linker: Linker
  /** That leaves something out. */
  readonly page: DocumentPage
}

/** Returns where readers of a page read all of a version; undefined where they may not. */
export async function offeredSpecification(
  services: Pick<Services, 'files'>,
  { site, linker, page }: Offering,
  version: LatestVersion,
): Promise<SpecificationView['whole']> {
  // What is previewed or printed is no site: its readers have other ways to it.
  if (site.siteId === undefined) return undefined
  if (version.visibility !== 'public') {
    const { generated } = page
    const isMade = generated !== undefined && 'spec' in generated && generated.spec === version.slug
    if (!isMade || (await hidesSome(services, version.hash))) return undefined
  }
  return { href: linker.specification(version), name: `${version.slug}.json` }
}

/** Returns the version that an address of a site names, for as long as such a page is there. */
export async function findOfferedSpecification(
  services: Services,
  { organizationId, specifications }: ShownSite,
  { choice: { variant }, offered: { slug, token } }: Extract<Meaning, { kind: 'specification' }>,
): Promise<LatestVersion | undefined> {
  const version = specifications.find((one) => one.slug === slug)
  if (version === undefined) return undefined
  const { spaceId, revisionId } = variant
  const expected = Buffer.from(services.addresses.specificationToken(spaceId, slug, version.hash))
  const given = Buffer.from(token)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const place = { db: services.database.read, services, organizationId, spaceId }
  const content = await getContent(place, revisionId)
  const { snapshot } = (content.written ?? content).revision
  if (version.visibility === 'public') {
    const names = [slug, ...(version.address === null ? [] : [version.address])]
    const used = await content.run(usedSpecifications(snapshot, names))
    return names.some((name) => used.has(name)) ? version : undefined
  }
  const isMade = slugsOf(await content.run(findSourced(snapshot))).includes(slug)
  return isMade && !(await hidesSome(services, version.hash)) ? version : undefined
}
