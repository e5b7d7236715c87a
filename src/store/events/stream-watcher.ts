/**
 * Watches of event streams (long polling). The process polls twice a second whether any process has committed anything, and
 * only then queries the watched streams: unwatched streams cost nothing, and a stream with a hundred watches is queried
 * once.
 */
import type { OrganizationId } from '../../core/ids.js'
import type { DataVersion } from '../db/commits.js'
import type { Database, Db } from '../db/database.js'
import { findLastNumber, findLastNumbers } from './rows.js'

export interface WatchedStream {
  readonly organizationId: OrganizationId
  /** Id of a space or a site; null for all streams of the organization. */
  readonly stream: string | null
}

export interface StreamWatcher {
  /** Starts a watch for a client; returns undefined at the limit of the client or the process. */
  watch(who: string, stream: WatchedStream): Watch | undefined
  /** Ends all watches, when the process stops. */
  close(): void
}

export interface Watch {
  /** Waits for an event after the number, a timeout, or the end of the watch; returns true for the first. */
  wait(number: number, milliseconds: number): Promise<boolean>
  readonly hasEnded: boolean
  /** Ends the watch. */
  end(): void
}

/** Maximum number of watches of one client, and of this process. */
export const maxWatches = { ofOne: 20, ofAll: 2_000 } as const
/** Milliseconds between two polls. */
const pollInterval = 500

interface Stream extends WatchedStream {
  last: number
  readonly wakers: Set<() => void>
  watches: number
}

/** Returns the last number of a stream; of all streams their sum, which changes with each event. */
async function findPosition(db: Db, { organizationId, stream }: WatchedStream): Promise<number> {
  if (stream !== null) return findLastNumber(db, { organizationId, stream })
  return [...(await findLastNumbers(db, organizationId)).values()].reduce((sum, number) => sum + number, 0)
}

export function createStreamWatcher(database: Pick<Database, 'read' | 'currentVersion'>): StreamWatcher {
  const streams = new Map<string, Stream>()
  const ofOne = new Map<string, number>()
  let all = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let polledVersion: DataVersion | undefined

  async function poll(): Promise<void> {
    try {
      const version = await database.currentVersion()
      if (version === polledVersion) return
      for (const stream of streams.values()) {
        const last = await findPosition(database.read, stream)
        if (last === stream.last) continue
        stream.last = last
        for (const wake of stream.wakers) wake()
      }
      polledVersion = version
    } catch {
      // The database is unavailable: the next poll finds what happened meanwhile.
    }
  }

  function scheduleNextPoll(): void {
    if (all === 0 || isClosed) return void (timer = undefined)
    timer = setTimeout(() => void poll().then(scheduleNextPoll), pollInterval)
    timer.unref()
  }

  return {
    watch(client, { organizationId, stream: name }) {
      const known = ofOne.get(client) ?? 0
      if (isClosed || known >= maxWatches.ofOne || all >= maxWatches.ofAll) return undefined
      const key = `${organizationId} ${name ?? ''}`
      const stream = streams.get(key) ?? {
        organizationId,
        stream: name,
        last: -1,
        wakers: new Set(),
        watches: 0,
      }
      streams.set(key, stream)
      stream.watches += 1
      ofOne.set(client, known + 1)
      all += 1
      // The position of a newly watched stream is unknown.
      polledVersion = undefined
      if (timer === undefined) scheduleNextPoll()
      let hasEnded = false
      return {
        get hasEnded() {
          return hasEnded || isClosed
        },
        wait: (number, milliseconds) =>
          new Promise((resolve) => {
            const hasEvents = () => stream.last !== -1 && stream.last !== number
            if (hasEnded || isClosed || hasEvents()) return resolve(hasEvents())
            const wake = () => {
              clearTimeout(timeout)
              stream.wakers.delete(wake)
              resolve(hasEvents())
            }
            const timeout = setTimeout(wake, milliseconds)
            stream.wakers.add(wake)
          }),
        end() {
          if (hasEnded) return
          hasEnded = true
          stream.watches -= 1
          if (stream.watches === 0) streams.delete(key)
          all -= 1
          const left = ofOne.get(client)! - 1
          if (left === 0) ofOne.delete(client)
          else ofOne.set(client, left)
        },
      }
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      for (const { wakers } of streams.values()) for (const wake of wakers) wake()
    },
  }
}
