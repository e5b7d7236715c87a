/**
 * Closures of a site: how often something of it was closed to readers, by unpublishing it, another visibility, a draft,
 * a condition, a removed space or a share link that was switched off.
 *
 * A content token carries the count of its time. With another count it reads no former revisions: what was published
 * while a part was closed may not have been for its reader, also when that part is open again.
 */
import type { Tx } from '../../store/db/database.js'
import type { SiteKey } from './structure-store.js'

/** Whether a change of a section or of a site space may close it to some readers. */
export function mayClose(change: {
  readonly draft?: unknown
  readonly condition?: unknown
  readonly space_id?: unknown
}): boolean {
  return change.draft === 1 || change.condition !== undefined || change.space_id !== undefined
}

/** Counts a closure of the site. */
export async function countClosure(tx: Tx, { organization_id: organizationId, id }: SiteKey): Promise<void> {
  await tx
    .updateTable('sites')
    .set((set) => ({ closures: set('closures', '+', 1) }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}
