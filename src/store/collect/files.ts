/**
 * Removes uploaded bytes that no organization holds: what was uploaded and never named, and what was given up; and
 * with them what was made of them.
 *
 * The bytes lie outside of the database, so three things keep a file that is being uploaded. Every put makes the
 * bytes young, and only those older than the grace are removed. Whoever writes the row that holds them looks, under
 * a lock that excludes the removal, whether they are there (`lockFiles`). And the removal looks at the rows and at
 * the age again under that lock. So a put before the removal's look makes the file young, and one after it is
 * looked for once the removal is over.
 */
import type { Hash } from '../../core/ids.js'
import { acrossOrganizations } from '../db/cross-tenant.js'
import { nothing } from '../db/hold.js'
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

/** Answers how many files were removed, and their bytes. */
export async function collectFiles(collection: FileCollection): Promise<{ files: number; bytes: number }> {
  const { files, now, signal } = collection
  const removed = { files: 0, bytes: 0 }
  let old: Hash[] = []
  for await (const { hash, storedAt } of files.list()) {
    signal.throwIfAborted()
    if (storedAt < now() - grace) old.push(hash)
    if (old.length < filesPerQuery) continue
    await removeUnheld(collection, old, removed)
    old = []
  }
  await removeUnheld(collection, old, removed)
  await removeDerived(collection)
  return removed
}

/** Removes what was made of files that are gone, also when it was made while they went. */
async function removeDerived({ files, signal }: FileCollection): Promise<void> {
  for await (const of of files.derived.list()) {
    signal.throwIfAborted()
    if ((await files.findSize(of)) === undefined) await files.derived.delete(of)
  }
}

async function removeUnheld(
  { database, files, now }: FileCollection,
  hashes: readonly Hash[],
  removed: { files: number; bytes: number },
): Promise<void> {
  const held = await findHeld(database.read, hashes)
  for (const hash of hashes) {
    if (held.has(hash)) continue
    const size = await database.writeHolding(nothing, async (tx) => {
      await lockFiles(tx, 'remove')
      const found = await files.find(hash)
      if (found === undefined || found.storedAt >= now() - grace) return undefined
      if ((await findHeld(tx, [hash])).size > 0) return undefined
      await files.delete(hash)
      return found.size
    })
    if (size === undefined) continue
    removed.files += 1
    removed.bytes += size
  }
}

async function findHeld(db: Db, hashes: readonly Hash[]): Promise<ReadonlySet<Hash>> {
  if (hashes.length === 0) return new Set()
  const rows = await acrossOrganizations(db, 'bytes are held while anybody holds them')
    .selectFrom('blobs')
    .select('hash')
    .where('hash', 'in', hashes)
    .execute()
  return new Set(rows.map(({ hash }) => hash))
}
