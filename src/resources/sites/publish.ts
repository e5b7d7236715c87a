/** Publishing makes a site reachable for its audience; unpublishing takes it offline and deletes nothing. */
import { type EventActor, recordEvent } from '../../access/events/record.js'
import { ApiError } from '../../contract/errors.js'
import type { Tx } from '../../store/db/database.js'
import { countClosure } from './closures.js'
import { hasContent, lockWhenPublic } from './spaces.js'
import { type SiteRow, type SiteWithSpaces, updateSite } from './store.js'

/** Returns the published row; throws 400 when the site has no content. Idempotent. */
export async function publishSite(tx: Tx, site: SiteWithSpaces, by: EventActor): Promise<SiteRow> {
  if (!hasContent(site)) throw new ApiError('site_without_space')
  if (site.row.published === 1) return site.row
  const row = await updateSite(tx, site.row, { published: 1, published_at: by.now, updated_at: by.now })
  await lockWhenPublic(tx, row)
  await recordPublication(tx, row, 'site_published', by)
  return row
}

/** Returns the unpublished row. Idempotent. */
export async function unpublishSite(tx: Tx, { row }: SiteWithSpaces, by: EventActor): Promise<SiteRow> {
  if (row.published === 0) return row
  const changed = await updateSite(tx, row, { published: 0, updated_at: by.now })
  await countClosure(tx, row)
  await recordPublication(tx, changed, 'site_unpublished', by)
  return changed
}

async function recordPublication(
  tx: Tx,
  { organization_id: organizationId, id: siteId }: SiteRow,
  type: 'site_published' | 'site_unpublished',
  by: EventActor,
): Promise<void> {
  await recordEvent(tx, { organizationId, stream: { siteId }, type, ...by })
}
