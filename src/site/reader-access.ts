/**
 * Authorization of readers: the only place that decides who may read published sites and everything below them, previews
 * of sites and spaces, and files.
 *
 * Public content is open to all. Share-link content needs a link; content for authenticated visitors needs a token
 * signed with the site's key. All else needs a user with permission, identified by a session, an API token, or an
 * address that was signed for one of these; that credential must open the organization too.
 */
import type { OrganizationId, SiteId, SpaceId, UserId } from '../core/ids.js'
import type { Visitor } from '../core/visitor/visitor.js'
import { type Services, type Source, readThroughFrom } from '../access/route/scope.js'
import { authorizeOnSite, reaches, siteActions } from '../access/rules/levels.js'
import type { MaybeActor } from '../access/signin/actor.js'
import { isInvited, opensOrganization } from '../access/signin/credential-scope.js'
import { findBySessionId } from '../access/signin/sessions.js'
import { findByTokenId } from '../access/signin/tokens.js'
import type { Credential } from '../contract/signatures.js'
import { findOrganizationOf } from '../resources/organizations/store.js'
import { type ShareLinkRow, findShareLink } from '../resources/sites/audience-store.js'
import { type SiteContext, withSiteLevels as withSiteLevel } from '../resources/sites/scope.js'
import {
  type AddressedSite,
  type SiteWithSpaces,
  findAddressedSite,
  isOpenSite,
} from '../resources/sites/store.js'
import { withLevel as withSpaceLevel } from '../resources/spaces/scope.js'
import { type SpaceRow, findSpaceWithFacts } from '../resources/spaces/store.js'
import type { ReadContext } from '../store/cache/caches.js'
import { rowCacheKind } from '../store/cache/kinds.js'
import { findInDirectory } from '../store/db/directory.js'
import type { AddressKey } from './routing/key.js'

/** Why access is refused: not found for this reader, sign-in needed (at all, or another way), or an invitation to accept. */
export type Refusal = 'absent' | 'signIn' | 'invitation'

/** An identified user, and what keeps them out of an organization whatever their permissions there. */
interface Reader {
  readonly userId: UserId
  refusalFor(organizationId: OrganizationId): Refusal | undefined
}

/** Resolves the reader, null when anonymous; called only where the content is not public. */
export type ReaderResolver = () => Promise<Reader | null>

/** A resource to authorize. */
export interface ReadableResource<Resource extends InOrganization> {
  /** The resource, where it is public. */
  readonly publicResource: Resource | undefined
  /** Returns the resource where the user may read it. */
  find(userId: UserId): Promise<Resource | undefined>
}

/** `db` is opened only when rows are read: see `Source`. */
type RowSource = Pick<Source, 'db'>

interface InOrganization {
  readonly row: { readonly organization_id: OrganizationId }
}

export type ReadAccess<Resource> =
  | { readonly resource: Resource; readonly isForAll: boolean; readonly refusal?: never }
  | { readonly refusal: Refusal }

/** Returns the resource where the reader may read it, else the reason for the refusal. */
export async function authorizeReader<Resource extends InOrganization>(
  resolveReader: ReaderResolver,
  { publicResource, find }: ReadableResource<Resource>,
): Promise<ReadAccess<Resource>> {
  if (publicResource !== undefined) return { resource: publicResource, isForAll: true }
  const reader = await resolveReader()
  // The same answer whether or not the resource exists.
  if (reader === null) return { refusal: 'signIn' }
  const resource = await find(reader.userId)
  if (resource === undefined) return { refusal: 'absent' }
  const refusal = reader.refusalFor(resource.row.organization_id)
  return refusal === undefined ? { resource, isForAll: false } : { refusal }
}

/** A request to read a site. */
export interface SiteVisit {
  readonly resolveReader: ReaderResolver
  readonly visitor: Visitor
  /** The key in the address. */
  readonly key: Pick<AddressKey, 'kind' | 'key'> | undefined
}

/**
 * What granted access: `all` for public sites, `address` for a key in the address, `token` for a visitor token, `person`
 * for a signed-in user. Refusals: `visitor` when a visitor token is needed, which the response may say, else `absent`
 * (404).
 */
export type SiteAccess =
  | { readonly by: 'all' | 'address' | 'token' | 'person'; readonly refusal?: never }
  | { readonly refusal: 'absent' | 'visitor' }

interface AccessContext extends Pick<Services, 'caches' | 'addresses'> {
  /** Null where cached rows must not be used. */
  readonly readContext: ReadContext | null
  readonly now: number
}

const notFound: SiteAccess = { refusal: 'absent' }

/** Returns whether a site, published or not, may be read, and by which right; a preview is for the user who made it. */
export async function authorizeSiteVisit(
  source: Source,
  site: SiteWithSpaces,
  visit: SiteVisit,
  context: AccessContext,
): Promise<SiteAccess> {
  const { row } = site
  const { key, visitor } = visit
  if (key?.kind === 'preview') return authorizePreview(source, site, key.key, context)
  if (row.published === 0) return notFound
  if (key !== undefined) return authorizeByShareLink(source, site, key.key, context)
  if (isOpenSite(row)) return { by: 'all' }
  const isForVisitors = row.visibility === 'visitor-auth'
  if (isForVisitors && visitor.token === 'valid') return { by: 'token' }
  const { refusal } = await authorizeReader(visit.resolveReader, readableSite(source, site))
  if (refusal === undefined) return { by: 'person' }
  return isForVisitors ? { refusal: 'visitor' } : notFound
}

const shareLinkKind = rowCacheKind<ShareLinkRow>('share link', ({ organization_id: id }) => [id])

async function authorizeByShareLink(
  source: Source,
  { row }: SiteWithSpaces,
  key: string,
  { caches, addresses }: AccessContext,
): Promise<SiteAccess> {
  if (row.visibility !== 'share-link') return notFound
  // A guessed key fails its signature before any query.
  const id = addresses.keys.readShare(row.id, key)
  if (id === undefined) return notFound
  const link = await readThroughFrom(
    source,
    caches,
    shareLinkKind,
    `${row.organization_id} ${row.id} ${id}`,
    (db) => findShareLink(db, row, id),
  )
  return link?.active === 1 ? { by: 'address' } : notFound
}

async function authorizePreview(
  source: Source,
  site: SiteWithSpaces,
  key: string,
  context: AccessContext,
): Promise<SiteAccess> {
  const preview = context.addresses.keys.readPreview(site.row.id, key)
  const { readContext, now, caches } = context
  if (preview === undefined || preview.expires <= now || readContext === null) return notFound
  const access = await authorizeReader(credentialReader(preview.credential, { caches, readContext, now }), {
    publicResource: undefined,
    find: async (userId) => {
      const withLevels = await withReaderLevels(source, site, userId)
      return authorizeOnSite(withLevels.levels, 'administer') === 'yes' ? site : undefined
    },
  })
  return access.refusal === undefined ? { by: 'person' } : notFound
}

/** Resolves the signed-in user of a session or token, once. */
export function signedInReader(signIn: () => Promise<MaybeActor>): ReaderResolver {
  let reader: Promise<Reader | null> | undefined
  // Cached: a repeated read is for the same user.
  return () => (reader ??= signIn().then(readerOf))
}

/** Resolves the user of the credential for which an address was signed: null when that session or API token has ended. */
export function credentialReader(
  { by, credentialId: id }: Credential,
  { caches, readContext, now }: Pick<AccessContext, 'caches' | 'now'> & { readonly readContext: ReadContext },
): ReaderResolver {
  const find = by === 'session' ? findBySessionId : findByTokenId
  return signedInReader(async () => (await find(caches, readContext, { id, now })) ?? null)
}

function readerOf(actor: MaybeActor): Reader | null {
  if (actor === null) return null
  return {
    userId: actor.userId,
    refusalFor(organizationId) {
      if (isInvited(actor, organizationId)) return 'invitation'
      return opensOrganization(actor, organizationId) ? undefined : 'signIn'
    },
  }
}

async function withReaderLevels({ db }: RowSource, site: SiteWithSpaces, userId: UserId) {
  const organizationId = site.row.organization_id
  const organization = await findOrganizationOf(db, userId, organizationId)
  return withSiteLevel(db, site, { userId, organizationId, role: organization?.role })
}

/** A published site: public, or for users who may view it. */
export function readableSite(source: RowSource, site: SiteWithSpaces): ReadableResource<SiteWithSpaces> {
  return {
    publicResource: isOpenSite(site.row) ? site : undefined,
    async find(userId) {
      const { levels } = await withReaderLevels(source, site, userId)
      return reaches(levels.anywhere, siteActions.view) ? site : undefined
    },
  }
}

/** The content of a space outside of the trash; `open` where a public site publishes it. */
export function readableSpace(
  source: RowSource,
  id: SpaceId,
  publicResource?: { readonly row: SpaceRow },
): ReadableResource<{ readonly row: SpaceRow }> {
  return {
    publicResource,
    async find(userId) {
      const { db } = source
      const organizationId = publicResource?.row.organization_id ?? (await findInDirectory(db, id))
      const found = organizationId && (await findSpaceWithFacts(db, organizationId, userId, id))
      if (found === undefined || found.row.deleted_at !== null) return undefined
      return reaches(withSpaceLevel(found).level, 'read') ? found : undefined
    },
  }
}

/** A site with the spaces that a user may read, for previews. */
export type PreviewedSite = AddressedSite & Pick<SiteContext, 'readable'>

/** Returns a site, published or not, where the user may view it. */
export async function findPreviewedSite(
  source: RowSource,
  { organizationId, siteId }: { readonly organizationId: OrganizationId; readonly siteId: SiteId },
  userId: UserId,
): Promise<PreviewedSite | undefined> {
  const site = await findAddressedSite(source.db, organizationId, siteId)
  if (site === undefined) return undefined
  const { levels, readable } = await withReaderLevels(source, site, userId)
  return reaches(levels.anywhere, siteActions.view) ? { ...site, readable } : undefined
}

/** The content of a space, in a site of its organization where one is named. */
export function readablePreview(
  source: RowSource,
  { spaceId, siteId }: { readonly spaceId: SpaceId; readonly siteId: SiteId | undefined },
): ReadableResource<{ readonly row: SpaceRow; readonly site?: PreviewedSite }> {
  return {
    publicResource: undefined,
    async find(userId) {
      const found = await readableSpace(source, spaceId).find(userId)
      if (found === undefined || siteId === undefined) return found
      const site = await findPreviewedSite(
        source,
        { organizationId: found.row.organization_id, siteId },
        userId,
      )
      return site && { row: found.row, site }
    },
  }
}
