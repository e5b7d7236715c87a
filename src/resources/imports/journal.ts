/**
 * Import journal (checkpoint) of a crawl: texts are stored as objects, files as blobs, and the result of each URL as
 * a row, so that an interrupted import resumes without fetching again.
 */
import type { OrganizationId } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'
import { insertBlobs } from '../../store/content/blobs.js'
import { hashOf } from '../../store/content/encoding.js'
import { noLocks } from '../../store/db/lock-scope.js'
import { createObjectWriter } from './object-writer.js'
import type { FetchRow } from './store.js'
import type { FetchResult } from './website/crawl.js'
import type { StoredImage } from './website/images.js'
import type { WebsiteJournal } from './website/read-website.js'

/** Persists journal entries for a resumed import; absent when the import cannot be resumed. */
export interface JournalStore {
  list(): Promise<readonly FetchRow[]>
  write(fetches: readonly FetchRow[]): Promise<void>
}

export interface OpenJournal extends WebsiteJournal {
  /** Writes pending entries; ignores failures. */
  close(): Promise<void>
}

/** Entries per write, and the maximum milliseconds that an entry stays pending. */
const fetchesPerWrite = 25
const maxWait = 1_000

/** Returns a journal that writes in batches: texts before the entries that reference them. */
export async function openJournal(
  { database, files }: Pick<Services, 'database' | 'files'>,
  organizationId: OrganizationId,
  now: () => number,
  store?: JournalStore,
): Promise<OpenJournal> {
  const objectWriter = createObjectWriter(database, organizationId)
  const results = new Map<string, FetchResult>()
  const images = new Map<string, StoredImage>()
  for (const { fetched } of (await store?.list()) ?? []) {
    const { page, image, value } = JSON.parse(fetched) as JournalEntry
    if (page !== undefined) results.set(page, value as FetchResult)
    if (image !== undefined) images.set(image, value as StoredImage)
  }
  let pending: FetchRow[] = []
  let lastFlush = performance.now()
  let writing: Promise<void> = Promise.resolve()

  async function flush(): Promise<void> {
    const fetches = pending
    pending = []
    lastFlush = performance.now()
    await objectWriter.flush()
    if (fetches.length > 0) await store?.write(fetches)
  }

  async function addEntry(entry: JournalEntry): Promise<void> {
    const name = hashOf(Buffer.from(`${entry.page ?? ''}\n${entry.image ?? ''}`))
    pending.push({ name, fetched: JSON.stringify(entry) })
    if (pending.length < fetchesPerWrite && performance.now() - lastFlush < maxWait) return
    await flush()
  }

  /** Serializes writes: nothing is referenced before it is written. */
  const enqueue = (work: () => Promise<void>): Promise<void> => (writing = writing.then(work))

  return {
    results,
    images,
    async recordResult(key, fetched, text) {
      results.set(key, fetched)
      await enqueue(async () => {
        if (text !== undefined && fetched.kind === 'page') await objectWriter.add(fetched.text, text)
        await addEntry({ page: key, value: fetched })
      })
    },
    async recordImage(address, image) {
      images.set(address, image)
      await enqueue(() => addEntry({ image: address, value: image }))
    },
    async storeFile(name, bytes) {
      const { hash, size } = await files.put(bytes)
      await database.writeWithLocks(noLocks, (tx) =>
        insertBlobs(tx, files, organizationId, [{ hash, size }], now()),
      )
      return { name, hash, size }
    },
    flush: () => enqueue(flush),
    close: () => enqueue(flush).catch(() => {}),
  }
}

interface JournalEntry {
  readonly page?: string
  readonly image?: string
  readonly value: FetchResult | StoredImage
}
