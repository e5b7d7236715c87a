/**
 * Rollup with bounded cardinality: rows with equal dimensions are summed, and beyond the limit new rows drop first the
 * reader's dimensions, then the page. So a flood of events costs a bounded number of rows, and no count is lost.
 */
import { createHash } from 'node:crypto'
import type { Row } from '../../store/db/tables.js'

export type EventRow = Row<'site_events'>

/** All dimensions but the type, empty. */
export const noDimensions = {
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

/** The reduction stages: the full row, then only its page, then only its type. */
const reductions: readonly ((row: EventRow) => EventRow)[] = [
  (row) => row,
  ({ site_space_id, section_id, space_id, page_id, ...row }) =>
    withKey({ ...row, ...noDimensions, site_space_id, section_id, space_id, page_id }),
  (row) => withKey({ ...row, ...noDimensions }),
]

/** Returns the row with the hash of its dimensions as key. */
export function withKey(row: Omit<EventRow, 'key'>): EventRow {
  const dimensions = (Object.keys(noDimensions) as (keyof typeof noDimensions)[]).map(
    (name) => row[name] ?? null,
  )
  const hash = createHash('sha256').update(JSON.stringify([row.type, ...dimensions]))
  return { ...row, key: hash.digest('base64url').slice(0, 22) }
}

export interface EventRollup {
  add(row: EventRow): void
  /** The summed rows. */
  rows(): EventRow[]
  readonly size: number
}

/** Identifies a row among those of its site. */
export function rowIdOf({ hour, key }: Pick<EventRow, 'hour' | 'key'>): string {
  return `${hour} ${key}`
}

/** Creates a rollup of at most `limit` rows per reduction stage; `known` rows are stored already and count towards the limit. */
export function createRollup(limit: number, known: ReadonlySet<string> = new Set()): EventRollup {
  const rowsById = new Map<string, EventRow>()
  let size = known.size
  return {
    add(row) {
      for (const [stage, reduce] of reductions.entries()) {
        const reduced = reduce(row)
        const name = rowIdOf(reduced)
        const existing = rowsById.get(name)
        if (existing === undefined && !known.has(name)) {
          if (size >= limit * (stage + 1)) continue
          size++
        }
        rowsById.set(name, existing === undefined ? reduced : sumRows(existing, reduced))
        return
      }
    },
    rows: () => [...rowsById.values()],
    get size() {
      return rowsById.size
    },
  }
}

function sumRows(one: EventRow, other: EventRow): EventRow {
  return {
    ...one,
    events: one.events + other.events,
    visitors: one.visitors + other.visitors,
    sessions: one.sessions + other.sessions,
  }
}
