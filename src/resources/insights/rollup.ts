/**
 * Room for counted events: rows of one kind are added up, and when there are many, new ones give up first what tells
 * readers apart, then the page. So a flood costs a bounded number of rows, and nothing that was counted is lost.
 */
import { createHash } from 'node:crypto'
import type { Row } from '../../store/db/tables.js'

export type EventRow = Row<'site_events'>

/** Of whom nothing is told but the type. */
export const nothingTold = {
  context: null,
  site_space_id: null,
  section_id: null,
  space_id: null,
  page_id: null,
  device: null,
  browser: null,
  system: null,
  bot: null,
  language: null,
  country: null,
  referrer: null,
  authenticated: null,
  claims: null,
  detail: null,
} as const

/** A row as it is, then by its page alone, then by its type alone. */
const lessening: readonly ((row: EventRow) => EventRow)[] = [
  (row) => row,
  ({ site_space_id, section_id, space_id, page_id, ...row }) =>
    named({ ...row, ...nothingTold, site_space_id, section_id, space_id, page_id }),
  (row) => named({ ...row, ...nothingTold }),
]

/** Returns the row with the key of what it tells. */
export function named(row: Omit<EventRow, 'key'>): EventRow {
  const told = (Object.keys(nothingTold) as (keyof typeof nothingTold)[]).map((name) => row[name] ?? null)
  const hash = createHash('sha256').update(JSON.stringify([row.type, ...told]))
  return { ...row, key: hash.digest('base64url').slice(0, 22) }
}

export interface Room {
  add(row: EventRow): void
  /** What was added, each row once. */
  rows(): EventRow[]
  readonly size: number
}

/** Names a row among those of its site. */
export function nameOf({ hour, key }: Pick<EventRow, 'hour' | 'key'>): string {
  return `${hour} ${key}`
}

/** Opens room for `limit` rows as they are, as many by page, and as many by type; the known ones are there already. */
export function openRoom(limit: number, known: ReadonlySet<string> = new Set()): Room {
  const placed = new Map<string, EventRow>()
  let size = known.size
  return {
    add(row) {
      for (const [stage, lessen] of lessening.entries()) {
        const lessened = lessen(row)
        const name = nameOf(lessened)
        const there = placed.get(name)
        if (there === undefined && !known.has(name)) {
          if (size >= limit * (stage + 1)) continue
          size++
        }
        placed.set(name, there === undefined ? lessened : together(there, lessened))
        return
      }
    },
    rows: () => [...placed.values()],
    get size() {
      return placed.size
    },
  }
}

function together(one: EventRow, other: EventRow): EventRow {
  return {
    ...one,
    events: one.events + other.events,
    visitors: one.visitors + other.visitors,
    sessions: one.sessions + other.sessions,
  }
}
