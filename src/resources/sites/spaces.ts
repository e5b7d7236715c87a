/**
 * Adding spaces to a site. Published content is public, so only those who may administer a space can add it, and its
 * live edits are locked while it can be read without an account.
 */
import { slugify } from '../../core/pages/paths.js'
import type { SiteSectionId, SiteSpaceId, SpaceId } from '../../core/ids.js'
import type { Reader } from '../../access/rules/levels.js'
import { newSiteId } from '../../access/ids.js'
import { ApiError } from '../../contract/errors.js'
import type { Tx } from '../../store/db/database.js'
import { canAdminister, withLevel } from '../spaces/scope.js'
import { type SpaceRow, findSpaceWithFacts } from '../spaces/store.js'
import {
  type SiteRow,
  type SiteSpaceRow,
  type SiteWithSpaces,
  insertSiteSpace,
  lockSpacesOf,
} from './store.js'

/** Returns the space when the reader may publish it on a site; else throws 400 or 403. */
export async function getPublishable(
  tx: Tx,
  site: Pick<SiteRow, 'organization_id'>,
  { userId }: Reader,
  wanted: { readonly id: string; readonly member: string },
): Promise<SpaceRow> {
  const found = await findSpaceWithFacts(tx, site.organization_id, userId, wanted.id as SpaceId)
  const space = found && withLevel(found)
  if (space === undefined || space.row.deleted_at !== null || space.level === null)
    throw new ApiError('invalid_reference', { member: wanted.member, thing: 'a space' })
  if (!canAdminister(space.level))
    throw new ApiError('forbidden', { action: `publish the space ${space.row.id}`, role: 'create' })
  return space.row
}

/** Throws 409 when the site has the space already. */
export function requireAbsent({ spaces }: LinkedSite, space: SpaceRow, member: string): void {
  if (spaces.some(({ link }) => link.space_id === space.id))
    throw new ApiError('already_taken', { member, value: space.id })
}

type LinkedSite = Pick<SiteWithSpaces, 'row' | 'spaces'>

export interface NewLink {
  /** Null for a site without sections. */
  readonly sectionId: SiteSectionId | null
  readonly title?: string
  readonly draft?: boolean
}

/** Adds the space at the end of a section, or of a site without sections; the first one becomes the default. */
export async function addSpaceLink(
  tx: Tx,
  { row, spaces }: LinkedSite,
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

/** Returns a slug of the title that is not taken. */
export function freePath(title: string, taken: ReadonlySet<string>): string {
  const stem = slugify(title).slice(0, maxStemLength)
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? stem : `${stem}-${count}`
    if (!taken.has(candidate)) return candidate
  }
}

/** Leaves room for a number within the 100 characters that a path may have. */
const maxStemLength = 90

/** Locks the spaces of a site that is public or unlisted. */
export async function lockWhenPublic(tx: Tx, site: SiteRow): Promise<void> {
  const isPublic = site.visibility === 'public' || site.visibility === 'unlisted'
  if (site.published === 1 && isPublic) await lockSpacesOf(tx, site)
}

/** True when the site has a space that is not in the trash. */
export function hasContent({ spaces }: SiteWithSpaces): boolean {
  return spaces.some(({ space }) => space.deleted_at === null)
}
