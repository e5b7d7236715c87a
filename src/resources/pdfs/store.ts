/** Rows of PDFs: what was asked for, how far it is, and where its bytes lie. */
import type { Hash, OrganizationId, SpaceId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import type { NewRow, Row, RowUpdate } from '../../store/db/tables.js'

export type PdfRow = Row<'pdfs'>

/** What names a PDF; the key follows from all that is in it. */
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

/** Answers how many PDFs of an organization are being made, or wait for it. */
export async function countUnfinished(db: Db, organizationId: OrganizationId): Promise<number> {
  const { count } = await db
    .selectFrom('pdfs')
    .select(({ fn }) => fn.countAll<string | number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('state', 'in', ['pending', 'progress'])
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Writes what was asked for, in the place of an earlier asking that came to nothing. */
export async function putPdf(tx: Tx, row: NewRow<'pdfs'>): Promise<void> {
  await tx
    .insertInto('pdfs')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organization_id', 'space_id', 'key']).doUpdateSet(row))
    .execute()
}

/** Changes a PDF that is not complete; answers false where it is, or is gone. */
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

/** Forgets a PDF whose bytes are gone, so that it is made once more. */
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
