/** Batched writes of content-addressed objects: a few hundred at a time, each batch in its own transaction. */
import type { Hash, OrganizationId } from '../../core/ids.js'
import { scheduleCollection } from '../../store/collect/gc-triggers.js'
import { noObjectCache } from '../../store/content/objects.js'
import { createSink } from '../../store/content/sink.js'
import type { Database } from '../../store/db/database.js'
import { readClock } from '../../store/db/clock.js'
import { noLocks } from '../../store/db/lock-scope.js'

export interface ObjectWriter {
  /** Adds an object with a known hash, and its encoded links; writes the pending batch once it is large enough. */
  add(hash: Hash, bytes: Uint8Array, links?: Uint8Array): Promise<void>
  /** Writes the pending objects. */
  flush(): Promise<void>
}

/** Small enough that other writers do not wait long. */
const objectsPerWrite = 128
const bytesPerWrite = 4 << 20

export function createObjectWriter(database: Database, organizationId: OrganizationId): ObjectWriter {
  // Objects of an import are read only once more, by the indexer: they must not evict the objects that readers use.
  let pending = new Map<Hash, { readonly bytes: Uint8Array; readonly links: Uint8Array | undefined }>()
  let size = 0
  let isCollectionScheduled = false

  async function flush(): Promise<void> {
    if (pending.size === 0) return
    const objects = [...pending]
    pending = new Map()
    size = 0
    await database.writeInBulk(noLocks, async (tx) => {
      // If the import stops half-way, nothing references these objects.
      if (!isCollectionScheduled) await scheduleCollection(tx, organizationId, await readClock(tx))
      // Created again when the database retries the transaction.
      const sink = createSink(organizationId, noObjectCache)
      for (const [hash, { bytes, links }] of objects) {
        sink.putBytes(bytes)
        if (links !== undefined) sink.noteLinks(hash, links)
      }
      await sink.flush(tx)
    })
    isCollectionScheduled = true
  }

  return {
    flush,
    async add(hash, bytes, links) {
      if (pending.has(hash)) return
      pending.set(hash, { bytes, links })
      size += bytes.length
      if (pending.size >= objectsPerWrite || size >= bytesPerWrite) await flush()
    },
  }
}
