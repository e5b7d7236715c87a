/** Updating a site's settings. */
import { ApiError } from '../../contract/errors.js'
import type { Tx } from '../../store/db/database.js'
import type { RowUpdate } from '../../store/db/tables.js'
import { countClosure } from './closures.js'
import { requireFreeBasename } from './create.js'
import { rememberDefault } from './former-paths.js'
import { makeDefault } from './make-default.js'
import { lockWhenPublic } from './spaces.js'
import { getSection } from './section-groups.js'
import { type SiteRow, type SiteWithSpaces, updateSite } from './store.js'
import { setDefaultSection } from './structure-store.js'

export interface SiteChange {
  readonly title?: string
  readonly visibility?: string
  readonly basename?: string
  readonly adaptiveContent?: { readonly enabled: boolean }
  readonly defaultSiteSpace?: string
  readonly defaultSiteSection?: string
  readonly proxy?: string | null
}

/** Returns the row after the change; a published site that becomes public or unlisted locks its spaces. */
export async function changeSite(
  tx: Tx,
  site: SiteWithSpaces,
  change: SiteChange,
  now: number,
): Promise<SiteRow> {
  const { row } = site
  const update: RowUpdate<'sites'> = { updated_at: now }
  if (change.title !== undefined) update.title = change.title
  if (change.visibility !== undefined) update.visibility = change.visibility
  if (change.adaptiveContent !== undefined) update.adaptive_content = change.adaptiveContent.enabled ? 1 : 0
  if (change.proxy !== undefined) update.proxy = change.proxy === null ? null : JSON.stringify(change.proxy)
  if (change.basename !== undefined) {
    await requireFreeBasename(tx, row, change.basename)
    update.basename = change.basename
  }
  await changeDefaults(tx, site, change)
  const changed = await updateSite(tx, row, update)
  if (changed.visibility !== row.visibility || changed.adaptive_content !== row.adaptive_content)
    await countClosure(tx, row)
  await lockWhenPublic(tx, changed)
  return changed
}

/** The default space must be in the default section: in the new one, when both change. */
async function changeDefaults(
  tx: Tx,
  site: SiteWithSpaces,
  { defaultSiteSection: section, defaultSiteSpace: space }: SiteChange,
): Promise<void> {
  const currentDefault = site.sections.find((one) => one.is_default === 1)
  const wanted = section === undefined ? currentDefault : getSection(site, section, 'defaultSiteSection')
  if (wanted !== undefined && wanted !== currentDefault) {
    if (currentDefault !== undefined) await rememberDefault(tx, site.row, '', currentDefault.id)
    await setDefaultSection(tx, site.row, wanted.id)
  }
  if (space === undefined) return
  const found = site.spaces.find(({ link }) => link.id === space && link.section_id === (wanted?.id ?? null))
  if (found === undefined) {
    const thing = wanted === undefined ? 'a space of the site' : 'a space of the default section'
    throw new ApiError('invalid_reference', { member: 'defaultSiteSpace', thing })
  }
  await makeDefault(tx, site, found.link)
}
