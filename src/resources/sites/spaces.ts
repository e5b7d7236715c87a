/**
 * Which spaces a site shows. What is published is read by everybody, so a space is shown only by
 * those who may administer it, and its live edits are locked while it can be read without an account.
 */
import { slugify } from '../../core/pages/paths.js'
import type { SiteSpaceId, SpaceId } from '../../core/ids.js'
import type { Reader } from '../../access/rules/levels.js'
import { newSiteId } from '../../access/ids.js'
import { ApiError } from '../../contract/errors.js'
import type { Tx } from '../../store/db/database.js'
import { administers, withLevel } from '../spaces/scope.js'
import { type SpaceRow, findSpaceOf } from '../spaces/store.js'
import {
  type SiteRow,
  type SiteSpaceRow,
  type SiteWithSpaces,
  insertSiteSpace,
  listLinkedSpaces,
  lockSpacesOf,
} from './store.js'

/** Returns the space when this person may publish it on a site; else throws 400 or 403. */
export async function getPublishable(
  tx: Tx,
  site: Pick<SiteRow, 'organization_id'>,
  { userId }: Reader,
  wanted: { readonly id: string; readonly member: string },
): Promise<SpaceRow> {
  const found = await findSpaceOf(tx, site.organization_id, userId, wanted.id as SpaceId)
  const space = found && withLevel(found)
  if (space === undefined || space.row.deleted_at !== null || space.level === null)
    throw new ApiError('invalid_reference', { member: wanted.member, thing: 'a space' })
  if (!administers(space.level))
    throw new ApiError('forbidden', { action: `publish the space ${space.row.id}`, role: 'create' })
  return space.row
}

/** Shows the space at the end of the site's list; the first one stands at the root. Throws 409 when it is there already. */
export async function addSpace(
  tx: Tx,
  site: SiteRow,
  space: SpaceRow,
  member: string,
): Promise<SiteSpaceRow> {
  const others = await listLinkedSpaces(tx, site)
  if (others.some(({ link }) => link.space_id === space.id))
    throw new ApiError('already_taken', { member, value: space.id })
  const link = await insertSiteSpace(tx, {
    id: newSiteId<SiteSpaceId>('sitesp'),
    organization_id: site.organization_id,
    site_id: site.id,
    section_id: null,
    space_id: space.id,
    path: freePath(
      space.title,
      others.map((other) => other.link.path),
    ),
    is_default: others.some((other) => other.link.is_default === 1) ? 0 : 1,
    condition: null,
  })
  await lockWhenPublic(tx, site)
  return link
}

function freePath(title: string, taken: readonly string[]): string {
  const stem = slugify(title)
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? stem : `${stem}-${count}`
    if (!taken.includes(candidate)) return candidate
  }
}

/** Locks the spaces of a site that anybody can read now. */
export async function lockWhenPublic(tx: Tx, site: SiteRow): Promise<void> {
  const isOpen = site.visibility === 'public' || site.visibility === 'unlisted'
  if (site.published === 1 && isOpen) await lockSpacesOf(tx, site)
}

/** True when the site has something to show. */
export function hasContent({ spaces }: SiteWithSpaces): boolean {
  return spaces.some(({ space }) => space.deleted_at === null)
}
