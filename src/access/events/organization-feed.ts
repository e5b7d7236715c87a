/**
 * Event feed of an organization: the streams of all its spaces and sites as one, so that a browser needs one connection
 * for whatever it displays.
 *
 * A stream numbers its events by itself, because writers of two spaces do not wait for each other. So the position in
 * this feed is a version vector: the last number of each stream that has stored events. Only streams that have moved are
 * read, and whether the caller may see them is asked anew each time.
 */
import { type OrganizationEvents, maxEventsPerReply } from '../../contract/events.js'
import type { OrganizationId, UserId } from '../../core/ids.js'
import type { Db } from '../../store/db/database.js'
import { findLastNumbers, listEventsAfter } from '../../store/events/rows.js'
import { isEventFor, presentEvent } from './event-feed.js'

/** Characters of a stream's id in a position; the ids are random. */
const keyLength = 8
const positionPattern = /^(?:[\w-]{8}[\da-z]{1,11}(?:\.[\w-]{8}[\da-z]{1,11})*)?$/

type Position = ReadonlyMap<string, number>

export function encodePosition(position: Position): string {
  return [...position].map(([stream, number]) => stream.slice(0, keyLength) + number.toString(36)).join('.')
}

/** Returns the numbers by the beginning of the stream's id; undefined for text that is no position. */
export function decodePosition(text: string): Position | undefined {
  if (!positionPattern.test(text)) return undefined
  if (text === '') return new Map()
  return new Map(text.split('.').map((one) => [one.slice(0, keyLength), parseInt(one.slice(keyLength), 36)]))
}

/** Returns the sum of the numbers, which changes with every event. */
export function sumOf(position: Position): number {
  return [...position.values()].reduce((sum, number) => sum + number, 0)
}

export interface OrganizationFeed {
  readonly organizationId: OrganizationId
  readonly userId: UserId
  /** Returns those of the spaces and sites that the caller may see. */
  readonly selectVisible: (streams: readonly string[]) => Promise<ReadonlySet<string>>
}

/** Returns the events after a position, by stream; without one, no events and the current position. */
export async function readOrganizationEvents(
  db: Db,
  { organizationId, userId, selectVisible }: OrganizationFeed,
  after: string | undefined,
): Promise<OrganizationEvents> {
  const current = await findLastNumbers(db, organizationId)
  const known = after === undefined ? undefined : decodePosition(after)
  if (known === undefined)
    return { items: [], last: encodePosition(current), missed: after !== undefined, total: sumOf(current) }
  const numberOf = (stream: string): number => known.get(stream.slice(0, keyLength)) ?? 0
  const moved = [...current]
    .filter(([stream, number]) => number !== numberOf(stream))
    .map(([stream]) => stream)
  const visible = await selectVisible(moved)
  const position = new Map([...current].map(([stream]) => [stream, numberOf(stream)]))
  const items: OrganizationEvents['items'] = []
  let missed = false
  for (const stream of moved) {
    const number = numberOf(stream)
    const left = maxEventsPerReply - items.length
    if (left <= 0) break
    const isVisible = visible.has(stream)
    // Numbers of another database, from before a backup was restored.
    if (number > current.get(stream)!) missed ||= isVisible
    if (!isVisible || number > current.get(stream)!) {
      position.set(stream, current.get(stream)!)
      continue
    }
    const rows = await listEventsAfter(db, { organizationId, stream }, number, left)
    const [first] = rows
    if (number > 0 && first !== undefined && first.number > number + 1) missed = true
    position.set(stream, rows.length < left ? current.get(stream)! : rows.at(-1)!.number)
    for (const row of rows) {
      if (!isEventFor(row, userId)) continue
      const source = row.space_id === stream ? { space: stream } : { site: stream }
      items.push({ ...presentEvent(row, stream, userId), ...source })
    }
  }
  return { items, last: encodePosition(position), missed, total: sumOf(position) }
}
