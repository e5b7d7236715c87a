/**
 * Journal of unsaved edits (write-ahead log) in IndexedDB: what was typed is stored before it is acknowledged by the
 * server, so that a reload, a crash or a lost connection loses nothing. One draft per text and tab; the text that a draft
 * is based on is a record of its own, since it changes with each save and the draft with each key.
 */
import type { Splice } from '../../core/editing/splice.js'

/** Names a text: space, change request (or `live`) and page. */
export type TextKey = string

export interface Draft {
  readonly key: TextKey
  /** The tab that wrote it; the server knows its saves by this name. */
  readonly client: string
  /** Number of the next save of the client. */
  readonly seq: number
  /** Hash of the text that the splices are based on. */
  readonly base: string
  /** A save without an answer yet, and its number. */
  readonly sent:
    | {
        readonly seq: number
        readonly splices: Splice[]
        readonly canonical?: string
        readonly wider?: Splice[][]
      }
    | undefined
  /** The local text as an edit of the base; what was sent is in it. */
  readonly edits: readonly Splice[]
  /** Milliseconds since 1970. */
  readonly writtenAt: number
}

/** The text with a hash that a draft is based on. */
export interface DraftBase {
  readonly hash: string
  readonly text: string
}

export interface StoredDraft {
  readonly draft: Draft
  readonly base: DraftBase
}

export interface Journal {
  /** False when the last write was not stored: a private window, or a full disk. What was not is kept in this tab. */
  readonly isDurable: boolean
  /** Stores a draft, and in the same transaction the text that it is based on, where that is another one than before. */
  put(draft: Draft, base: DraftBase): Promise<void>
  remove(draft: Pick<Draft, 'key' | 'client'>): Promise<void>
  /** Returns the drafts of a text, oldest first, with their bases. */
  list(key: TextKey): Promise<StoredDraft[]>
  /** The same for all texts whose keys begin like this. */
  listBelow(prefix: string): Promise<StoredDraft[]>
}

const databaseName = 'octavo'
const stores = ['drafts', 'bases'] as const
type StoreName = (typeof stores)[number]

const idOf = ({ key, client }: Pick<Draft, 'key' | 'client'>): [string, string] => [key, client]
const nameOf = (draft: Pick<Draft, 'key' | 'client'>): string => JSON.stringify(idOf(draft))

/** Opens the journal of this browser; one in memory where the browser stores nothing. */
export async function openJournal(): Promise<Journal> {
  try {
    return indexedDbJournal(await openDatabase())
  } catch {
    return memoryJournal()
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1)
    request.addEventListener('upgradeneeded', () => {
      for (const store of stores) request.result.createObjectStore(store, { keyPath: 'id' })
    })
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error as Error))
    request.addEventListener('blocked', () => reject(new Error('The journal is open in another version.')))
  })
}

function indexedDbJournal(database: IDBDatabase): Journal {
  let isDurable = true
  /** What could not be stored. */
  const fallback = memoryJournal()
  /** The bases that are stored or on their way, by draft: transactions are carried out in order. */
  const storedBases = new Map<string, DraftBase>()
  // A tab with a newer version of the app waits for this one otherwise.
  database.addEventListener('versionchange', () => database.close())

  /**
   * The transaction is committed in the same task. Left to commit by itself it needs this tab once more, and what a tab
   * has not committed when it is reloaded or crashes is undone. `relaxed` leaves it to the system when it is on the disk,
   * as for a save of the server that is acknowledged later anyway.
   */
  function write(
    names: readonly StoreName[],
    run: (store: (name: StoreName) => IDBObjectStore) => void,
  ): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const transaction = database.transaction(names, 'readwrite', { durability: 'relaxed' })
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () => reject(transaction.error as Error))
      run((name) => transaction.objectStore(name))
      transaction.commit()
    })
  }

  async function read(range: IDBKeyRange): Promise<StoredDraft[]> {
    const transaction = database.transaction(stores, 'readonly')
    const [drafts, bases] = await Promise.all([
      readAll<Draft & { readonly id: readonly string[] }>(transaction.objectStore('drafts').getAll(range)),
      readAll<DraftBase & { readonly id: readonly string[] }>(transaction.objectStore('bases').getAll(range)),
    ])
    const baseOf = new Map(bases.map((base) => [JSON.stringify(base.id), base]))
    return drafts.flatMap((draft): StoredDraft[] => {
      const base = baseOf.get(nameOf(draft))
      return base?.hash === draft.base ? [{ draft, base: { hash: base.hash, text: base.text } }] : []
    })
  }

  async function list(range: IDBKeyRange, others: Promise<readonly StoredDraft[]>): Promise<StoredDraft[]> {
    const inTab = await others
    const names = new Set(inTab.map(({ draft }) => nameOf(draft)))
    // A browser that cannot be read has nothing to show.
    const stored = await read(range).catch(() => [])
    return [...stored.filter(({ draft }) => !names.has(nameOf(draft))), ...inTab].toSorted(
      (a, b) => a.draft.writtenAt - b.draft.writtenAt,
    )
  }

  return {
    get isDurable() {
      return isDurable
    },
    async put(draft, base) {
      const name = nameOf(draft)
      const isNewBase = storedBases.get(name) !== base
      storedBases.set(name, base)
      try {
        await write(isNewBase ? stores : ['drafts'], (store) => {
          if (isNewBase) store('bases').put({ ...base, id: idOf(draft) })
          store('drafts').put({ ...draft, id: idOf(draft) })
        })
        if (!isDurable) await fallback.remove(draft)
        isDurable = true
      } catch {
        // A full disk: the person is told, and saving goes on.
        storedBases.delete(name)
        isDurable = false
        await fallback.put(draft, base)
      }
    },
    async remove(draft) {
      storedBases.delete(nameOf(draft))
      await fallback.remove(draft)
      try {
        await write(stores, (store) => {
          store('drafts').delete(idOf(draft))
          store('bases').delete(idOf(draft))
        })
      } catch {
        // It is sent once more when it is found: saves are numbered.
      }
    },
    list: (key) => list(IDBKeyRange.bound([key], [key, []]), fallback.list(key)),
    listBelow: (prefix) => list(IDBKeyRange.bound([prefix], [`${prefix}\uffff`]), fallback.listBelow(prefix)),
  }
}

function readAll<Value>(request: IDBRequest<Value[]>): Promise<Value[]> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error as Error))
  })
}

/** A journal that ends with the tab. */
export function memoryJournal(): Journal {
  const drafts = new Map<string, StoredDraft>()
  const find = (isWanted: (key: TextKey) => boolean) =>
    Promise.resolve([...drafts.values()].filter(({ draft }) => isWanted(draft.key)))
  return {
    isDurable: false,
    async put(draft, base) {
      drafts.set(nameOf(draft), { draft, base })
    },
    async remove(draft) {
      drafts.delete(nameOf(draft))
    },
    list: (key) => find((one) => one === key),
    listBelow: (prefix) => find((one) => one.startsWith(prefix)),
  }
}
