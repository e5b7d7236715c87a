/** Objects on their way into the database: written a few hundred at a time, in transactions of their own. */
import type { Hash, OrganizationId } from '../../core/ids.js'
import { scheduleCollection } from '../../store/collect/gc-triggers.js'
import { noObjectCache } from '../../store/content/objects.js'
import { createSink } from '../../store/content/sink.js'
import type { Database } from '../../store/db/database.js'
import { readClock } from '../../store/db/clock.js'
import { noLocks } from '../../store/db/lock-scope.js'

export interface ObjectWriter {
  /** Takes an object whose name is known, and what it says of links; writes what is waiting once it is enough. */
  add(hash: Hash, bytes: Uint8Array, links?: Uint8Array): Promise<void>
  /** Writes what is waiting. */
  flush(): Promise<void>
}

/** Small enough that no other writer waits for long. */
const objectsPerWrite = 128
const bytesPerWrite = 4 << 20

export function createObjectWriter(database: Database, organizationId: OrganizationId): ObjectWriter {
  // What an import writes is read once more, by the index: it must not push out what people read.
  let pending = new Map<Hash, { readonly bytes: Uint8Array; readonly links: Uint8Array | undefined }>()
  let size = 0
  let isCollectionScheduled = false

  async function flush(): Promise<void> {
    if (pending.size === 0) return
    const objects = [...pending]
    pending = new Map()
    size = 0
    await database.writeWithLocks(noLocks, async (tx) => {
      // Should the import stop half-way, nobody names these.
      if (!isCollectionScheduled) await scheduleCollection(tx, organizationId, await readClock(tx))
      // Made anew when the engine asks for the work again.
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
