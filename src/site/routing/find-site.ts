/**
 * Site lookup by address. Resolved sites are cached until something is committed in their organization; their rows are
 * then read once for all readers.
 */
import { type Services, type Source, readThroughFrom } from '../../access/route/scope.js'
import {
  type AddressedSite,
  findSiteByHost,
  findSiteByNames,
  isSiteHost,
} from '../../resources/sites/store.js'
import type { ReadContext } from '../../store/cache/caches.js'
import { rowCacheKind } from '../../store/cache/kinds.js'
import type { Db } from '../../store/db/database.js'
import type { SiteAddress } from './address.js'
import { type LatestVersion, listLatestVersions } from '../../resources/openapi-specs/store.js'
import { findVisitorSchema } from '../../resources/sites/visitor-schema-store.js'
import { hashOf } from './fingerprint.js'
import { findLinkTargets } from './nav-link-targets.js'
import { withComputedRevisions } from './computed-revisions.js'
import { type SiteEntryPoint, type PublishedSite, isGuarded, anonymousReader, publishedSite } from './site.js'

/** A site resolved from an address. */
export interface ResolvedSite {
  readonly siteRows: AddressedSite
  readonly site: PublishedSite
  readonly entryPoint: SiteEntryPoint
  /** Hash of all that its pages show apart from their content to an unknown visitor. */
  readonly fingerprint: string
  /** JSON schema of the visitor claims of an adaptive site; undefined where none is configured. */
  readonly schema: { readonly text: string; readonly key: string } | undefined
  /** Hash of all that decides which sections and spaces a visitor sees; undefined where none has a condition. */
  readonly conditions: string | undefined
}

/** Unpublished sites are found only with `unpublished`. */
export interface SiteFinder {
  byNames(
    source: Source,
    names: SiteNames,
    entryPoint: SiteEntryPoint,
    also?: 'unpublished',
  ): Promise<ResolvedSite | undefined>
  /** Returns the site with this custom domain. */
  byHost(source: Source, host: string, also?: 'unpublished'): Promise<ResolvedSite | undefined>
  /** Returns whether the host is the custom domain of a site, published or not. */
  isHost(readContext: ReadContext, host: string): Promise<boolean>
}

type SiteNames = Pick<SiteAddress, 'hostname' | 'basename'>

const siteKind = rowCacheKind<ResolvedSite>(
  'published site',
  ({ siteRows }) => [siteRows.row.organization_id],
  ({ siteRows: { spaces, sections, groups }, site: { specifications } }) =>
    20_000 + spaces.length * 4_000 + (sections.length + groups.length) * 1_000 + specifications.length * 500,
)
/** Negative results are cached too. */
const hostKind = rowCacheKind<{ readonly isSite: boolean }>(
  'host',
  () => ['sites'],
  () => 100,
)

export function createSiteFinder(services: Services): SiteFinder {
  const { caches, addresses } = services
  const find = async (
    source: Source,
    {
      key,
      entryPoint,
      also,
    }: {
      readonly key: string
      readonly entryPoint: SiteEntryPoint
      readonly also: 'unpublished' | undefined
    },
    load: (db: Db) => Promise<AddressedSite | undefined>,
  ): Promise<ResolvedSite | undefined> => {
    const found = await readThroughFrom(source, caches, siteKind, `${entryPoint} ${key}`, async (db) => {
      const loaded = await load(db)
      if (loaded === undefined) return undefined
      const siteRows = await withComputedRevisions({ db, services }, loaded)
      const published = publishedSite(addresses, siteRows, { entryPoint, claimReader: anonymousReader })
      const linkTargets = await findLinkTargets({ db, services }, published, siteRows.spaces)
      const specifications = await listLatestVersions(db, published.organizationId)
      const site = { ...published, linkTargets, specifications }
      const fingerprint = hashOf(JSON.stringify([site.fingerprint, ...linkTargets, specifications]))
      const own = { siteRows, site, entryPoint, fingerprint }
      if (!site.isAdaptive) return { ...own, schema: undefined, conditions: undefined }
      const row = await findVisitorSchema(db, siteRows.row)
      const schema = row && { text: row.json_schema, key: hashOf(row.json_schema) }
      return { ...own, schema, conditions: conditionsOf(siteRows, specifications) }
    })
    return found?.siteRows.row.published === 1 || also === 'unpublished' ? found : undefined
  }

  return {
    byNames: (source, { hostname, basename }, entryPoint, also) =>
      find(source, { key: `${hostname}/${basename}`.toLowerCase(), entryPoint, also }, (db) =>
        findSiteByNames(db, hostname, basename),
      ),
    byHost: (source, host, also) =>
      find(source, { key: host, entryPoint: 'host', also }, (db) => findSiteByHost(db, host)),
    async isHost(readContext, host) {
      const known = await caches.readThrough(readContext, hostKind, host, async (db) => ({
        isSite: await isSiteHost(db, host),
      }))
      return known?.isSite === true
    },
  }
}

function conditionsOf(
  { row, organizationHostname, spaces, sections, groups }: AddressedSite,
  specifications: readonly LatestVersion[],
): string | undefined {
  if (!isGuarded({ sections, spaces })) return undefined
  return hashOf(JSON.stringify([organizationHostname, row, spaces, sections, groups, specifications]))
}
