/** Table of visitor schemas: at most one per site. */
import type { Db, Tx } from '../../store/db/database.js'
import type { Row } from '../../store/db/tables.js'
import type { SiteKey } from './structure-store.js'

export type VisitorSchemaRow = Row<'site_visitor_schemas'>

export async function findVisitorSchema(
  db: Db,
  { organization_id: organizationId, id }: SiteKey,
): Promise<VisitorSchemaRow | undefined> {
  return db
    .selectFrom('site_visitor_schemas')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', id)
    .executeTakeFirst()
}

/** Stores a schema, replacing the previous one. */
export async function putVisitorSchema(tx: Tx, row: VisitorSchemaRow): Promise<VisitorSchemaRow> {
  const { json_schema, updated_at } = row
  return tx
    .insertInto('site_visitor_schemas')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'site_id']).doUpdateSet({ json_schema, updated_at }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}
