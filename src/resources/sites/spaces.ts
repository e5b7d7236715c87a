/**
 * Which spaces a site shows. What is published is read by everybody, so a space is shown only by
 * those who may administer it, and its live edits are locked while it can be read without an account.
 */
import { slugify } from '../../core/pages/paths.js'
import type { SiteSectionId, SiteSpaceId, SpaceId } from '../../core/ids.js'
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

/** Throws 409 when the site shows the space already. */
export function requireAbsent({ spaces }: Shown, space: SpaceRow, member: string): void {
  if (spaces.some(({ link }) => link.space_id === space.id))
    throw new ApiError('already_taken', { member, value: space.id })
}

type Shown = Pick<SiteWithSpaces, 'row' | 'spaces'>

export interface NewLink {
  /** Null for a site without sections. */
  readonly sectionId: SiteSectionId | null
  readonly title?: string
  readonly draft?: boolean
}

/** Shows the space at the end of a section, or of a site without sections; the first one there is its default. */
export async function showSpace(
  tx: Tx,
  { row, spaces }: Shown,
  space: SpaceRow,
  { sectionId, title, draft }: NewLink,
): Promise<SiteSpaceRow> {
  const others = spaces.filter(({ link }) => link.section_id === sectionId)
  const link = await insertSiteSpace(tx, {
    id: newSiteId<SiteSpaceId>('sitesp'),
    organization_id: row.organization_id,
    site_id: row.id,
    section_id: sectionId,
    space_id: space.id,
    path: freePath(title ?? space.title, new Set(others.map((other) => other.link.path))),
    is_default: others.some((other) => other.link.is_default === 1) ? 0 : 1,
    condition: null,
    title: title ?? null,
    draft: draft === true ? 1 : 0,
  })
  await lockWhenPublic(tx, row)
  return link
}

/** Returns a path for a title that no other has. */
export function freePath(title: string, taken: ReadonlySet<string>): string {
  const stem = slugify(title).slice(0, longestStem)
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? stem : `${stem}-${count}`
    if (!taken.has(candidate)) return candidate
  }
}

/** Leaves room for a number below the 100 characters that a path may have. */
const longestStem = 90

/** Locks the spaces of a site that anybody can read now. */
export async function lockWhenPublic(tx: Tx, site: SiteRow): Promise<void> {
  const isOpen = site.visibility === 'public' || site.visibility === 'unlisted'
  if (site.published === 1 && isOpen) await lockSpacesOf(tx, site)
}

/** True when the site has something to show. */
export function hasContent({ spaces }: SiteWithSpaces): boolean {
  return spaces.some(({ space }) => space.deleted_at === null)
}
