/**
 * Object aging: simulates days in seconds for stored objects, so that the garbage collector runs beside the writers:
 * every few seconds each object becomes two days older, and the servers run a collection. A writer has half a minute
 * instead of the six days it may take in production. No day passes during a collection: it compares with the time at
 * which it began, so objects stored since would seem older than that. Unreferenced objects are stored repeatedly, to
 * check that they are collected.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { OrganizationId } from '../../src/core/ids.js'
import { scheduleCollection, collectObjectsJob } from '../../src/store/collect/gc-triggers.js'
import { hashOf } from '../../src/store/content/encoding.js'
import type { Database } from '../../src/store/db/database.js'
import { openDatabase } from '../../src/store/db/open.js'
import { noLocks } from '../../src/store/db/lock-scope.js'
import { grace } from '../../src/store/files/gc-grace.js'

const beat = 8_000
const olderByBeat = 2 * 24 * 60 * 60 * 1000
/** Beats until what was put is old enough, and some for the collector, whose servers are killed meanwhile. */
const beatsToGo = Math.ceil(grace / olderByBeat) + 4

export interface Aging {
  /** Ends it; answers how much of what should be gone by then was put and is gone. */
  stop(): Promise<{ readonly put: number; readonly gone: number }>
}

/** Starts aging in a database with running servers; skips a step where the database is unavailable. */
export async function startAging(
  data: string,
  url: string | undefined,
  organization: string,
): Promise<Aging> {
  const organizationId = organization as OrganizationId
  const database = await openDatabase({ dataFolder: data, url })
  const over = new AbortController()
  const unreferenced: { readonly hash: string; readonly beat: number }[] = []
  let beats = 0
  const working = (async () => {
    while (!over.signal.aborted) {
      const hash = await passDays(database, organizationId).catch(() => undefined)
      if (hash !== undefined) unreferenced.push({ hash, beat: (beats += 1) })
      await wait(beat, undefined, { signal: over.signal }).catch(() => {})
    }
  })()
  return {
    async stop() {
      over.abort()
      await working
      const old = unreferenced.filter((one) => one.beat <= beats - beatsToGo).map(({ hash }) => hash)
      const left = new Set<string>()
      for (const hash of old) if (await isThere(database, hash)) left.add(hash)
      await database.close()
      return { put: old.length, gone: old.length - left.size }
    },
  }
}

/**
 * Ages all objects, stores an unreferenced one, and schedules a collection of the organization; returns the stored object,
 * undefined during a collection.
 */
async function passDays(database: Database, organizationId: OrganizationId): Promise<string | undefined> {
  const now = Date.now()
  const bytes = randomBytes(64)
  const hash = hashOf(bytes)
  return database.writeWithLocks(noLocks, async (tx) => {
    const collecting = await tx
      .selectFrom('jobs')
      .select('id')
      .where('type', '=', collectObjectsJob)
      .where('claim', 'is not', null)
      .executeTakeFirst()
    if (collecting !== undefined) return undefined
    // First, as writers do: another order would deadlock.
    await scheduleCollection(tx, organizationId, now - grace)
    for (const table of ['objects', 'blobs'] as const)
      await tx
        .updateTable(table)
        .set(({ eb }) => ({ put_at: eb('put_at', '-', olderByBeat) }))
        .where('put_at', '>', now - grace)
        .execute()
    await tx
      .insertInto('objects')
      .values({ organization_id: organizationId, hash, bytes, put_at: now })
      .execute()
    return hash
  })
}

async function isThere(database: Database, hash: string): Promise<boolean> {
  const found = await database.read
    .selectFrom('objects')
    .select('hash')
    .where('hash', '=', hash as never)
    .executeTakeFirst()
  return found !== undefined
}
