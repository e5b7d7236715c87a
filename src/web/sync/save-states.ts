/**
 * States of saving of the texts of this tab (external store). The header shows the worst of a change request, so that
 * "Saved" is true of all its pages, also of one that was left; React draws a change of it in the frame of the key.
 */
import { useSyncExternalStore } from 'react'
import type { Draft } from './journal.js'
import type { SaveState } from './text-session.js'

/** By key and client: a text may be opened again while its last save is on its way. */
const states = new Map<string, SaveState>()
const nameOf = ({ key, client }: Pick<Draft, 'key' | 'client'>): string => `${key} ${client}`
const listeners = new Set<() => void>()
/** How often a text of this tab was saved. */
let saves = 0
const allSaved: SaveState = { kind: 'saved', isMerged: false }

/** From the worst to the best. */
const severities = ['conflict', 'refused', 'signedOut', 'elsewhere', 'offline', 'saving', 'saved']
const severityOf = ({ kind }: SaveState): number => severities.indexOf(kind)

function publish(): void {
  for (const listener of listeners) listener()
}

export function setSaveState(session: Pick<Draft, 'key' | 'client'>, state: SaveState): void {
  // The last one is the newest.
  states.delete(nameOf(session))
  states.set(nameOf(session), state)
  if (state.kind === 'saved') saves++
  publish()
}

/** The text is closed without anything unsaved, or what was unsaved is thrown away. */
export function forgetSaveState(session: Pick<Draft, 'key' | 'client'>): void {
  if (states.delete(nameOf(session))) publish()
}

/** Returns the worst state of the texts whose keys begin like this, and of equal ones the newest. */
export function worstSaveState(below: string): SaveState {
  let worst = allSaved
  for (const [name, state] of states)
    if (name.startsWith(below) && severityOf(state) <= severityOf(worst)) worst = state
  return worst
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSaveState = (below: string): SaveState =>
  useSyncExternalStore(subscribe, () => worstSaveState(below))

/** Changes with each save. */
export const useSaveCount = (): number => useSyncExternalStore(subscribe, () => saves)
