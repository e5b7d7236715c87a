/**
 * Read-write locks of this process: FIFO queues by lock name.
 *
 * PostgreSQL's advisory locks exclude other processes; within one, writers wait in these queues, so that they take no
 * connection from readers. First come, first served, so neither shared nor exclusive requests starve.
 */
import type { Lock } from './lock-scope.js'

export interface LockQueues {
  /** Resolves with a function that releases the locks, once all are held; rejects with `LockTimeout`. */
  acquire(locks: readonly Lock[]): Promise<() => void>
}

/** A lock was not free within the timeout. */
export class LockTimeout extends Error {}

interface LockRequest {
  readonly isShared: boolean
  admit(): void
}

interface LockQueue {
  holders: number
  isShared: boolean
  readonly waiting: LockRequest[]
}

export function createLockQueues(timeout: number): LockQueues {
  const queues = new Map<string, LockQueue>()

  function admit(queue: LockQueue, isShared: boolean): boolean {
    if (queue.holders > 0 && !(isShared && queue.isShared)) return false
    queue.holders += 1
    queue.isShared = isShared
    return true
  }

  async function acquireOne({ name, isShared }: Lock): Promise<void> {
    let queue = queues.get(name)
    if (queue === undefined) queues.set(name, (queue = { holders: 0, isShared: false, waiting: [] }))
    if (queue.waiting.length === 0 && admit(queue, isShared)) return
    const { waiting } = queue
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(one), 1)
        // Later requests may have waited for this one alone.
        admitNext(name, queue)
        reject(new LockTimeout(`The lock of ${name} was not free for ${timeout} ms`))
      }, timeout)
      const one: LockRequest = {
        isShared,
        admit() {
          clearTimeout(timer)
          resolve()
        },
      }
      waiting.push(one)
    })
  }

  function admitNext(name: string, queue: LockQueue): void {
    for (
      let next = queue.waiting[0];
      next !== undefined && admit(queue, next.isShared);
      [next] = queue.waiting
    ) {
      queue.waiting.shift()
      next.admit()
    }
    if (queue.holders === 0) queues.delete(name)
  }

  function release(locks: readonly Lock[]): void {
    for (const { name } of locks) {
      const queue = queues.get(name)!
      queue.holders -= 1
      admitNext(name, queue)
    }
  }

  return {
    async acquire(locks) {
      const acquired: Lock[] = []
      try {
        for (const lock of locks) {
          await acquireOne(lock)
          acquired.push(lock)
        }
      } catch (error) {
        release(acquired)
        throw error
      }
      return () => release(acquired)
    },
  }
}
