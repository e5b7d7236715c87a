/**
 * Drafts of this browser: which unsaved edits of the journal belong to a tab that lives, and which were left by a tab that
 * is gone, or on a page that was left. A tab holds a lock that others see while it lives.
 */
import { applySplices } from '../../core/editing/splice.js'
import { type StoredDraft, type TextKey, openJournal } from './journal.js'

export const journal = openJournal()

const tab = crypto.getRandomValues(new Uint32Array(3)).join('-')
void navigator.locks?.request(`octavo-tab-${tab}`, () => new Promise(() => {}))
let openings = 0
/** Clients of the texts that are open in this tab, or whose last save is on its way. */
const openClients = new Set<string>()
const listeners = new Set<() => void>()
/** Milliseconds after which a draft is nobody's, where the browser has no locks: only secure addresses have them. */
const draftPause = 30_000

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

/** Returns a name for the server and the journal, unique for this tab and opening of a text. */
export const createClient = (): string => `${tab}.${++openings}`

export function openClient(client: string): void {
  openClients.add(client)
}

export function closeClient(client: string): void {
  openClients.delete(client)
  for (const listener of listeners) listener()
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
  const locks = (await navigator.locks?.query())?.held?.map(({ name }) => name)
  return drafts.filter(({ draft: { client, writtenAt } }) => {
    const [owner] = client.split('.')
    if (owner === tab) return !openClients.has(client)
    return locks === undefined ? Date.now() - writtenAt >= draftPause : !locks.includes(`octavo-tab-${owner}`)
  })
}

/** Returns what was left unsaved in a text, the oldest first. */
export async function findLeftDraft(key: TextKey): Promise<StoredDraft | undefined> {
  return (await listLeftDrafts(key)).find(({ draft }) => draft.key === key)
}

/** The text of a draft, with everything that was typed. */
export const textOfDraft = ({ draft, base }: StoredDraft): string => applySplices(base.text, draft.edits)

/** Gives a draft to another text, such as the same page in another change request. */
export async function moveDraft({ draft, base }: StoredDraft, key: TextKey): Promise<void> {
  const open = await journal
  await open.put({ ...draft, key, client: createClient(), seq: 1, sent: undefined }, base)
  await discardDraft({ draft, base })
}

export async function discardDraft({ draft }: StoredDraft): Promise<void> {
  await (await journal).remove(draft)
  for (const listener of listeners) listener()
}
