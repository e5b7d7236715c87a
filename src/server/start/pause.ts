/** Time that passes, for work that waits for others. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Waits; throws when the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal })
}
