/** Publishing makes a site reachable for its audience; unpublishing takes it offline and keeps everything. */
import { ApiError } from '../../contract/errors.js'
import type { Tx } from '../../store/db/database.js'
import { hasContent, lockWhenPublic } from './spaces.js'
import { type SiteRow, type SiteWithSpaces, updateSite } from './store.js'

/** Returns the published row; throws 400 when the site has nothing to show. Publishing twice changes nothing. */
export async function publishSite(tx: Tx, site: SiteWithSpaces, now: number): Promise<SiteRow> {
  if (!hasContent(site)) throw new ApiError('site_without_space')
  if (site.row.published === 1) return site.row
  const row = await updateSite(tx, site.row, { published: 1, published_at: now, updated_at: now })
  await lockWhenPublic(tx, row)
  return row
}

export async function unpublishSite(tx: Tx, { row }: SiteWithSpaces, now: number): Promise<SiteRow> {
  if (row.published === 0) return row
  return updateSite(tx, row, { published: 0, updated_at: now })
}
