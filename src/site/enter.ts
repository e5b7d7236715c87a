/**
 * Who comes as a reader, and what they may read: decided here alone, for published sites with every feed of theirs,
 * for previews of spaces, and for files.
 *
 * What is open is open to whoever comes. For the rest it takes somebody who may read it, known by a session, by a
 * token, or by an address that was given to one of these; how they came in must open the organization too.
 */
import type { OrganizationId, SpaceId, UserId } from '../core/ids.js'
import type { Source } from '../access/route/scope.js'
import { reaches, siteActions } from '../access/rules/levels.js'
import type { MaybeActor } from '../access/signin/actor.js'
import { isInvited, opens } from '../access/signin/reach.js'
import { findOrganizationOf } from '../resources/organizations/store.js'
import { withLevel as withSiteLevel } from '../resources/sites/scope.js'
import { type AddressedSite, isOpenSite } from '../resources/sites/store.js'
import { withLevel as withSpaceLevel } from '../resources/spaces/scope.js'
import { type SpaceRow, findSpaceOf } from '../resources/spaces/store.js'
import { findInDirectory } from '../store/db/directory.js'

/** Why a visitor stays outside: it is not there for them, they are to sign in (first, or another way), or to accept. */
export type Refusal = 'absent' | 'signIn' | 'invitation'

/** Somebody who came, and what keeps them out of an organization, whatever they may read there. */
interface Person {
  readonly userId: UserId
  keptOutOf(organizationId: OrganizationId): Refusal | undefined
}

/** Tells who asks, null for nobody; asked only where it matters. */
export type Visitor = () => Promise<Person | null>

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

/** Returns what a visitor may read, or why they may not. */
export async function enterAsReader<Place extends InOrganization>(
  visitor: Visitor,
  { open, find }: Readable<Place>,
): Promise<Entry<Place>> {
  if (open !== undefined) return { place: open, isForAll: true }
  const person = await visitor()
  // The same for what exists and for what does not.
  if (person === null) return { refusal: 'signIn' }
  const place = await find(person.userId)
  if (place === undefined) return { refusal: 'absent' }
  const refusal = person.keptOutOf(place.row.organization_id)
  return refusal === undefined ? { place, isForAll: false } : { refusal }
}

/** Whoever is signed in, by session or token, or holds an address that was given to one. */
export function signedInVisitor(signIn: () => Promise<MaybeActor>): Visitor {
  let person: Promise<Person | null> | undefined
  // Once: a read that is made again is made for the same person.
  return () => (person ??= signIn().then(personOf))
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

/** A published site: for all, or for those who may see it. */
export function readableSite(rows: Rows, site: AddressedSite): Readable<AddressedSite> {
  return {
    open: isOpenSite(site.row) ? site : undefined,
    async find(userId) {
      const organizationId = site.row.organization_id
      const { db } = rows
      const organization = await findOrganizationOf(db, userId, organizationId)
      const reader = { userId, organizationId, role: organization?.role }
      const { levels } = await withSiteLevel(db, site, reader)
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
