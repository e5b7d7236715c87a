/** Which organization holds which uploaded bytes: the rows beside the bytes, which lie outside of the database. */
import { sql } from 'kysely'
import { ApiError } from '../../contract/errors.js'
import type { Hash, OrganizationId } from '../../core/ids.js'
import { ago, present } from '../db/clock.js'
import { type Db, type Tx, engineOf } from '../db/database.js'
import { putPrecision } from '../files/gc-grace.js'
import type { FileStorage } from '../files/storage.js'

/** Any fixed number: names our lock among PostgreSQL's advisory locks. */
const lock = 7_061_985

/**
 * Keeps uploaded bytes from being removed, or for the removal keeps their rows from being written, until the
 * transaction ends. On SQLite a transaction that writes is alone anyway.
 */
export async function lockFiles(tx: Tx, use: 'name' | 'remove'): Promise<void> {
  if (engineOf(tx) === 'sqlite') return
  const take = sql.raw(use === 'name' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  await sql`select ${take}(${sql.lit(lock)})`.execute(tx)
}

/**
 * Tells whether the organization holds these bytes and put them a short time ago, so that they need not be put again;
 * what is remembered there is on disk.
 */
export async function holdsBlob(db: Db, organizationId: OrganizationId, hash: Hash): Promise<boolean> {
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
 * Remembers that the organization holds these bytes, which are stored; throws 409 when they were removed since,
 * which takes a week between storing them and this.
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
