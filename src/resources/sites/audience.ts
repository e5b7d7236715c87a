/**
 * Who reads a site besides members: what is set, and the keys that are handed out. A share link that was ended keeps
 * its key, so that it can be given its effect back; a new key of visitor tokens ends all that were signed before.
 */
import { isMapping } from '../../core/mapping.js'
import type { SiteShareLinkId } from '../../core/ids.js'
import { parseRison } from '../../core/visitor/rison.js'
import { newSiteId } from '../../access/ids.js'
import type { Addresses, Asker } from '../../contract/addresses.js'
import { ApiError } from '../../contract/errors.js'
import type { ShareLink, SitePublishingAuth } from '../../contract/site-audience.js'
import type { Credential } from '../../contract/signatures.js'
import { previewLife } from '../../contract/site-keys.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ShareLinkRow, findShareLink, insertShareLink, updateShareLink } from './audience-store.js'
import type { SiteContext } from './present.js'
import { shownPaths } from './shown.js'
import { type SiteRow, type SiteWithSpaces, updateSite } from './store.js'

export function createShareLink(
  tx: Tx,
  { row }: SiteWithSpaces,
  { name }: { readonly name?: string },
  now: number,
): Promise<ShareLinkRow> {
  return insertShareLink(tx, {
    id: newSiteId<SiteShareLinkId>('sitesh'),
    organization_id: row.organization_id,
    site_id: row.id,
    name: name ?? null,
    active: 1,
    created_at: now,
  })
}

export async function changeShareLink(
  tx: Tx,
  link: ShareLinkRow,
  { name, active }: { readonly name?: string; readonly active?: boolean },
): Promise<ShareLinkRow> {
  if (name === undefined && active === undefined) return link
  return updateShareLink(tx, link, {
    ...(name !== undefined && { name }),
    ...(active !== undefined && { active: active ? 1 : 0 }),
  })
}

export function presentShareLink(
  { addresses, organizationHostname }: SiteContext,
  site: SiteRow,
  link: ShareLinkRow,
): ShareLink {
  const address = addresses.site(organizationHostname, site.basename, site.hostname)
  return {
    object: 'share-link',
    id: link.id,
    createdAt: new Date(link.created_at).toISOString(),
    ...(link.name !== null && { name: link.name }),
    active: link.active === 1,
    urls: {
      ...(site.published === 1 && { published: `${address}${addresses.keys.share(site.id, link.id)}/` }),
    },
  }
}

interface AuthChange {
  readonly fallbackURL?: string | null
  readonly logoutURL?: string | null
}

/** Returns the site with other addresses to sign in and out; throws 400 where `location` could not be added. */
export async function changePublishingAuth(
  tx: Tx,
  { row }: SiteWithSpaces,
  { fallbackURL, logoutURL }: AuthChange,
  now: number,
): Promise<SiteRow> {
  if (fallbackURL && new URL(fallbackURL).searchParams.has('location')) {
    throw new ApiError('invalid_request', {
      problem:
        'The member "fallbackURL" must not have "location" in its query: that is added, and says where the visitor wanted to go.',
    })
  }
  if (fallbackURL === undefined && logoutURL === undefined) return row
  return updateSite(tx, row, {
    updated_at: now,
    ...(fallbackURL !== undefined && { login_url: fallbackURL }),
    ...(logoutURL !== undefined && { logout_url: logoutURL }),
  })
}

/** Returns the site with a new key. */
export function regenerateKey(tx: Tx, { row }: SiteWithSpaces, now: number): Promise<SiteRow> {
  return updateSite(tx, row, { key_generation: row.key_generation + 1, updated_at: now })
}

export function presentPublishingAuth(addresses: Addresses, row: SiteRow): SitePublishingAuth {
  return {
    object: 'publishing-auth',
    backend: 'custom',
    privateKey: addresses.keys.visitor(row.id, row.key_generation),
    ...(row.login_url !== null && { fallbackURL: row.login_url }),
    ...(row.logout_url !== null && { logoutURL: row.logout_url }),
  }
}

/** Returns what addresses of a site carry on from a key; undefined for one that opens nothing. */
export async function sharePathOf(
  db: Db,
  { keys }: Addresses,
  site: SiteRow,
  key: string | undefined,
): Promise<string | undefined> {
  const id = key === undefined || site.visibility !== 'share-link' ? undefined : keys.readShare(site.id, key)
  const link = id === undefined ? undefined : await findShareLink(db, site, id)
  return link?.active === 1 ? `${key}/` : undefined
}

/** Returns the address of a look at the site; throws 400 for claims that are none, and for what is not shown. */
export function previewUrl(
  { addresses, organizationHostname }: SiteContext,
  site: SiteWithSpaces,
  { siteSpace, claims = '()' }: { readonly siteSpace?: string; readonly claims?: string },
  { credential, now }: Asker & { readonly credential: Credential },
): string {
  const { row } = site
  const { links } = shownPaths(site)
  const path = siteSpace === undefined ? '' : [...links].find(([id]) => id === siteSpace)?.[1]
  if (path === undefined || links.size === 0)
    throw new ApiError('invalid_reference', { member: 'siteSpace', thing: 'a space that the site shows' })
  const said = parseRison(claims)
  if (!isMapping(said))
    throw new ApiError('invalid_request', {
      problem: 'The query member "claims" must be an object in Rison, such as (plan:pro,beta:!t).',
    })
  const expires = Math.floor((now + previewLife) / 1000) * 1000
  const key = addresses.keys.preview(row.id, { credential, expires, claims: JSON.stringify(said) })
  return `${addresses.site(organizationHostname, row.basename, row.hostname)}~octavo/preview/${key}/${path}`
}
