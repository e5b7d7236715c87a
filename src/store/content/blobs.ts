/** Rows that reference uploaded files of an organization; the bytes are outside of the database. */
import { sql } from 'kysely'
import { ApiError } from '../../contract/errors.js'
import type { Hash, OrganizationId } from '../../core/ids.js'
import { ago, present } from '../db/clock.js'
import { type Db, type Tx, engineOf } from '../db/database.js'
import { putPrecision } from '../files/gc-grace.js'
import type { FileStorage } from '../files/storage.js'

/** Any fixed number: the key of our PostgreSQL advisory lock. */
const lock = 7_061_985

/**
 * Prevents the deletion of uploaded files, or for the deletion prevents writes of their rows, until the transaction
 * ends. On SQLite there is only one writer anyway.
 */
export async function lockFiles(tx: Tx, use: 'name' | 'remove'): Promise<void> {
  if (engineOf(tx) === 'sqlite') return
  const take = sql.raw(use === 'name' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  await sql`select ${take}(${sql.lit(lock)})`.execute(tx)
}

/**
 * Returns whether the organization references these bytes and put them recently, so that they need not be put again;
 * referenced bytes are on disk.
 */
export async function hasRecentBlob(db: Db, organizationId: OrganizationId, hash: Hash): Promise<boolean> {
  const row = await db
    .selectFrom('blobs')
    .select('hash')
    .where('organization_id', '=', organizationId)
    .where('hash', '=', hash)
    .where('put_at', '>', ago(db, putPrecision))
    .executeTakeFirst()
  return row !== undefined
}

/**
 * References stored bytes for the organization; throws 409 when they were deleted since, which takes a week between
 * storing them and this call.
 */
export async function insertBlobs(
  tx: Tx,
  storage: FileStorage,
  organizationId: OrganizationId,
  files: readonly { readonly hash: Hash; readonly size: number }[],
  now: number,
): Promise<void> {
  if (files.length === 0) return
  await lockFiles(tx, 'name')
  const distinct = [...new Map(files.map((file) => [file.hash, file])).values()]
  for (const { hash } of distinct) {
    if ((await storage.findSize(hash)) === undefined) throw new ApiError('upload_lost')
  }
  for (let at = 0; at < distinct.length; at += 256) {
    const rows = distinct.slice(at, at + 256).map(({ hash, size }) => {
      return { organization_id: organizationId, hash, size, created_at: now, put_at: present(tx) }
    })
    await tx
      .insertInto('blobs')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['organization_id', 'hash'])
          .doUpdateSet({ put_at: (is) => is.ref('excluded.put_at') }),
      )
      .execute()
  }
}
