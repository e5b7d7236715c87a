/**
 * Rows that go to another organization. They are copied there and removed here: where rows are spread by organization,
 * other servers hold them there, and no row can be told to change its own. Parents are copied before what refers to
 * them, and what is removed takes along what refers to it.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { type Tx, engineOf } from './database.js'
import { tableFacts, tablesOfHistory } from './table-facts.js'
import type { Tables } from './tables.js'

export interface Handover {
  readonly from: OrganizationId
  readonly to: OrganizationId
}

/** Copies the rows for which the condition is true; removing them is the caller's. */
export async function copyToOrganization(
  tx: Tx,
  table: keyof Tables,
  { from, to }: Handover,
  condition: RawBuilder<SqlBool>,
): Promise<void> {
  const columns = await listColumns(tx, table)
  const values = columns.map((name) => (name === 'organization_id' ? sql`${to}` : sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    select ${sql.join(values)} from ${sql.table(table)}
    where organization_id = ${from} and ${condition}`.execute(tx)
}

/** Copies what belongs to the history of a space, whose own row is there already. */
export async function copyHistory(tx: Tx, spaceId: SpaceId, handover: Handover): Promise<void> {
  const ofChangeRequest = sql<SqlBool>`change_request_id in
    (select id from change_requests where organization_id = ${handover.from} and space_id = ${spaceId})`
  for (const table of tablesOfHistory) {
    const { ofSpace } = tableFacts[table]
    const condition = ofSpace === 'space_id' ? sql<SqlBool>`space_id = ${spaceId}` : ofChangeRequest
    await copyToOrganization(tx, table, handover, condition)
  }
}

/** Asked of the database, so that a new column goes along. */
async function listColumns(tx: Tx, table: keyof Tables): Promise<string[]> {
  const query =
    engineOf(tx) === 'sqlite'
      ? sql<{ name: string }>`select name from pragma_table_info(${table})`
      : sql<{ name: string }>`select attname as name from pg_attribute
          where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped order by attnum`
  return (await query.execute(tx)).rows.map(({ name }) => name)
}
