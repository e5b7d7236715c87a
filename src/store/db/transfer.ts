/**
 * Transfer of rows to another organization: they are copied and then deleted, because with rows sharded by organization
 * a row cannot be updated to move to another server. Parents are copied before the rows that refer to them, and deletes
 * cascade.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { type Tx, engineOf } from './database.js'
import { tableFacts, tablesOfHistory } from './table-facts.js'
import type { Tables } from './tables.js'

export interface RowTransfer {
  readonly from: OrganizationId
  readonly to: OrganizationId
}

/** Copies the rows that match the condition; the caller deletes them. */
export async function copyToOrganization(
  tx: Tx,
  table: keyof Tables,
  { from, to }: RowTransfer,
  condition: RawBuilder<SqlBool>,
): Promise<void> {
  const columns = await listColumns(tx, table)
  const values = columns.map((name) => (name === 'organization_id' ? sql`${to}` : sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    select ${sql.join(values)} from ${sql.table(table)}
    where organization_id = ${from} and ${condition}`.execute(tx)
}

/** Copies the history of a space, whose own row has been copied already. */
export async function copyHistory(tx: Tx, spaceId: SpaceId, transfer: RowTransfer): Promise<void> {
  const ofChangeRequest = sql<SqlBool>`change_request_id in
    (select id from change_requests where organization_id = ${transfer.from} and space_id = ${spaceId})`
  for (const table of tablesOfHistory) {
    const { historyKey } = tableFacts[table]
    const condition = historyKey === 'space_id' ? sql<SqlBool>`space_id = ${spaceId}` : ofChangeRequest
    await copyToOrganization(tx, table, transfer, condition)
  }
}

/** Read from the database, so that new columns are included. */
async function listColumns(tx: Tx, table: keyof Tables): Promise<string[]> {
  const query =
    engineOf(tx) === 'sqlite'
      ? sql<{ name: string }>`select name from pragma_table_info(${table})`
      : sql<{ name: string }>`select attname as name from pg_attribute
          where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped order by attnum`
  return (await query.execute(tx)).rows.map(({ name }) => name)
}
