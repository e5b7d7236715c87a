/**
 * Marks of pages that a person has seen, kept in the browser. A mark is for one version of a page: a later edit makes the
 * page unseen again.
 */
import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
/** Parsed marks by the stored string, so that reading them returns the same object. */
let last: { readonly stored: string | null; readonly marks: Readonly<Record<string, string>> } | undefined

const keyOf = (space: string, change: number) => `octavo-seen:${space}:${change}`

function readMarks(key: string): Readonly<Record<string, string>> {
  const stored = localStorage.getItem(key)
  if (last?.stored !== stored) {
    let marks: Readonly<Record<string, string>> = {}
    try {
      marks = JSON.parse(stored ?? '{}') as Readonly<Record<string, string>>
    } catch {
      // Written by something else: nothing was seen.
    }
    last = { stored, marks }
  }
  return last.marks
}

/** Returns the version of each page that was seen, and a function that marks one, or takes its mark away. */
export function useSeenPages(
  space: string,
  change: number,
): [Readonly<Record<string, string>>, (page: string, version: string | undefined) => void] {
  const key = keyOf(space, change)
  const marks = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      window.addEventListener('storage', listener)
      return () => {
        listeners.delete(listener)
        window.removeEventListener('storage', listener)
      }
    },
    () => readMarks(key),
  )
  return [
    marks,
    (page, version) => {
      const { [page]: _, ...others } = readMarks(key)
      localStorage.setItem(
        key,
        JSON.stringify(version === undefined ? others : { ...others, [page]: version }),
      )
      for (const listener of listeners) listener()
    },
  ]
}

/** Returns a short fingerprint of a text. */
export function fingerprint(text: string): string {
  let hash = 5381
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 33) ^ text.charCodeAt(at)) >>> 0
  return hash.toString(36)
}
