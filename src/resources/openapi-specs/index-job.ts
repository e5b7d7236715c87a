/** What follows from specifications that change, written to the outbox by the same transaction. */
import type { OrganizationId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { enqueue } from '../../store/jobs/outbox.js'

/** Brings up the search indexes of spaces whose pages are made of specifications: its organization. */
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
