/**
 * Redirect rules of a site: a path without a page leads to a section, a space, a page or an external URL. When the
 * destination is deleted, the rule remains and is broken.
 */
import type { PageId, SiteRedirectId, SiteSectionId, SiteSpaceId } from '../../core/ids.js'
import { findPages, firstPage } from '../../core/pages/read.js'
import { newSiteId } from '../../access/ids.js'
import type { Services } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import type { RedirectDestination, SiteRedirect } from '../../contract/site-redirects.js'
import type { Db, Tx } from '../../store/db/database.js'
import { getContent } from '../content/content.js'
import { type RedirectRow, findRedirectFrom, insertRedirect, updateRedirect } from './redirect-store.js'
import { isPattern, keyOfSource, withPath } from './redirect-patterns.js'
import { publishedPaths } from './published-structure.js'
import type { SiteWithSpaces } from './store.js'

export interface RedirectChange {
  readonly source?: string
  readonly destination?: RedirectDestination
  readonly permanent?: boolean
  readonly captureWildcard?: boolean
}

interface RedirectContext {
  readonly db: Db
  readonly services: Services
}

export async function createRedirect(
  tx: Tx,
  {
    services,
    site,
    now,
  }: { readonly services: Services; readonly site: SiteWithSpaces; readonly now: number },
  input: RedirectChange & { readonly source: string; readonly destination: RedirectDestination },
): Promise<RedirectRow> {
  const { source, destination, permanent, captureWildcard } = input
  requirePattern(source, captureWildcard)
  await requireFreeSource(tx, site, source)
  await requireDestination({ db: tx, services }, site, destination)
  return insertRedirect(tx, {
    id: newSiteId<SiteRedirectId>('siter'),
    organization_id: site.row.organization_id,
    site_id: site.row.id,
    source,
    source_key: keyOfSource(source),
    destination: JSON.stringify(destination),
    permanent: permanent === true ? 1 : 0,
    capture_wildcard: captureWildcard === true ? 1 : 0,
    created_at: now,
    updated_at: null,
  })
}

export async function changeRedirect(
  tx: Tx,
  {
    services,
    site,
    now,
  }: { readonly services: Services; readonly site: SiteWithSpaces; readonly now: number },
  redirect: RedirectRow,
  { source, destination, permanent, captureWildcard }: RedirectChange,
): Promise<RedirectRow> {
  requirePattern(source ?? redirect.source, captureWildcard ?? redirect.capture_wildcard === 1)
  if (source !== undefined) await requireFreeSource(tx, site, source, redirect)
  if (destination !== undefined) await requireDestination({ db: tx, services }, site, destination)
  return updateRedirect(tx, redirect, {
    updated_at: now,
    ...(source !== undefined && { source, source_key: keyOfSource(source) }),
    ...(destination !== undefined && { destination: JSON.stringify(destination) }),
    ...(permanent !== undefined && { permanent: permanent ? 1 : 0 }),
    ...(captureWildcard !== undefined && { capture_wildcard: captureWildcard ? 1 : 0 }),
  })
}

function requirePattern(source: string, captureWildcard: boolean | undefined): void {
  if (captureWildcard !== true || isPattern(source)) return
  const problem = 'The member "captureWildcard" is for a source that ends with a star.'
  throw new ApiError('invalid_request', { problem })
}

async function requireFreeSource(tx: Tx, { row }: SiteWithSpaces, source: string, own?: RedirectRow) {
  const found = await findRedirectFrom(tx, row, source)
  if (found !== undefined && found.id !== own?.id)
    throw new ApiError('already_taken', { member: 'source', value: source })
}

/** Throws 400 for a destination that the site does not have, whether or not readers see it now. */
async function requireDestination(
  context: RedirectContext,
  site: SiteWithSpaces,
  destination: RedirectDestination,
): Promise<void> {
  const missing = (member: string, thing: string): never => {
    throw new ApiError('invalid_reference', { member: `destination.${member}`, thing })
  }
  if (destination.kind === 'external') return
  if (destination.kind === 'site-section') {
    if (!site.sections.some(({ id }) => id === destination.siteSectionId))
      missing('siteSectionId', 'a section of the site')
    return
  }
  if (!site.spaces.some(({ link }) => link.id === destination.siteSpaceId))
    missing('siteSpaceId', 'a space of the site')
  if (destination.kind === 'site-page' && (await pathOfPage(context, site, destination)) === undefined)
    missing('pageId', 'a page of the space')
}

export function destinationOf({ destination }: RedirectRow): RedirectDestination {
  return JSON.parse(destination) as RedirectDestination
}

/** Returns the target URL of a redirect for a path; undefined when the destination is not published. */
export async function targetOf(
  context: RedirectContext,
  site: SiteWithSpaces,
  address: string,
  row: RedirectRow,
  appended = '',
): Promise<string | undefined> {
  const target = await destinationUrl(context, site, address, row)
  return target === undefined || row.capture_wildcard === 0 ? target : withPath(target, appended)
}

async function destinationUrl(
  context: RedirectContext,
  site: SiteWithSpaces,
  address: string,
  row: RedirectRow,
): Promise<string | undefined> {
  const destination = destinationOf(row)
  if (destination.kind === 'external') return destination.url
  const { links, sections } = publishedPaths(site)
  const below = (path: string | undefined) => (path === undefined ? undefined : address + path)
  if (destination.kind === 'site-section')
    return below(sections.get(destination.siteSectionId as SiteSectionId))
  const linkPath = links.get(destination.siteSpaceId as SiteSpaceId)
  if (destination.kind === 'site-space' || linkPath === undefined) return below(linkPath)
  const path = await pathOfPage(context, site, destination)
  return below(path && linkPath + path.within)
}

/** Returns the path of a page in its space, percent-encoded; empty for the first page, which is at the root. */
async function pathOfPage(
  { db, services }: RedirectContext,
  { row, spaces }: SiteWithSpaces,
  { siteSpaceId, pageId }: RedirectDestination & { kind: 'site-page' },
): Promise<{ readonly within: string } | undefined> {
  const linked = spaces.find(({ link }) => link.id === siteSpaceId)
  if (linked === undefined) return undefined
  const { id: spaceId, revision_id: revisionId } = linked.space
  const linkPath = { db, services, organizationId: row.organization_id, spaceId }
  const { revision, run } = await getContent(linkPath, revisionId)
  const [page] = await run(findPages(revision.snapshot, [pageId as PageId]))
  if (page === undefined || page.type === 'link') return undefined
  const first = await run(firstPage(revision.snapshot))
  return { within: first?.id === page.id ? '' : page.path.split('/').map(encodeURIComponent).join('/') }
}

export function presentRedirect(row: RedirectRow): SiteRedirect {
  return {
    object: 'site-redirect',
    id: row.id,
    source: row.source,
    destination: destinationOf(row),
    draft: false,
    captureWildcard: row.capture_wildcard === 1,
    permanent: row.permanent === 1,
    createdAt: new Date(row.created_at).toISOString(),
    ...(row.updated_at !== null && { updatedAt: new Date(row.updated_at).toISOString() }),
  }
}
