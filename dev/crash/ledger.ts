/**
 * What clients were told, and what they had asked for when the server died: after a restart the first must be
 * there, of the second either all or nothing. Knows no requests.
 */

/** A text that may be replaced: the last one that was acknowledged, and those on their way since, or lost there. */
export interface Entry {
  readonly key: string
  /** Path below `/v1` where the text is read. */
  readonly place: string
  acknowledged: string | undefined
  asked: readonly string[]
}

/** An entry at one moment. */
export type Noted = Pick<Entry, 'acknowledged' | 'asked'>

export interface Ledger {
  readonly entries: ReadonlyMap<string, Entry>
  /** Notes a request before it is sent. */
  ask(key: string, place: string, text: string): Entry
  /** Notes the answer to the request that was noted last. */
  acknowledge(entry: Entry): void
  /** Compares with what was found (undefined for nothing there) and goes on from it; answers a loss in words. */
  settle(entry: Entry, found: string | undefined): string | undefined
  /** Answers a loss in words when what was read is none of the texts that stood here since `before` was noted. */
  compare(entry: Entry, before: Noted, found: string | undefined): string | undefined
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
    ask(key, place, text) {
      const entry = entries.get(key) ?? { key, place, acknowledged: undefined, asked: [] }
      entries.set(key, entry)
      entry.asked = [...entry.asked, text]
      return entry
    },
    acknowledge(entry) {
      acknowledgements += 1
      entry.acknowledged = entry.asked.at(-1)
      entry.asked = []
    },
    compare(entry, before, found) {
      const possible = [before, entry].flatMap(({ acknowledged, asked }) => [acknowledged, ...asked])
      if (possible.includes(found)) return undefined
      return `${entry.key}: acknowledged ${shown(before.acknowledged)}, then read ${shown(found)}`
    },
    settle(entry, found) {
      const isKept = found === entry.acknowledged || (found !== undefined && entry.asked.includes(found))
      const loss = `${entry.key}: acknowledged ${shown(entry.acknowledged)}, found ${shown(found)}`
      entry.acknowledged = found
      entry.asked = []
      if (entry.acknowledged === undefined) entries.delete(entry.key)
      return isKept ? undefined : loss
    },
  }
}

function shown(text: string | undefined): string {
  return text === undefined ? 'nothing' : JSON.stringify(text.slice(0, 80))
}
