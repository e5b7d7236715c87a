/** Rows of import runs and of their journals. */
import type { ChangeRequestId, ImportRunId, OrganizationId, PageId, SpaceId, UserId } from '../../core/ids.js'
import type { Actor } from '../../access/signin/actor.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { Row, RowUpdate } from '../../store/db/tables.js'

export type ImportRunRow = Row<'import_runs'>
export type ImportRunKey = Pick<ImportRunRow, 'organization_id' | 'id'>

/** The parameters of a run: source, target and user. */
export interface ImportRunInput {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
  readonly changeRequestId: ChangeRequestId | null
  readonly pageId: PageId | null
  readonly userId: UserId
  readonly source: string
  readonly url: string
  readonly split?: ImportRunRow['split'] | undefined
  readonly mode: ImportRunRow['mode']
  /** The session or token that authorizes a resume after the process ended; null when the run cannot be resumed. */
  readonly credential: Pick<Actor, 'by' | 'credentialId'> | null
}

/** Milliseconds without a heartbeat after which no process is running the import. */
export const heartbeatTimeout = 15_000
/** Milliseconds within which an interrupted import can be resumed; its journal is retained a little longer. */
export const resumeWindow = 20 * 60 * 60 * 1_000

/** The columns in which two runs of the same import are equal. */
type RunIdentity = Pick<
  ImportRunRow,
  'organization_id' | 'space_id' | 'change_request_id' | 'page_id' | 'user_id' | 'source' | 'url' | 'mode'
>

function runIdentityOf(order: ImportRunInput): RunIdentity {
  return {
    organization_id: order.organizationId,
    space_id: order.spaceId,
    change_request_id: order.changeRequestId,
    page_id: order.pageId,
    user_id: order.userId,
    source: order.source,
    url: order.url,
    mode: order.mode,
  }
}

export function insertRun(
  tx: Tx,
  id: ImportRunId,
  order: ImportRunInput,
  now: number,
): Promise<ImportRunRow> {
  return tx
    .insertInto('import_runs')
    .values({
      ...runIdentityOf(order),
      id,
      split: order.split ?? null,
      credential_type: order.credential?.by ?? null,
      credential_id: order.credential?.credentialId ?? null,
      status: 'in-progress',
      began_at: now,
      beat_at: now,
      ended_at: null,
      revision_id: null,
      result: null,
      error: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function findRun(
  db: Db,
  { organization_id: organizationId, id: spaceId }: { organization_id: OrganizationId; id: SpaceId },
  id: ImportRunId,
): Promise<ImportRunRow | undefined> {
  return db
    .selectFrom('import_runs')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Lists the runs of a space and its change requests, latest first. */
export function listRuns(
  db: Db,
  { organization_id: organizationId, id: spaceId }: { organization_id: OrganizationId; id: SpaceId },
  list: PageRequest,
): Promise<ListPage<ImportRunRow>> {
  const query = db
    .selectFrom('import_runs')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'began_at', type: 'integer', direction: 'desc' }],
    id: 'id',
  })
}

/** Counts the runs of an organization that a process is executing now. */
export async function countActiveRuns(db: Db, organizationId: OrganizationId, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('import_runs')
    .select(({ fn }) => fn.countAll<string | number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'in-progress')
    .where('beat_at', '>', now - heartbeatTimeout)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Updates an active run; returns undefined when it is no longer active. */
export function updateActiveRun(
  tx: Tx,
  { organization_id: organizationId, id }: ImportRunKey,
  change: RowUpdate<'import_runs'>,
): Promise<ImportRunRow | undefined> {
  return tx
    .updateTable('import_runs')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('status', '=', 'in-progress')
    .returningAll()
    .executeTakeFirst()
}

/** Selects the runs of the same import that started after a time. */
function selectSameRunsSince(db: Db, identity: RunIdentity, since: number) {
  return db
    .selectFrom('import_runs')
    .selectAll()
    .where('organization_id', '=', identity.organization_id)
    .where('space_id', '=', identity.space_id)
    .where('began_at', '>', since)
    .where('change_request_id', identity.change_request_id === null ? 'is' : '=', identity.change_request_id)
    .where('page_id', identity.page_id === null ? 'is' : '=', identity.page_id)
    .where('user_id', '=', identity.user_id)
    .where('source', '=', identity.source)
    .where('url', '=', identity.url)
    .where('mode', '=', identity.mode)
}

/** Finds the latest active run of the same import. */
export function findSameActiveRun(
  db: Db,
  order: ImportRunInput,
  since: number,
): Promise<ImportRunRow | undefined> {
  return selectSameRunsSince(db, runIdentityOf(order), since)
    .where('status', '=', 'in-progress')
    .orderBy('began_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Finds a later run of the same import that is active or completed. */
export function findLaterRun(db: Db, row: ImportRunRow): Promise<ImportRunRow | undefined> {
  return selectSameRunsSince(db, row, row.began_at)
    .where('status', 'in', ['in-progress', 'completed'])
    .limit(1)
    .executeTakeFirst()
}

/** Finds the latest earlier run of the same import, since a time, that failed or stopped sending heartbeats. */
export function findInterruptedRun(
  db: Db,
  row: ImportRunRow,
  { now, since }: { readonly now: number; readonly since: number },
): Promise<ImportRunRow | undefined> {
  return selectSameRunsSince(db, row, since)
    .where('id', '!=', row.id)
    .where(({ eb, or, and }) =>
      or([
        eb('status', '=', 'failed'),
        and([eb('status', '=', 'in-progress'), eb('beat_at', '<=', now - heartbeatTimeout)]),
      ]),
    )
    .orderBy('began_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** The journal entry of one URL, by its hashed key. */
export interface FetchRow {
  readonly name: string
  readonly fetched: string
}

export async function insertFetches(
  tx: Tx,
  { organization_id, space_id, id }: Pick<ImportRunRow, 'organization_id' | 'space_id' | 'id'>,
  fetches: readonly FetchRow[],
  now: number,
): Promise<void> {
  await tx
    .insertInto('import_fetches')
    .values(
      fetches.map(({ name, fetched }) => ({
        organization_id,
        space_id,
        run_id: id,
        name,
        fetched,
        fetched_at: now,
      })),
    )
    .onConflict((conflict) => conflict.columns(['organization_id', 'run_id', 'name']).doNothing())
    .execute()
}

/** Moves the journal of one run to another. */
export async function moveFetches(
  tx: Tx,
  { organization_id: organizationId, id: from }: ImportRunKey,
  to: ImportRunId,
): Promise<void> {
  await tx
    .updateTable('import_fetches')
    .set({ run_id: to })
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', from)
    .execute()
}

export async function listFetches(
  db: Db,
  { organization_id: organizationId, id }: ImportRunKey,
): Promise<readonly FetchRow[]> {
  return db
    .selectFrom('import_fetches')
    .select(['name', 'fetched'])
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', id)
    .execute()
}

export async function deleteFetches(
  tx: Tx,
  { organization_id: organizationId, id }: ImportRunKey,
): Promise<void> {
  await tx
    .deleteFrom('import_fetches')
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', id)
    .execute()
}
