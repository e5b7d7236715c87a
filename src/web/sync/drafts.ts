/**
 * Drafts of this browser: unsaved edits of the journal, and which of them were left by a tab that is gone, or on a page that
 * was left. Each open text holds the lock of its draft, so that no two tabs go on with the same one; the lock is free as
 * soon as its tab is gone, however it ended.
 */
import { applySplices } from '../../core/editing/splice.js'
import type { ContentSource } from '../api/queries.js'
import { type Draft, type StoredDraft, type TextKey, openJournal } from './journal.js'
import { answerClaims, claimDraft, isHeldElsewhere, tab } from './draft-claims.js'
import { forgetSaveState } from './save-states.js'
import { saveText } from './save-text.js'
import { TextSession } from './text-session.js'

export const journal = openJournal()

let openings = 0
/** Texts that are open in this tab, or whose last save is on its way. */
const openSessions = new Set<TextSession>()
/** What frees the locks of this tab, by client. */
const releases = new Map<string, () => void>()
const listeners = new Set<() => void>()
/** Milliseconds for a tab that is unloading to free its locks. A living one that has unsaved text costs as much. */
const unloading = 1000
/** Without locks, a tab that unloads says so to the one that is loaded in its place. */
const unloadedTab = readUnloadedTab()

function readUnloadedTab(): string | null {
  const name = 'octavo-unloaded-tab'
  window.addEventListener('pagehide', ({ persisted }) => !persisted && sessionStorage.setItem(name, tab))
  const unloaded = sessionStorage.getItem(name)
  sessionStorage.removeItem(name)
  return unloaded
}

/** The key of the text of a page; `below` is that of all pages of its content. */
export const textKeysOf = ({
  space,
  change,
}: {
  readonly space: string
  readonly change: number | undefined
}): { readonly below: string; readonly of: (page: string) => TextKey } => {
  const below = `${space}/${change ?? 'live'}/`
  return { below, of: (page) => below + page }
}

/** The page of a key. */
export const pageOfKey = (key: TextKey): string => key.split('/')[2] ?? ''

const lockOf = (client: string): string => `octavo-draft-${client}`

/** Takes the lock of a draft; false when another text had it until the signal. */
async function lockDraft(client: string, signal?: AbortSignal): Promise<boolean> {
  if (navigator.locks === undefined) {
    if (releases.has(client) || !(await claimDraft(client, ownerOf(client) === unloadedTab, signal)))
      return false
    releases.set(client, () => {})
    return true
  }
  return new Promise((resolve) => {
    navigator.locks
      .request(
        lockOf(client),
        { ...(signal && { signal }) },
        () =>
          new Promise<void>((release) => {
            releases.set(client, release)
            resolve(true)
          }),
      )
      .catch(() => resolve(false))
  })
}

/** The tab that wrote a draft. */
const ownerOf = (client: string): string | undefined => client.split('.')[0]

answerClaims({
  holds: (client) => releases.has(client),
  async giveUp(client) {
    const session = [...openSessions].find((one) => one.client === client)
    if (session === undefined) return
    openSessions.delete(session)
    await session.handOver()
    unlockDraft(client)
  },
})

export function unlockDraft(client: string): void {
  releases.get(client)?.()
  releases.delete(client)
  for (const listener of listeners) listener()
}

/** Returns a name for the server and the journal, unique for this tab and opening of a text, with its lock. */
export async function createClient(): Promise<string> {
  const client = `${tab}.${++openings}`
  // Without locks nobody else can have it.
  if (navigator.locks === undefined) releases.set(client, () => {})
  else await lockDraft(client)
  return client
}

export function openSession(session: TextSession): void {
  openSessions.add(session)
}

/** Saves the texts that are open in this tab, and fetches what was written elsewhere. */
export async function pullOpenTexts(): Promise<void> {
  await Promise.all([...openSessions].map((session) => session.pull()))
}

/** Ends a session once its last save has an answer; what could not be saved is left in the journal. */
export async function closeSession(session: TextSession): Promise<void> {
  // One that was handed over has neither text nor lock.
  if (session.isHandedOver) return forgetSaveState(session)
  await session.flush().catch(() => {})
  session.close()
  openSessions.delete(session)
  if (!session.hasUnsavedChanges) forgetSaveState(session)
  unlockDraft(session.client)
}

/** Calls when a text of this tab was closed, or a draft is gone; returns how to stop. */
export function onDraftsChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns what was left unsaved in the texts whose keys begin like this, the oldest first. */
export async function listLeftDrafts(prefix: string): Promise<readonly StoredDraft[]> {
  const drafts = await (await journal).listBelow(prefix)
  if (drafts.length === 0) return []
  const held = await findHeld(drafts.map(({ draft }) => draft.client))
  return drafts.filter(({ draft }) => !held.has(draft.client))
}

/** Returns those of the clients that are open in this tab or another one. */
async function findHeld(clients: readonly string[]): Promise<ReadonlySet<string>> {
  if (navigator.locks === undefined) {
    const held = await Promise.all(
      clients.map(
        (client) => ownerOf(client) !== unloadedTab && (releases.has(client) || isHeldElsewhere(client)),
      ),
    )
    return new Set(clients.filter((_, index) => held[index]))
  }
  const names = new Set((await navigator.locks.query()).held?.map(({ name }) => name))
  return new Set(clients.filter((client) => names.has(lockOf(client))))
}

/**
 * Takes what was left unsaved in a text, the oldest first, with its lock. A tab that is being unloaded may still hold it, or
 * be saving it: it is read again once the lock is free.
 */
export async function takeLeftDraft(key: TextKey): Promise<StoredDraft | undefined> {
  const open = await journal
  for (const { draft } of await open.list(key)) {
    const taken = await takeDraft(draft, AbortSignal.timeout(unloading))
    if (taken !== undefined) return taken
  }
  return undefined
}

async function takeDraft(draft: Draft, signal: AbortSignal): Promise<StoredDraft | undefined> {
  if (!(await lockDraft(draft.client, signal))) return undefined
  const found = (await (await journal).list(draft.key)).find((one) => one.draft.client === draft.client)
  if (found === undefined) unlockDraft(draft.client)
  return found
}

/**
 * Saves the other drafts of a text that is open, each as soon as its tab is gone, and calls after each one. Ends with the
 * signal.
 */
export async function saveOtherDrafts(
  source: ContentSource,
  key: TextKey,
  onSaved: () => void,
  signal: AbortSignal,
): Promise<void> {
  for (const { draft } of await (await journal).list(key)) {
    if (releases.has(draft.client)) continue
    const taken = await takeDraft(draft, signal)
    if (taken !== undefined && (await saveDraft(source, taken))) onSaved()
  }
}

/** Saves a draft whose lock this tab has, without an editor; false when it is still unsaved. */
async function saveDraft(source: ContentSource, stored: StoredDraft): Promise<boolean> {
  const { key, client } = stored.draft
  const session = new TextSession(stored, {
    key,
    client,
    journal: await journal,
    save: (edit) => saveText(source, pageOfKey(key), edit),
    onState: () => {},
    onRemote: () => {},
  })
  await closeSession(session)
  return !session.hasUnsavedChanges
}

/** Saves everything that is unsaved in a change request, as before it is merged; false when something is left. */
export async function saveAllTexts(source: ContentSource): Promise<boolean> {
  const { below } = textKeysOf(source)
  const sessions = [...openSessions].filter(({ key }) => key.startsWith(below))
  await Promise.all(sessions.map((session) => session.flush()))
  const left = await listLeftDrafts(below)
  const saved = await Promise.all(
    left.map(async ({ draft }) => {
      const taken = await takeDraft(draft, AbortSignal.timeout(unloading))
      return taken === undefined || saveDraft(source, taken)
    }),
  )
  return !sessions.some((session) => session.hasUnsavedChanges) && saved.every(Boolean)
}

/** The text of a draft, with everything that was typed. */
export const textOfDraft = ({ draft, base }: StoredDraft): string => applySplices(base.text, draft.edits)

/** Gives a draft to another text, such as the same page in another change request. */
export async function moveDraft({ draft, base }: StoredDraft, key: TextKey): Promise<void> {
  const open = await journal
  const client = `${tab}.${++openings}`
  await open.put({ ...draft, key, client, seq: 1, sent: undefined }, base)
  await discardDraft({ draft, base })
}

export async function discardDraft({ draft }: StoredDraft): Promise<void> {
  await (await journal).remove(draft)
  forgetSaveState(draft)
  for (const listener of listeners) listener()
}
