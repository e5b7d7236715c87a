/**
 * Bulk upsert of redirects: each is created, updated or deleted by its source and validated on its own, so that an
 * invalid one does not block the others. The site and its pages are read once for all of them.
 */
import type { PageId, SiteRedirectId } from '../../core/ids.js'
import { findPages } from '../../core/pages/read.js'
import { newSiteId } from '../../access/ids.js'
import type { Services } from '../../access/route/scope.js'
import type { BulkRedirect, BulkRedirectResult, RedirectDestination } from '../../contract/site-redirects.js'
import type { Tx } from '../../store/db/database.js'
import type { NewRow } from '../../store/db/tables.js'
import { getContent } from '../content/content.js'
import { type RedirectStep, createLoopDetector, isPattern, keyOfSource } from './redirect-patterns.js'
import {
  type RedirectRow,
  deleteRedirects,
  insertRedirects,
  listAllRedirects,
  updateRedirect,
} from './redirect-store.js'
import { destinationOf } from './redirects.js'
import type { SiteWithSpaces } from './store.js'

interface BulkRedirectContext {
  readonly services: Services
  readonly site: SiteWithSpaces
  /** URL of the site: an external destination that begins with it is on the site itself. */
  readonly address: string
  readonly now: number
}

type RedirectToSet = BulkRedirect & { readonly destination: RedirectDestination }

/** Creates, updates and deletes redirects; returns the result of each, in their order. */
export async function putRedirects(
  tx: Tx,
  { services, site, address, now }: BulkRedirectContext,
  redirects: readonly BulkRedirect[],
): Promise<BulkRedirectResult[]> {
  const existing = new Map((await listAllRedirects(tx, site.row)).map((row) => [row.source_key, row]))
  const findProblem = await createDestinationCheck(tx, services, site, redirects)
  const first = new Map<string, number>()
  const problems = redirects.map((one, at): string | undefined => {
    const key = keyOfSource(one.source)
    const before = first.get(key)
    if (before !== undefined) return `The source stands twice: it was item ${before} already.`
    first.set(key, at)
    if (one.destination === null)
      return existing.has(key) ? undefined : 'There is no redirect of this source.'
    if (one.captureWildcard === true && !isPattern(one.source))
      return 'Only a source that ends with a star has something to take along.'
    return findProblem(one.destination)
  })
  const steps = new Map(
    [...existing].map(([key, row]) => [key, redirectStepOf(key, destinationOf(row), address)]),
  )
  for (const [at, one] of redirects.entries()) {
    if (problems[at] !== undefined) continue
    const key = keyOfSource(one.source)
    if (one.destination === null) steps.delete(key)
    else steps.set(key, redirectStepOf(key, one.destination, address))
  }
  const classify = createLoopDetector(steps)
  const inserted: NewRow<'site_redirects'>[] = []
  const removed: RedirectRow[] = []
  const results: BulkRedirectResult[] = []
  for (const [at, one] of redirects.entries()) {
    const { source } = one
    const key = keyOfSource(source)
    const isLoop =
      problems[at] === undefined && one.destination !== null && classify(steps.get(key)!) === 'loop'
    const error = isLoop ? 'It leads back to itself.' : problems[at]
    const current = existing.get(key)
    if (error !== undefined) {
      results.push({ status: 'error', source, draft: false, error })
    } else if (one.destination === null) {
      removed.push(current!)
      results.push({ status: 'deleted', source, draft: false })
    } else if (current === undefined) {
      const row = rowOf(site, one as RedirectToSet, now)
      inserted.push(row)
      results.push({ status: 'created', source, draft: false, id: row.id })
    } else {
      await updateIfChanged(tx, current, one as RedirectToSet, now)
      results.push({ status: 'updated', source, draft: false, id: current.id })
    }
  }
  await deleteRedirects(tx, site.row, removed)
  await insertRedirects(tx, inserted)
  return results
}

/** Returns the redirect as an edge: an external destination on the site itself leads to the redirect from that path. */
export function redirectStepOf(key: string, destination: RedirectDestination, address: string): RedirectStep {
  const isOnSite = destination.kind === 'external' && destination.url.startsWith(address)
  if (!isOnSite) return { key, to: undefined }
  const [path = ''] = destination.url.slice(address.length).split(/[?#]/, 1)
  return { key, to: keyOfSource(`/${path.replace(/\/$/, '')}`) }
}

function rowOf(
  { row }: SiteWithSpaces,
  { source, destination, permanent, captureWildcard }: RedirectToSet,
  now: number,
): NewRow<'site_redirects'> & { id: SiteRedirectId } {
  return {
    id: newSiteId<SiteRedirectId>('siter'),
    organization_id: row.organization_id,
    site_id: row.id,
    source,
    source_key: keyOfSource(source),
    destination: JSON.stringify(destination),
    permanent: permanent === true ? 1 : 0,
    capture_wildcard: captureWildcard === true ? 1 : 0,
    created_at: now,
    updated_at: null,
  }
}

/** Writes only differences: importing the same list again writes nothing. */
async function updateIfChanged(
  tx: Tx,
  current: RedirectRow,
  { source, destination, permanent, captureWildcard }: RedirectToSet,
  now: number,
): Promise<void> {
  const change = {
    source,
    destination: JSON.stringify(destination),
    permanent: permanent === undefined ? current.permanent : permanent ? 1 : 0,
    capture_wildcard: captureWildcard === undefined ? current.capture_wildcard : captureWildcard ? 1 : 0,
  } as const
  const isSame =
    change.source === current.source &&
    change.destination === current.destination &&
    change.permanent === current.permanent &&
    change.capture_wildcard === current.capture_wildcard
  if (!isSame) await updateRedirect(tx, current, { ...change, updated_at: now })
}

/** Returns a function that explains why a destination does not exist on the site, or returns undefined. */
async function createDestinationCheck(
  tx: Tx,
  services: Services,
  site: SiteWithSpaces,
  redirects: readonly BulkRedirect[],
): Promise<(destination: RedirectDestination) => string | undefined> {
  const pages = new Map<string, Set<string>>()
  for (const { destination } of redirects) {
    if (destination?.kind !== 'site-page') continue
    const ids = pages.get(destination.siteSpaceId) ?? new Set()
    pages.set(destination.siteSpaceId, ids.add(destination.pageId))
  }
  const found = new Set<string>()
  for (const { link, space } of site.spaces) {
    const ids = [...(pages.get(link.id) ?? [])] as PageId[]
    if (ids.length === 0) continue
    const { organization_id: organizationId, id: spaceId, revision_id: revisionId } = space
    const { revision, run } = await getContent({ db: tx, services, organizationId, spaceId }, revisionId)
    for (const page of await run(findPages(revision.snapshot, ids)))
      if (page !== undefined && page.type !== 'link') found.add(`${link.id} ${page.id}`)
  }
  const sections = new Set<string>(site.sections.map(({ id }) => id))
  const links = new Set<string>(site.spaces.map(({ link }) => link.id))
  return (destination) => {
    if (destination.kind === 'external') return undefined
    if (destination.kind === 'site-section')
      return sections.has(destination.siteSectionId) ? undefined : 'The site has no such section.'
    if (!links.has(destination.siteSpaceId)) return 'The site has no such space.'
    const { kind, siteSpaceId } = destination
    const isMissing = kind === 'site-page' && !found.has(`${siteSpaceId} ${destination.pageId}`)
    return isMissing ? 'The space has no such page.' : undefined
  }
}
