/**
 * Who comes as a reader, and what they may read: decided here alone, for published sites with everything that stands
 * below them, for previews of sites and spaces, and for files.
 *
 * What is open is open to whoever comes. What is behind links is open to who comes by one; what is for visitors to who
 * brings a token that the site's key signed. For the rest it takes somebody who may read it, known by a session, by a
 * token, or by an address that was given to one of these; how they came in must open the organization too.
 */
import type { OrganizationId, SpaceId, UserId } from '../core/ids.js'
import type { Visitor } from '../core/visitor/visitor.js'
import { type Services, type Source, recallFrom } from '../access/route/scope.js'
import { judgeOnSite, reaches, siteActions } from '../access/rules/levels.js'
import type { MaybeActor } from '../access/signin/actor.js'
import { isInvited, opens } from '../access/signin/credential-scope.js'
import { findBySessionId } from '../access/signin/sessions.js'
import { findByTokenId } from '../access/signin/tokens.js'
import type { Credential } from '../contract/signatures.js'
import { findOrganizationOf } from '../resources/organizations/store.js'
import { type ShareLinkRow, findShareLink } from '../resources/sites/audience-store.js'
import { withLevel as withSiteLevel } from '../resources/sites/scope.js'
import { type SiteWithSpaces, isOpenSite } from '../resources/sites/store.js'
import { withLevel as withSpaceLevel } from '../resources/spaces/scope.js'
import { type SpaceRow, findSpaceOf } from '../resources/spaces/store.js'
import type { Look } from '../store/cache/caches.js'
import { rowKind } from '../store/cache/kinds.js'
import { findInDirectory } from '../store/db/directory.js'
import type { AddressKey } from './routing/key.js'

/** Why somebody stays outside: it is not there for them, they are to sign in (first, or another way), or to accept. */
export type Refusal = 'absent' | 'signIn' | 'invitation'

/** Somebody who came, and what keeps them out of an organization, whatever they may read there. */
interface Person {
  readonly userId: UserId
  keptOutOf(organizationId: OrganizationId): Refusal | undefined
}

/** Tells who asks, null for nobody; asked only where it matters. */
export type Asker = () => Promise<Person | null>

/** Something that is read. */
export interface Readable<Place extends InOrganization> {
  /** The thing itself, where anybody may read it. */
  readonly open: Place | undefined
  /** Returns the thing where the user may read it. */
  find(userId: UserId): Promise<Place | undefined>
}

/** The database is asked for only when rows are read: see `Source`. */
type Rows = Pick<Source, 'db'>

interface InOrganization {
  readonly row: { readonly organization_id: OrganizationId }
}

export type Entry<Place> =
  | { readonly place: Place; readonly isForAll: boolean; readonly refusal?: never }
  | { readonly refusal: Refusal }

/** Returns what somebody may read, or why they may not. */
export async function enterAsReader<Place extends InOrganization>(
  asker: Asker,
  { open, find }: Readable<Place>,
): Promise<Entry<Place>> {
  if (open !== undefined) return { place: open, isForAll: true }
  const person = await asker()
  // The same for what exists and for what does not.
  if (person === null) return { refusal: 'signIn' }
  const place = await find(person.userId)
  if (place === undefined) return { refusal: 'absent' }
  const refusal = person.keptOutOf(place.row.organization_id)
  return refusal === undefined ? { place, isForAll: false } : { refusal }
}

/** Who comes to a site. */
export interface SiteComer {
  readonly asker: Asker
  readonly visitor: Visitor
  /** What stands as a key in the address. */
  readonly key: Pick<AddressKey, 'kind' | 'key'> | undefined
}

/**
 * What let somebody in: `all` lets everybody, `address` whoever asks for the same address, `token` whoever brings the
 * same, `person` somebody who signed in. Without one they stay outside: for who is told so (`visitor`) a token is
 * missing, for everybody else there is nothing (`absent`).
 */
export type SiteEntry =
  | { readonly by: 'all' | 'address' | 'token' | 'person'; readonly refusal?: never }
  | { readonly refusal: 'absent' | 'visitor' }

interface Here extends Pick<Services, 'caches' | 'addresses'> {
  /** Null where nothing that is kept may be believed. */
  readonly look: Look | null
  readonly now: number
}

const nothingThere: SiteEntry = { refusal: 'absent' }

/** Returns whether somebody may read a site, published or not, and by what; a preview shows it to who made it. */
export async function enterSite(
  source: Source,
  site: SiteWithSpaces,
  comer: SiteComer,
  here: Here,
): Promise<SiteEntry> {
  const { row } = site
  const { key, visitor } = comer
  if (key?.kind === 'preview') return enterPreview(source, site, key.key, here)
  if (row.published === 0) return nothingThere
  if (key !== undefined) return enterByLink(source, site, key.key, here)
  if (isOpenSite(row)) return { by: 'all' }
  const isForVisitors = row.visibility === 'visitor-auth'
  if (isForVisitors && visitor.token === 'valid') return { by: 'token' }
  const { refusal } = await enterAsReader(comer.asker, readableSite(source, site))
  if (refusal === undefined) return { by: 'person' }
  return isForVisitors ? { refusal: 'visitor' } : nothingThere
}

const shareLinkKind = rowKind<ShareLinkRow>('share link', ({ organization_id: id }) => [id])

async function enterByLink(
  source: Source,
  { row }: SiteWithSpaces,
  key: string,
  { caches, addresses }: Here,
): Promise<SiteEntry> {
  if (row.visibility !== 'share-link') return nothingThere
  // What was guessed asks nothing of the database.
  const id = addresses.keys.readShare(row.id, key)
  if (id === undefined) return nothingThere
  const link = await recallFrom(
    source,
    caches,
    shareLinkKind,
    `${row.organization_id} ${row.id} ${id}`,
    (db) => findShareLink(db, row, id),
  )
  return link?.active === 1 ? { by: 'address' } : nothingThere
}

async function enterPreview(
  source: Source,
  site: SiteWithSpaces,
  key: string,
  here: Here,
): Promise<SiteEntry> {
  const preview = here.addresses.keys.readPreview(site.row.id, key)
  const { look, now, caches } = here
  if (preview === undefined || preview.expires <= now || look === null) return nothingThere
  const entry = await enterAsReader(holderOf(preview.credential, { caches, look, now }), {
    open: undefined,
    find: async (userId) => {
      const known = await siteOf(source, site, userId)
      return judgeOnSite(known.levels, 'administer') === 'yes' ? site : undefined
    },
  })
  return entry.refusal === undefined ? { by: 'person' } : nothingThere
}

/** Whoever is signed in, by session or token, or holds an address that was given to one. */
export function signedInAsker(signIn: () => Promise<MaybeActor>): Asker {
  let person: Promise<Person | null> | undefined
  // Once: a read that is made again is made for the same person.
  return () => (person ??= signIn().then(personOf))
}

/** For whom an address was made: nobody, when that session or API token has ended. */
export function holderOf(
  { by, credentialId: id }: Credential,
  { caches, look, now }: Pick<Here, 'caches' | 'now'> & { readonly look: Look },
): Asker {
  const find = by === 'session' ? findBySessionId : findByTokenId
  return signedInAsker(async () => (await find(caches, look, { id, now })) ?? null)
}

function personOf(actor: MaybeActor): Person | null {
  if (actor === null) return null
  return {
    userId: actor.userId,
    keptOutOf(organizationId) {
      if (isInvited(actor, organizationId)) return 'invitation'
      return opens(actor, organizationId) ? undefined : 'signIn'
    },
  }
}

async function siteOf({ db }: Rows, site: SiteWithSpaces, userId: UserId) {
  const organizationId = site.row.organization_id
  const organization = await findOrganizationOf(db, userId, organizationId)
  return withSiteLevel(db, site, { userId, organizationId, role: organization?.role })
}

/** A published site: for all, or for those who may see it. */
export function readableSite(rows: Rows, site: SiteWithSpaces): Readable<SiteWithSpaces> {
  return {
    open: isOpenSite(site.row) ? site : undefined,
    async find(userId) {
      const { levels } = await siteOf(rows, site, userId)
      return reaches(levels.seen, siteActions.view) ? site : undefined
    },
  }
}

/** The content of a space, outside of the trash; `open` where it is asked for as a published site shows it to all. */
export function readableSpace(
  rows: Rows,
  id: SpaceId,
  open?: { readonly row: SpaceRow },
): Readable<{ readonly row: SpaceRow }> {
  return {
    open,
    async find(userId) {
      const { db } = rows
      const organizationId = open?.row.organization_id ?? (await findInDirectory(db, id))
      const found = organizationId && (await findSpaceOf(db, organizationId, userId, id))
      if (found === undefined || found.row.deleted_at !== null) return undefined
      return reaches(withSpaceLevel(found).level, 'read') ? found : undefined
    },
  }
}
