/**
 * Version of the app: a server that was updated has other files than the ones that this tab was loaded from. Asked when
 * the server was away, and when the tab comes to the front.
 */
import { useSyncExternalStore } from 'react'

const script = document.querySelector<HTMLScriptElement>('script[type=module][src*="/~octavo/app/"]')?.src
/** Milliseconds between two questions. */
const pause = 60_000

let isOutdated = false
let checkedAt = -pause
const listeners = new Set<() => void>()

/** Asks whether the server still has the files of this tab; `now` for a reason that does not wait. */
export async function checkAppVersion(now = false): Promise<void> {
  if (script === undefined || isOutdated || (!now && performance.now() - checkedAt < pause)) return
  checkedAt = performance.now()
  try {
    const { status } = await fetch(script, { method: 'HEAD', cache: 'no-store' })
    isOutdated = status === 404
  } catch {
    // Asked again later.
    checkedAt = -pause
  }
  if (isOutdated) for (const listener of listeners) listener()
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void checkAppVersion()
})

export const useIsAppOutdated = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isOutdated,
  )
