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
  /** What was typed since, on the text with `sent`. */
  readonly pending: readonly Splice[]
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
  /** False when nothing can be stored: a private window, or a full disk. */
  readonly isDurable: boolean
  /** Stores a draft, and in the same transaction the text that it is based on, where that is another one than before. */
  put(draft: Draft, base?: DraftBase): Promise<void>
  remove(draft: Pick<Draft, 'key' | 'client'>): Promise<void>
  /** Returns the drafts of a text, oldest first, with their bases. */
  list(key: TextKey): Promise<StoredDraft[]>
}

const databaseName = 'octavo'
const stores = ['drafts', 'bases'] as const
type StoreName = (typeof stores)[number]

const idOf = ({ key, client }: Pick<Draft, 'key' | 'client'>): [string, string] => [key, client]

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
  // A tab with a newer version of the app waits for this one otherwise.
  database.addEventListener('versionchange', () => database.close())

  async function write(
    stores: readonly StoreName[],
    run: (store: (name: StoreName) => IDBObjectStore) => void,
  ) {
    try {
      await new Promise<void>((resolve, reject) => {
        const transaction = database.transaction(stores, 'readwrite')
        transaction.addEventListener('complete', () => resolve())
        transaction.addEventListener('abort', () => reject(transaction.error as Error))
        run((name) => transaction.objectStore(name))
      })
    } catch {
      // A full disk: the person is told, and saving goes on.
      isDurable = false
    }
  }

  return {
    get isDurable() {
      return isDurable
    },
    put: (draft, base) =>
      write(base === undefined ? ['drafts'] : stores, (store) => {
        if (base !== undefined) store('bases').put({ id: idOf(draft), ...base })
        store('drafts').put({ id: idOf(draft), ...draft })
      }),
    remove: (draft) =>
      write(['drafts', 'bases'], (store) => {
        store('drafts').delete(idOf(draft))
        store('bases').delete(idOf(draft))
      }),
    async list(key) {
      const range = IDBKeyRange.bound([key], [key, []])
      const transaction = database.transaction(stores, 'readonly')
      const [drafts, bases] = await Promise.all([
        readAll<Draft & { readonly id: readonly string[] }>(transaction.objectStore('drafts').getAll(range)),
        readAll<DraftBase & { readonly id: readonly string[] }>(
          transaction.objectStore('bases').getAll(range),
        ),
      ])
      return drafts
        .flatMap((draft): StoredDraft[] => {
          const base = bases.find(({ id, hash }) => id[1] === draft.client && hash === draft.base)
          return base === undefined ? [] : [{ draft, base: { hash: base.hash, text: base.text } }]
        })
        .toSorted((a, b) => a.draft.writtenAt - b.draft.writtenAt)
    },
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
  const drafts = new Map<string, Draft>()
  const bases = new Map<string, DraftBase>()
  const nameOf = (draft: Pick<Draft, 'key' | 'client'>) => JSON.stringify(idOf(draft))
  return {
    isDurable: false,
    async put(draft, base) {
      if (base !== undefined) bases.set(nameOf(draft), base)
      drafts.set(nameOf(draft), draft)
    },
    async remove(draft) {
      drafts.delete(nameOf(draft))
      bases.delete(nameOf(draft))
    },
    async list(key) {
      return [...drafts.values()]
        .filter((draft) => draft.key === key)
        .flatMap((draft) => {
          const base = bases.get(nameOf(draft))
          return base?.hash === draft.base ? [{ draft, base }] : []
        })
    },
  }
}
