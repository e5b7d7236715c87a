/** Retention of backups: deletes old manifests, then the data that no other manifest names. */
import type { Hash } from '../../core/ids.js'
import { readChunks } from './create-backup.js'
import type { Repository } from './repository.js'

const day = 24 * 60 * 60 * 1000

/** Deletes all but the newest backups; resolves with the number of deleted ones. */
export async function pruneBackups(repository: Repository, retained: number, now: number): Promise<number> {
  const names = await repository.listSnapshots()
  const obsolete = names.slice(0, Math.max(0, names.length - retained))
  if (obsolete.length === 0) return 0
  for (const name of obsolete) await repository.deleteManifest(name)
  const used = new Set<Hash>()
  for (const name of names.slice(obsolete.length)) {
    const { tables, fileChunks } = await repository.readManifest(name)
    for (const hash of [...fileChunks, ...tables.flatMap(({ chunks }) => chunks)]) used.add(hash)
    for await (const [, stored] of readChunks(repository, fileChunks)) used.add(stored as Hash)
  }
  for await (const { hash, storedAt } of repository.data.list()) {
    // A concurrent backup has stored chunks that its manifest will name.
    if (!used.has(hash) && now - storedAt > day) await repository.data.delete(hash)
  }
  return obsolete.length
}
