/**
 * Garbage collection of uploaded files: deletes those that no organization references (never referenced, or not any
 * more), and their derived files.
 *
 * The bytes are outside of the database, so three rules protect a file that is being uploaded. Every put renews the
 * file's time, and only files older than the grace period are deleted. The writer of the referencing row checks, under a
 * lock that excludes the deletion, that the file exists (`lockFiles`). And the deletion checks the rows and the time
 * again under that lock. So a put before that check renews the time, and one after it is checked once the deletion is
 * over.
 */
import type { Hash } from '../../core/ids.js'
import { acrossOrganizations } from '../db/cross-tenant.js'
import { noLocks } from '../db/lock-scope.js'
import type { Database, Db } from '../db/database.js'
import { lockFiles } from '../content/blobs.js'
import type { FileStorage } from '../files/storage.js'
import type { Milliseconds } from '../db/columns.js'
import { grace } from '../files/gc-grace.js'

export interface FileCollection {
  readonly database: Database
  readonly files: FileStorage
  readonly now: () => Milliseconds
  readonly signal: AbortSignal
}

const filesPerQuery = 200

/** Returns the number of deleted files, and their bytes. */
export async function collectFiles(collection: FileCollection): Promise<{ files: number; bytes: number }> {
  const { files, now, signal } = collection
  const removed = { files: 0, bytes: 0 }
  let old: Hash[] = []
  for await (const { hash, storedAt } of files.list()) {
    signal.throwIfAborted()
    if (storedAt < now() - grace) old.push(hash)
    if (old.length < filesPerQuery) continue
    await removeUnreferenced(collection, old, removed)
    old = []
  }
  await removeUnreferenced(collection, old, removed)
  await removeDerived(collection)
  return removed
}

/** Deletes derived files whose original is gone, also when they were made during its deletion. */
async function removeDerived({ files, signal }: FileCollection): Promise<void> {
  for await (const of of files.derived.list()) {
    signal.throwIfAborted()
    if ((await files.findSize(of)) === undefined) await files.derived.delete(of)
  }
}

async function removeUnreferenced(
  { database, files, now }: FileCollection,
  hashes: readonly Hash[],
  removed: { files: number; bytes: number },
): Promise<void> {
  const referenced = await findReferenced(database.read, hashes)
  for (const hash of hashes) {
    if (referenced.has(hash)) continue
    const size = await database.writeWithLocks(noLocks, async (tx) => {
      await lockFiles(tx, 'remove')
      const found = await files.find(hash)
      if (found === undefined || found.storedAt >= now() - grace) return undefined
      if ((await findReferenced(tx, [hash])).size > 0) return undefined
      await files.delete(hash)
      return found.size
    })
    if (size === undefined) continue
    removed.files += 1
    removed.bytes += size
  }
}

async function findReferenced(db: Db, hashes: readonly Hash[]): Promise<ReadonlySet<Hash>> {
  if (hashes.length === 0) return new Set()
  const rows = await acrossOrganizations(db, 'files are shared by all organizations')
    .selectFrom('blobs')
    .select('hash')
    .where('hash', 'in', hashes)
    .execute()
  return new Set(rows.map(({ hash }) => hash))
}
