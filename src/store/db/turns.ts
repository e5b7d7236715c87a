/**
 * Turns: who of this process holds which locks, and who waits for them in which order.
 *
 * PostgreSQL's own locks keep processes apart; within one, writers wait here, so that those who wait take no
 * connection from those who read. First come, first served, so neither kind of holder starves the other.
 */
import type { Lock } from './hold.js'

export interface Turns {
  /** Resolves with what gives them back when all locks are held; rejects when one was not had in time. */
  take(locks: readonly Lock[]): Promise<() => void>
}

/** Somebody waited for longer than anybody should. */
export class WaitedTooLong extends Error {}

interface Waiting {
  readonly isShared: boolean
  admit(): void
}

interface Line {
  holders: number
  isShared: boolean
  readonly waiting: Waiting[]
}

export function createTurns(patience: number): Turns {
  const lines = new Map<string, Line>()

  function admit(line: Line, isShared: boolean): boolean {
    if (line.holders > 0 && !(isShared && line.isShared)) return false
    line.holders += 1
    line.isShared = isShared
    return true
  }

  async function takeOne({ name, isShared }: Lock): Promise<void> {
    let line = lines.get(name)
    if (line === undefined) lines.set(name, (line = { holders: 0, isShared: false, waiting: [] }))
    if (line.waiting.length === 0 && admit(line, isShared)) return
    const { waiting } = line
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(one), 1)
        // Those behind may have waited for this one alone.
        goOn(name, line)
        reject(new WaitedTooLong(`No turn at ${name} for ${patience} ms`))
      }, patience)
      const one: Waiting = {
        isShared,
        admit() {
          clearTimeout(timer)
          resolve()
        },
      }
      waiting.push(one)
    })
  }

  function goOn(name: string, line: Line): void {
    for (
      let next = line.waiting[0];
      next !== undefined && admit(line, next.isShared);
      [next] = line.waiting
    ) {
      line.waiting.shift()
      next.admit()
    }
    if (line.holders === 0) lines.delete(name)
  }

  function giveBack(locks: readonly Lock[]): void {
    for (const { name } of locks) {
      const line = lines.get(name)!
      line.holders -= 1
      goOn(name, line)
    }
  }

  return {
    async take(locks) {
      const taken: Lock[] = []
      try {
        for (const lock of locks) {
          await takeOne(lock)
          taken.push(lock)
        }
      } catch (error) {
        giveBack(taken)
        throw error
      }
      return () => giveBack(taken)
    },
  }
}
