/** Watchdog job of imports: it runs until an import has ended, and resumes it when no process is running it. */
import type { ImportRunId, OrganizationId, SpaceId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { enqueue } from '../../store/jobs/outbox.js'
import type { ImportRunRow } from './store.js'

export const watchImportJob = 'watch-import'

/** The payload of the job. */
export interface WatchImportPayload {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
  readonly id: ImportRunId
}

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads {
    [watchImportJob]: WatchImportPayload
  }
}

/** Schedules a check of an import at a time. */
export async function watchImport(
  tx: Tx,
  { organization_id: organizationId, space_id: spaceId, id }: ImportRunRow,
  { now, runAt }: { readonly now: number; readonly runAt: number },
): Promise<void> {
  const payload = { organizationId, spaceId, id }
  await enqueue(tx, { organizationId, type: watchImportJob, key: id, payload, at: now, runAt })
}
