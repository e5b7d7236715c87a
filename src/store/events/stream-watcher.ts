/**
 * Who has something open and wants to know when something happens there. The process looks twice a second whether
 * anything at all was committed, by whichever process, and only then asks the streams that are watched how far they are:
 * what nobody watches costs nothing, and a stream that a hundred watch is asked once.
 */
import type { OrganizationId } from '../../core/ids.js'
import type { DataVersion } from '../db/commits.js'
import type { Database } from '../db/database.js'
import { findLastNumber } from './rows.js'

export interface WatchedStream {
  readonly organizationId: OrganizationId
  /** Id of a space or a site. */
  readonly stream: string
}

export interface StreamWatcher {
  /** Begins to watch for somebody; undefined where they, or all together, watch as much as they may. */
  watch(who: string, stream: WatchedStream): Watch | undefined
  /** Ends all watches: the process stops. */
  close(): void
}

export interface Watch {
  /** Waits until something is there behind the number, or the time is over, or the watch ends; true for the first. */
  wait(number: number, milliseconds: number): Promise<boolean>
  readonly hasEnded: boolean
  /** Lets go of it. */
  end(): void
}

/** Watches of one person, and of all together in this process. */
export const maxWatches = { ofOne: 20, ofAll: 2_000 } as const
/** Milliseconds between two looks. */
const pause = 500

interface Stream extends WatchedStream {
  last: number
  readonly wakers: Set<() => void>
  watches: number
}

export function createStreamWatcher(database: Pick<Database, 'read' | 'currentVersion'>): StreamWatcher {
  const streams = new Map<string, Stream>()
  const ofOne = new Map<string, number>()
  let all = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let seen: DataVersion | undefined

  async function poll(): Promise<void> {
    try {
      const moment = await database.currentVersion()
      if (moment === seen) return
      for (const stream of streams.values()) {
        const last = await findLastNumber(database.read, stream)
        if (last === stream.last) continue
        stream.last = last
        for (const wake of stream.wakers) wake()
      }
      seen = moment
    } catch {
      // The database is away: the next look finds what happened meanwhile.
    }
  }

  function scheduleNextPoll(): void {
    if (all === 0 || isClosed) return void (timer = undefined)
    timer = setTimeout(() => void poll().then(scheduleNextPoll), pause)
    timer.unref()
  }

  return {
    watch(who, { organizationId, stream: name }) {
      const known = ofOne.get(who) ?? 0
      if (isClosed || known >= maxWatches.ofOne || all >= maxWatches.ofAll) return undefined
      const key = `${organizationId} ${name}`
      const stream = streams.get(key) ?? {
        organizationId,
        stream: name,
        last: -1,
        wakers: new Set(),
        watches: 0,
      }
      streams.set(key, stream)
      stream.watches += 1
      ofOne.set(who, known + 1)
      all += 1
      // A stream that was not watched may be anywhere.
      seen = undefined
      if (timer === undefined) scheduleNextPoll()
      let hasEnded = false
      return {
        get hasEnded() {
          return hasEnded || isClosed
        },
        wait: (number, milliseconds) =>
          new Promise((resolve) => {
            const isThere = () => stream.last !== -1 && stream.last !== number
            if (hasEnded || isClosed || isThere()) return resolve(isThere())
            const wake = () => {
              clearTimeout(timeout)
              stream.wakers.delete(wake)
              resolve(isThere())
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
          const left = ofOne.get(who)! - 1
          if (left === 0) ofOne.delete(who)
          else ofOne.set(who, left)
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
