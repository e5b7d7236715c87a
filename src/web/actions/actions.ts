/**
 * Table of actions (commands): name, keys, when it is available and what it does. Screens register theirs while they are
 * mounted; the palette, keyboard shortcuts and the help sheet are made from the same entries.
 */
import { useEffect, useSyncExternalStore } from 'react'
import type { IconName } from '../ui/icon.js'

export interface Action {
  readonly id: string
  readonly name: string
  readonly icon: IconName
  /** As `Mod+K`, `E`, or a sequence `G H`; Mod is Command on a Mac, Control elsewhere. */
  readonly keys?: string
  /** Further words that find it in the palette. */
  readonly keywords?: string
  /** It takes something away. */
  readonly isDanger?: boolean
  /** Why it cannot be done now. */
  readonly disabledReason?: string | undefined
  readonly run: () => void
}

const registered = new Map<symbol, readonly Action[]>()
const listeners = new Set<() => void>()
let all: readonly Action[] = []

function publish(): void {
  all = [...registered.values()].flat()
  for (const listener of listeners) listener()
}

/** Registers actions while the component is mounted; the array must be stable between renders, as by `useMemo`. */
export function useActions(actions: readonly Action[]): void {
  useEffect(() => {
    const key = Symbol('actions')
    registered.set(key, actions)
    publish()
    return () => {
      registered.delete(key)
      publish()
    }
  }, [actions])
}

export const useRegisteredActions = (): readonly Action[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => all,
  )

const isMac = /Mac|iP(?:hone|ad)/.test(navigator.platform)

/** Returns keys as they are printed on the keyboard of this machine. */
export function formatKeys(keys: string): string {
  return keys
    .split(' ')
    .map((chord) =>
      isMac
        ? chord.replace('Mod+', '⌘').replace('Shift+', '⇧').replace('Alt+', '⌥').replace('Enter', '↩')
        : chord.replace('Mod', 'Ctrl'),
    )
    .join(' ')
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

function chordOf(event: KeyboardEvent): string {
  const { key } = event
  const name = key.length === 1 ? key.toUpperCase() : key
  const isMod = isMac ? event.metaKey : event.ctrlKey
  // Shift is part of a printed character such as `?`.
  const shift = event.shiftKey && (key.length > 1 || /[a-z]/i.test(key))
  return `${isMod ? 'Mod+' : ''}${event.altKey ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${name}`
}

/** Runs actions by their keys. None fires while typing, but for chords with Mod; none while composing (IME). */
export function startShortcuts(): () => void {
  let first: { readonly chord: string; readonly at: number } | undefined
  const listen = (event: KeyboardEvent) => {
    if (event.isComposing || event.defaultPrevented) return
    const chord = chordOf(event)
    if (isTyping(event.target) && !chord.startsWith('Mod+')) return
    // A toast is a dialog by its role; it waits for nothing.
    if (
      document.querySelector(':is([role="dialog"], [role="alertdialog"], [role="menu"]):not(.toast)') !== null
    )
      return
    const sequence =
      first !== undefined && event.timeStamp - first.at < 1000 ? `${first.chord} ${chord}` : undefined
    const find = (keys: string) => all.find((one) => one.keys === keys)
    const action = (sequence === undefined ? undefined : find(sequence)) ?? find(chord)
    first = { chord, at: event.timeStamp }
    if (action === undefined) return
    event.preventDefault()
    if (action.disabledReason === undefined) action.run()
  }
  window.addEventListener('keydown', listen)
  return () => window.removeEventListener('keydown', listen)
}
