/**
 * What clients were told, and what they had asked for when the server died: after a restart the first must be
 * there, of the second either all or nothing. Knows no requests.
 */

/** A text that may be replaced: the last one that was acknowledged, and those on their way since, or lost there. */
export interface Entry {
  readonly key: string
  /** Path below `/v1` where the text is read. */
  readonly path: string
  acknowledged: string | undefined
  pending: readonly string[]
}

/** An entry at one moment. */
export type EntryState = Pick<Entry, 'acknowledged' | 'pending'>

export interface Ledger {
  readonly entries: ReadonlyMap<string, Entry>
  /** Notes a request before it is sent. */
  begin(key: string, path: string, text: string): Entry
  /** Notes the answer to the request that was noted last. */
  acknowledge(entry: Entry): void
  /** Compares with what was found (undefined for nothing there) and goes on from it; answers a loss in words. */
  settle(entry: Entry, found: string | undefined): string | undefined
  /** Answers a loss in words when what was read is none of the texts that stood here since `before` was noted. */
  compare(entry: Entry, before: EntryState, found: string | undefined): string | undefined
  /** How many answers were noted. */
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
