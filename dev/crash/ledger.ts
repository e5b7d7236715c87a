/**
 * Ledger of writes: acknowledged ones and those pending when the server died. After a restart the former must be
 * there, the latter entirely or not at all. Knows no HTTP.
 */

/** A replaceable text: the last acknowledged one, and those pending since, or lost. */
export interface Entry {
  readonly key: string
  /** Path below `/v1` where the text is read. */
  readonly path: string
  acknowledged: string | undefined
  pending: readonly string[]
}

/** A snapshot of an entry. */
export type EntryState = Pick<Entry, 'acknowledged' | 'pending'>

export interface Ledger {
  readonly entries: ReadonlyMap<string, Entry>
  /** Records a write before it is sent. */
  begin(key: string, path: string, text: string): Entry
  /** Records the acknowledgement of the last write. */
  acknowledge(entry: Entry): void
  /** Compares with the text found (undefined for none) and continues from it; returns a description of a loss. */
  settle(entry: Entry, found: string | undefined): string | undefined
  /** Returns a description of a loss when the text read is none of those possible since the snapshot `before`. */
  compare(entry: Entry, before: EntryState, found: string | undefined): string | undefined
  /** How many writes were acknowledged. */
  readonly acknowledgements: number
}

export function createLedger(): Ledger {
  const entries = new Map<string, Entry>()
  let acknowledgements = 0
  return {
    entries,
    get acknowledgements() {
      return acknowledgements
    },
    begin(key, path, text) {
      const entry = entries.get(key) ?? { key, path, acknowledged: undefined, pending: [] }
      entries.set(key, entry)
      entry.pending = [...entry.pending, text]
      return entry
    },
    acknowledge(entry) {
      acknowledgements += 1
      entry.acknowledged = entry.pending.at(-1)
      entry.pending = []
    },
    compare(entry, before, found) {
      const possible = [before, entry].flatMap(({ acknowledged, pending }) => [acknowledged, ...pending])
      if (possible.includes(found)) return undefined
      return `${entry.key}: acknowledged ${quote(before.acknowledged)}, then read ${quote(found)}`
    },
    settle(entry, found) {
      const isExpected =
        found === entry.acknowledged || (found !== undefined && entry.pending.includes(found))
      const loss = `${entry.key}: acknowledged ${quote(entry.acknowledged)}, found ${quote(found)}`
      entry.acknowledged = found
      entry.pending = []
      if (entry.acknowledged === undefined) entries.delete(entry.key)
      return isExpected ? undefined : loss
    },
  }
}

function quote(text: string | undefined): string {
  return text === undefined ? 'nothing' : JSON.stringify(text.slice(0, 80))
}
