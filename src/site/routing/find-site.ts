/**
 * Which published site stands at an address. What was found is kept as long as the rows of its site are as they
 * were; when something was committed in its organization, they are read once for all readers.
 */
import { type Services, type Source, recallFrom } from '../../access/route/scope.js'
import {
  type AddressedSite,
  findSiteByHost,
  findSiteByNames,
  isSiteHost,
} from '../../resources/sites/store.js'
import type { Look } from '../../store/cache/caches.js'
import { rowKind } from '../../store/cache/kinds.js'
import type { Db } from '../../store/db/database.js'
import type { SiteAddress } from './address.js'
import { type LatestVersion, listLatestVersions } from '../../resources/openapi-specs/store.js'
import { findVisitorSchema } from '../../resources/sites/visitor-schema-store.js'
import { hashOf } from './fingerprint.js'
import { findLookPlaces } from './nav-link-targets.js'
import { siteAsShown } from './shown-revisions.js'
import { type Door, type ShownSite, isGuarded, nobody, shownSite } from './site.js'

/** A site as it is reached by a door. */
export interface ReachedSite {
  readonly addressed: AddressedSite
  readonly site: ShownSite
  readonly door: Door
  /** Names what its pages show apart from their content, to somebody of whom nothing is known. */
  readonly fingerprint: string
  /** What an adaptive site may know of its visitors; undefined where nobody said that. */
  readonly schema: { readonly text: string; readonly key: string } | undefined
  /** Names all that decides what an adaptive site shows to whom; undefined where its parts are for everybody. */
  readonly conditions: string | undefined
}

/** A site that is not published is not there, unless it is asked for with `unpublished`. */
export interface SiteFinder {
  byNames(
    source: Source,
    names: SiteNames,
    door: Door,
    also?: 'unpublished',
  ): Promise<ReachedSite | undefined>
  /** Returns the site that has a host of its own. */
  byHost(source: Source, host: string, also?: 'unpublished'): Promise<ReachedSite | undefined>
  /** Tells whether a site has the host as its own, published or not. */
  isHost(look: Look, host: string): Promise<boolean>
}

type SiteNames = Pick<SiteAddress, 'hostname' | 'basename'>

const siteKind = rowKind<ReachedSite>(
  'published site',
  ({ addressed }) => [addressed.row.organization_id],
  ({ addressed: { spaces, sections, groups }, site: { specifications } }) =>
    20_000 + spaces.length * 4_000 + (sections.length + groups.length) * 1_000 + specifications.length * 500,
)
/** Of every name that is asked for: a host that is no site's is kept too. */
const hostKind = rowKind<{ readonly isSite: boolean }>(
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
      door,
      also,
    }: { readonly key: string; readonly door: Door; readonly also: 'unpublished' | undefined },
    load: (db: Db) => Promise<AddressedSite | undefined>,
  ): Promise<ReachedSite | undefined> => {
    const found = await recallFrom(source, caches, siteKind, `${door} ${key}`, async (db) => {
      const loaded = await load(db)
      if (loaded === undefined) return undefined
      const addressed = await siteAsShown({ db, services }, loaded)
      const shown = shownSite(addresses, addressed, { door, asker: nobody })
      const places = await findLookPlaces({ db, services }, shown, addressed.spaces)
      const specifications = await listLatestVersions(db, shown.organizationId)
      const site = { ...shown, places, specifications }
      const fingerprint = hashOf(JSON.stringify([site.fingerprint, ...places, specifications]))
      const own = { addressed, site, door, fingerprint }
      if (!site.isAdaptive) return { ...own, schema: undefined, conditions: undefined }
      const row = await findVisitorSchema(db, addressed.row)
      const schema = row && { text: row.json_schema, key: hashOf(row.json_schema) }
      return { ...own, schema, conditions: conditionsOf(addressed, specifications) }
    })
    return found?.addressed.row.published === 1 || also === 'unpublished' ? found : undefined
  }

  return {
    byNames: (source, { hostname, basename }, door, also) =>
      find(source, { key: `${hostname}/${basename}`.toLowerCase(), door, also }, (db) =>
        findSiteByNames(db, hostname, basename),
      ),
    byHost: (source, host, also) =>
      find(source, { key: host, door: 'host', also }, (db) => findSiteByHost(db, host)),
    async isHost(look, host) {
      const known = await caches.recall(look, hostKind, host, async (db) => ({
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
