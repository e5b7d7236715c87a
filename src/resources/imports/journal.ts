/** What is kept of a website while it is read: texts among the objects, bytes among the files, and notes of what came of each address. */
import type { OrganizationId } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'
import { insertBlobs } from '../../store/content/blobs.js'
import { hashOf } from '../../store/content/encoding.js'
import { noLocks } from '../../store/db/lock-scope.js'
import { createStage } from './object-writer.js'
import type { FetchRow } from './store.js'
import type { Fetched } from './website/crawl.js'
import type { StoredImage } from './website/images.js'
import type { WebsiteJournal } from './website/read-website.js'

/** Where notes are kept for those who go on; nowhere, where nobody can. */
export interface Notes {
  list(): Promise<readonly FetchRow[]>
  write(fetches: readonly FetchRow[]): Promise<void>
}

export interface OpenJournal extends WebsiteJournal {
  /** Writes what is waiting, as far as that is possible. */
  close(): Promise<void>
}

/** Fetched things that are written at a time, and milliseconds that one waits for that. */
const fetchesPerWrite = 25
const longestWait = 1_000

/** Returns a journal that writes a few things at a time: texts before what names them. */
export async function openJournal(
  { database, files }: Pick<Services, 'database' | 'files'>,
  organizationId: OrganizationId,
  now: () => number,
  notes?: Notes,
): Promise<OpenJournal> {
  const stage = createStage(database, organizationId)
  const known = new Map<string, Fetched>()
  const images = new Map<string, StoredImage>()
  for (const { fetched } of (await notes?.list()) ?? []) {
    const { page, image, value } = JSON.parse(fetched) as Kept
    if (page !== undefined) known.set(page, value as Fetched)
    if (image !== undefined) images.set(image, value as StoredImage)
  }
  let waiting: FetchRow[] = []
  let since = performance.now()
  let writing: Promise<void> = Promise.resolve()

  async function flush(): Promise<void> {
    const fetches = waiting
    waiting = []
    since = performance.now()
    await stage.flush()
    if (fetches.length > 0) await notes?.write(fetches)
  }

  async function note(kept: Kept): Promise<void> {
    const name = hashOf(Buffer.from(`${kept.page ?? ''}\n${kept.image ?? ''}`))
    waiting.push({ name, fetched: JSON.stringify(kept) })
    if (waiting.length < fetchesPerWrite && performance.now() - since < longestWait) return
    await flush()
  }

  /** One after the other: nothing is named before it is written. */
  const inLine = (work: () => Promise<void>): Promise<void> => (writing = writing.then(work))

  return {
    known,
    images,
    async keep(key, fetched, text) {
      known.set(key, fetched)
      await inLine(async () => {
        if (text !== undefined && fetched.kind === 'page') await stage.add(fetched.text, text)
        await note({ page: key, value: fetched })
      })
    },
    async keepImage(address, image) {
      images.set(address, image)
      await inLine(() => note({ image: address, value: image }))
    },
    async keepFile(name, bytes) {
      const { hash, size } = await files.put(bytes)
      await database.writeWithLocks(noLocks, (tx) =>
        insertBlobs(tx, files, organizationId, [{ hash, size }], now()),
      )
      return { name, hash, size }
    },
    settle: () => inLine(flush),
    close: () => inLine(flush).catch(() => {}),
  }
}

interface Kept {
  readonly page?: string
  readonly image?: string
  readonly value: Fetched | StoredImage
}
