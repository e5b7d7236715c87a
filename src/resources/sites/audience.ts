/**
 * Visitor access: share links and visitor authentication (signed tokens), for readers who are not members. A revoked
 * share link keeps its key, so that it can be reactivated; a new signing key invalidates all tokens signed before.
 */
import { isMapping } from '../../core/mapping.js'
import type { SiteShareLinkId } from '../../core/ids.js'
import { parseRison } from '../../core/visitor/rison.js'
import { newSiteId } from '../../access/ids.js'
import type { Addresses, UrlViewer } from '../../contract/addresses.js'
import { ApiError } from '../../contract/errors.js'
import type { ShareLink, SitePublishingAuth } from '../../contract/site-audience.js'
import type { Credential } from '../../contract/signatures.js'
import { previewLifetime } from '../../contract/site-keys.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ShareLinkRow, findShareLink, insertShareLink, updateShareLink } from './audience-store.js'
import { countClosure } from './closures.js'
import type { SiteUrlContext } from './present.js'
import { publishedPaths } from './published-structure.js'
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
  if (active === false) await countClosure(tx, { organization_id: link.organization_id, id: link.site_id })
  return updateShareLink(tx, link, {
    ...(name !== undefined && { name }),
    ...(active !== undefined && { active: active ? 1 : 0 }),
  })
}

export function presentShareLink(
  { addresses, organizationHostname }: SiteUrlContext,
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

/** Returns the site with the changed sign-in and sign-out URLs; throws 400 when the query already has a `location`. */
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

/** Returns the site with a new signing key. */
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

/** Returns the path segment of a share key that URLs of the site carry on; undefined for an invalid or revoked key. */
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

/** Returns the preview URL of the site; throws 400 for a site without spaces, a space that it does not show, and malformed claims. */
export function previewUrl(
  { addresses, organizationHostname }: SiteUrlContext,
  site: SiteWithSpaces,
  { siteSpace, claims = '()' }: { readonly siteSpace?: string; readonly claims?: string },
  { credential, now }: UrlViewer & { readonly credential: Credential },
): string {
  const { row } = site
  const { links } = publishedPaths(site)
  if (links.size === 0) throw new ApiError('site_without_space')
  const path = siteSpace === undefined ? '' : [...links].find(([id]) => id === siteSpace)?.[1]
  if (path === undefined)
    throw new ApiError('invalid_reference', { member: 'siteSpace', thing: 'a space that the site shows' })
  const parsedClaims = parseRison(claims)
  if (!isMapping(parsedClaims))
    throw new ApiError('invalid_request', {
      problem: 'The query member "claims" must be an object in Rison, such as (plan:pro,beta:!t).',
    })
  const expires = Math.floor((now + previewLifetime) / 1000) * 1000
  const key = addresses.keys.preview(row.id, { credential, expires, claims: JSON.stringify(parsedClaims) })
  return `${addresses.site(organizationHostname, row.basename, row.hostname)}~octavo/preview/${key}/${path}`
}
