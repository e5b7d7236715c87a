/** Updating and deleting site spaces. A section, or a site without sections, always has one default space while it has any. */
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { ApiError } from '../../contract/errors.js'
import type { Tx } from '../../store/db/database.js'
import type { RowUpdate } from '../../store/db/tables.js'
import type { SpaceRow } from '../spaces/store.js'
import { countClosure, mayClose } from './closures.js'
import { rememberLinkPath } from './former-paths.js'
import { requireCondition, requireFreePath } from './sections.js'
import { lockWhenPublic, requireAbsent } from './spaces.js'
import { type SiteSpaceRow, type SiteWithSpaces, listLinksTo } from './store.js'
import { deleteLinkRow, findFirstLink, setDefaultLink, updateLink } from './structure-store.js'

export interface LinkChange {
  readonly path?: string
  readonly condition?: string | null
  readonly title?: string | null
  readonly draft?: boolean
  readonly hidden?: boolean
}

/** Updates a link; `space` replaces the space it shows. */
export async function changeLink(
  tx: Tx,
  site: SiteWithSpaces,
  link: SiteSpaceRow,
  change: LinkChange & { readonly space?: SpaceRow | undefined },
): Promise<void> {
  const { title, draft, hidden, space } = change
  const update: RowUpdate<'site_spaces'> = {
    ...(title !== undefined && { title }),
    ...(draft !== undefined && { draft: draft ? 1 : 0 }),
    ...(hidden !== undefined && { hidden: hidden ? 1 : 0 }),
    ...(change.condition !== undefined && { condition: requireCondition(change.condition) }),
  }
  if (change.path !== undefined) {
    const others = site.spaces.filter((one) => one.link.section_id === link.section_id)
    update.path = requireFreePath(
      change.path,
      others.map((one) => one.link).filter(({ id }) => id !== link.id),
    )
  }
  if (space !== undefined && space.id !== link.space_id) {
    requireAbsent(site, space, 'spaceId')
    update.space_id = space.id
  }
  await updateLink(tx, link, update)
  if (mayClose(update)) await countClosure(tx, site.row)
  if (update.path !== undefined && update.path !== link.path) await rememberLinkPath(tx, link)
  await lockWhenPublic(tx, site.row)
}

/** Removes a space from the site; throws 409 for the last space of a published site. */
export async function deleteLink(tx: Tx, site: SiteWithSpaces, link: SiteSpaceRow): Promise<void> {
  if (site.row.published === 1 && site.spaces.length === 1) throw new ApiError('site_needs_space')
  await removeLink(tx, link)
}

/** Removes a space that is deleted for good from all sites of its organization. */
export async function removeSpaceFromSites(
  tx: Tx,
  organizationId: OrganizationId,
  spaceId: SpaceId,
): Promise<void> {
  for (const link of await listLinksTo(tx, { organization_id: organizationId, id: spaceId }))
    await removeLink(tx, link)
}

/** Deletes the link; if it was the default, the first of the others becomes the default. */
async function removeLink(tx: Tx, link: SiteSpaceRow): Promise<void> {
  await deleteLinkRow(tx, link)
  await countClosure(tx, { organization_id: link.organization_id, id: link.site_id })
  if (link.is_default === 1) await replaceDefault(tx, link)
}

/** Makes the first remaining link of the section the default, if there is one. */
export async function replaceDefault(tx: Tx, removed: SiteSpaceRow): Promise<void> {
  const site = { organization_id: removed.organization_id, id: removed.site_id }
  const next = await findFirstLink(tx, site, removed.section_id)
  if (next !== undefined) await setDefaultLink(tx, site, next)
}
