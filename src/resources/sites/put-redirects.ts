/**
 * Many redirects at once: each is made, changed or removed by its source, and judged by itself, so that one that is
 * wrong keeps no other away. What is known of the site and of its pages is read once for all of them.
 */
import type { PageId, SiteRedirectId } from '../../core/ids.js'
import { findPages } from '../../core/pages/read.js'
import { newSiteId } from '../../access/ids.js'
import type { Services } from '../../access/route/scope.js'
import type { BulkRedirect, BulkRedirectResult, RedirectDestination } from '../../contract/site-redirects.js'
import type { Tx } from '../../store/db/database.js'
import type { NewRow } from '../../store/db/tables.js'
import { getContent } from '../content/content.js'
import { type Step, createCompass, isPattern, keyOfSource } from './redirect-patterns.js'
import {
  type RedirectRow,
  deleteRedirects,
  insertRedirects,
  listAllRedirects,
  updateRedirect,
} from './redirect-store.js'
import { destinationOf } from './redirects.js'
import type { SiteWithSpaces } from './store.js'

interface Circumstances {
  readonly services: Services
  readonly site: SiteWithSpaces
  /** Address of the site, by which a destination elsewhere is seen to be here. */
  readonly address: string
  readonly now: number
}

type Wanted = BulkRedirect & { readonly destination: RedirectDestination }

/** Makes, changes and removes redirects, and answers in their order what became of each. */
export async function putRedirects(
  tx: Tx,
  { services, site, address, now }: Circumstances,
  wanted: readonly BulkRedirect[],
): Promise<BulkRedirectResult[]> {
  const standing = new Map((await listAllRedirects(tx, site.row)).map((row) => [row.source_key, row]))
  const isThere = await createCheck(tx, services, site, wanted)
  const first = new Map<string, number>()
  const problems = wanted.map((one, at): string | undefined => {
    const key = keyOfSource(one.source)
    const before = first.get(key)
    if (before !== undefined) return `The source stands twice: it was item ${before} already.`
    first.set(key, at)
    if (one.destination === null)
      return standing.has(key) ? undefined : 'There is no redirect of this source.'
    if (one.captureWildcard === true && !isPattern(one.source))
      return 'Only a source that ends with a star has something to take along.'
    return isThere(one.destination)
  })
  const steps = new Map([...standing].map(([key, row]) => [key, stepOf(key, destinationOf(row), address)]))
  for (const [at, one] of wanted.entries()) {
    if (problems[at] !== undefined) continue
    const key = keyOfSource(one.source)
    if (one.destination === null) steps.delete(key)
    else steps.set(key, stepOf(key, one.destination, address))
  }
  const whereItLeads = createCompass(steps)
  const inserted: NewRow<'site_redirects'>[] = []
  const removed: RedirectRow[] = []
  const results: BulkRedirectResult[] = []
  for (const [at, one] of wanted.entries()) {
    const { source } = one
    const key = keyOfSource(source)
    const isLoop =
      problems[at] === undefined && one.destination !== null && whereItLeads(steps.get(key)!) === 'loop'
    const error = isLoop ? 'It leads back to itself.' : problems[at]
    const known = standing.get(key)
    if (error !== undefined) {
      results.push({ status: 'error', source, draft: false, error })
    } else if (one.destination === null) {
      removed.push(known!)
      results.push({ status: 'deleted', source, draft: false })
    } else if (known === undefined) {
      const row = rowOf(site, one as Wanted, now)
      inserted.push(row)
      results.push({ status: 'created', source, draft: false, id: row.id })
    } else {
      await updateWhereOther(tx, known, one as Wanted, now)
      results.push({ status: 'updated', source, draft: false, id: known.id })
    }
  }
  await deleteRedirects(tx, site.row, removed)
  await insertRedirects(tx, inserted)
  return results
}

/** A destination elsewhere that is an address of the site itself leads to what is redirected from there. */
export function stepOf(key: string, destination: RedirectDestination, address: string): Step {
  const isHere = destination.kind === 'external' && destination.url.startsWith(address)
  if (!isHere) return { key, to: undefined }
  const [path = ''] = destination.url.slice(address.length).split(/[?#]/, 1)
  return { key, to: keyOfSource(`/${path.replace(/\/$/, '')}`) }
}

function rowOf(
  { row }: SiteWithSpaces,
  { source, destination, permanent, captureWildcard }: Wanted,
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

/** A second import of the same lines writes nothing. */
async function updateWhereOther(
  tx: Tx,
  known: RedirectRow,
  { source, destination, permanent, captureWildcard }: Wanted,
  now: number,
): Promise<void> {
  const change = {
    source,
    destination: JSON.stringify(destination),
    permanent: permanent === undefined ? known.permanent : permanent ? 1 : 0,
    capture_wildcard: captureWildcard === undefined ? known.capture_wildcard : captureWildcard ? 1 : 0,
  } as const
  const isSame =
    change.source === known.source &&
    change.destination === known.destination &&
    change.permanent === known.permanent &&
    change.capture_wildcard === known.capture_wildcard
  if (!isSame) await updateRedirect(tx, known, { ...change, updated_at: now })
}

/** Returns what says of a destination why the site does not have it. */
async function createCheck(
  tx: Tx,
  services: Services,
  site: SiteWithSpaces,
  wanted: readonly BulkRedirect[],
): Promise<(destination: RedirectDestination) => string | undefined> {
  const pages = new Map<string, Set<string>>()
  for (const { destination } of wanted) {
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
