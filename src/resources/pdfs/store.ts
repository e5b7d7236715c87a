/** Table of PDF exports: request, progress, and the hash of the stored bytes. */
import type { Hash, OrganizationId, SpaceId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import type { NewRow, Row, RowUpdate } from '../../store/db/tables.js'

export type PdfRow = Row<'pdfs'>

/** Primary key of a PDF; `key` is derived from its content. */
export interface PdfKey {
  readonly organization_id: OrganizationId
  readonly space_id: SpaceId
  readonly key: string
}

export function findPdf(db: Db, { organization_id, space_id, key }: PdfKey): Promise<PdfRow | undefined> {
  return db
    .selectFrom('pdfs')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('space_id', '=', space_id)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Returns the number of PDFs of an organization that are pending or in progress. */
export async function countUnfinished(db: Db, organizationId: OrganizationId): Promise<number> {
  const { count } = await db
    .selectFrom('pdfs')
    .select(({ fn }) => fn.countAll<string | number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('state', 'in', ['pending', 'progress'])
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Upserts a request, replacing an earlier failed one. */
export async function putPdf(tx: Tx, row: NewRow<'pdfs'>): Promise<void> {
  await tx
    .insertInto('pdfs')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organization_id', 'space_id', 'key']).doUpdateSet(row))
    .execute()
}

/** Updates a PDF that is not complete; returns false when it is complete or deleted. */
export async function updatePdf(
  tx: Tx,
  { organization_id, space_id, key }: PdfKey,
  change: RowUpdate<'pdfs'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('pdfs')
    .set(change)
    .where('organization_id', '=', organization_id)
    .where('space_id', '=', space_id)
    .where('key', '=', key)
    .where('state', '<>', 'complete')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes a PDF whose bytes are missing, so that it is generated again. */
export async function deletePdf(
  tx: Tx,
  { organization_id, space_id, key }: PdfKey,
  hash: Hash,
): Promise<void> {
  await tx
    .deleteFrom('pdfs')
    .where('organization_id', '=', organization_id)
    .where('space_id', '=', space_id)
    .where('key', '=', key)
    .where('hash', '=', hash)
    .execute()
}
