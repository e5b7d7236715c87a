/** Reindexing after specification changes: a job written to the outbox in the same transaction. */
import type { OrganizationId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { enqueue } from '../../store/jobs/outbox.js'

/** Updates the search indexes of the organization's spaces whose pages are computed from specifications. */
export const indexComputedJob = 'index-computed-pages'

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads {
    [indexComputedJob]: { readonly organizationId: OrganizationId }
  }
}

export async function enqueueIndexing(tx: Tx, organizationId: OrganizationId, now: number): Promise<void> {
  await enqueue(tx, {
    organizationId,
    type: indexComputedJob,
    key: organizationId,
    payload: { organizationId },
    at: now,
  })
}
