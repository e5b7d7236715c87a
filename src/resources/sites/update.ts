/** Changing a site's settings. */
import { ApiError } from '../../contract/errors.js'
import type { Tx } from '../../store/db/database.js'
import type { RowUpdate } from '../../store/db/tables.js'
import { requireFreeBasename } from './create.js'
import { lockWhenPublic } from './spaces.js'
import { type SiteRow, type SiteWithSpaces, setDefaultSiteSpace, updateSite } from './store.js'

export interface SiteChange {
  readonly title?: string
  readonly visibility?: string
  readonly basename?: string
  readonly adaptiveContent?: { readonly enabled: boolean }
  readonly defaultSiteSpace?: string
  readonly defaultSiteSection?: string
  readonly proxy?: string | null
}

/** Returns the row after the change; a published site that opens to everybody locks its spaces. */
export async function changeSite(
  tx: Tx,
  { row, spaces }: SiteWithSpaces,
  change: SiteChange,
  now: number,
): Promise<SiteRow> {
  const update: RowUpdate<'sites'> = { updated_at: now }
  if (change.title !== undefined) update.title = change.title
  if (change.visibility !== undefined) update.visibility = change.visibility
  if (change.adaptiveContent !== undefined) update.adaptive_content = change.adaptiveContent.enabled ? 1 : 0
  if (change.proxy !== undefined) update.proxy = change.proxy === null ? null : JSON.stringify(change.proxy)
  if (change.basename !== undefined) {
    await requireFreeBasename(tx, row, change.basename)
    update.basename = change.basename
  }
  if (change.defaultSiteSpace !== undefined) {
    const wanted = spaces.find(({ link }) => link.id === change.defaultSiteSpace)
    if (wanted === undefined)
      throw new ApiError('invalid_reference', { member: 'defaultSiteSpace', thing: 'a space of the site' })
    await setDefaultSiteSpace(tx, row, wanted.link.id)
  }
  if (change.defaultSiteSection !== undefined)
    throw new ApiError('invalid_reference', {
      member: 'defaultSiteSection',
      thing: 'a section of the site',
    })
  const changed = await updateSite(tx, row, update)
  await lockWhenPublic(tx, changed)
  return changed
}
