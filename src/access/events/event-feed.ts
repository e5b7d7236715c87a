/**
 * Event feeds of a space, change request or site: the events since a number, as one reply, or from now on, as
 * server-sent events.
 *
 * Access is checked again before each batch of events and at every heartbeat: the stream of a user who signed out, was
 * removed or lost the role ends without further events. Events carry increasing numbers, so a client that reconnects
 * with the last number misses nothing that is still stored.
 */
import {
  type EventItem,
  type Events,
  type OrganizationEvents,
  inboxEventType,
  maxEventsPerReply,
  maxPositionLength,
} from '../../contract/events.js'
import type { OrganizationId, UserId } from '../../core/ids.js'
import type { Db } from '../../store/db/database.js'
import type { Row } from '../../store/db/tables.js'
import { findLastNumber, listEventsAfter } from '../../store/events/rows.js'
import type { Watch } from '../../store/events/stream-watcher.js'

/** Which events of which stream are visible. */
export interface EventFeed {
  readonly organizationId: OrganizationId
  readonly stream: string
  /** Only events about this change request. */
  readonly changeRequestId?: string
}

/** Milliseconds without events after which a stream sends a comment, and access is checked again. */
const heartbeat = 15_000
/** Events about readers, meant for webhooks of those who administer the site. */
const hiddenTypes: ReadonlySet<string> = new Set(['page_feedback'])
const visibleIds = ['changeRequestId', 'revisionId', 'reviewId', 'commentId', 'commentReplyId'] as const

/** Returns the events after a number; without one, no events and the current number of the stream. */
export async function readEvents(
  db: Db,
  followed: EventFeed,
  after: number | undefined,
  userId: UserId,
): Promise<Events> {
  const end = await findLastNumber(db, followed)
  if (after === undefined) return { items: [], last: end, missed: false }
  // Numbers of another database, from before a backup was restored.
  if (after > end) return { items: [], last: end, missed: true }
  const rows = await listEventsAfter(db, followed, after, maxEventsPerReply)
  const [first] = rows
  return {
    items: rows
      .filter((row) => isVisible(row, followed, userId))
      .map((row) => presentEvent(row, followed.stream, userId)),
    last: rows.at(-1)?.number ?? end,
    missed: first !== undefined && first.number > after + 1,
  }
}

/** False for events that are for webhooks only, or for other users. */
export function isEventFor(row: Row<'events'>, userId: UserId): boolean {
  if (row.type !== inboxEventType) return !hiddenTypes.has(row.type)
  return (dataOf(row)['users'] as readonly unknown[]).includes(userId)
}

function isVisible(row: Row<'events'>, { changeRequestId }: EventFeed, userId: UserId): boolean {
  if (!isEventFor(row, userId)) return false
  return changeRequestId === undefined || dataOf(row)['changeRequestId'] === changeRequestId
}

export function presentEvent(row: Row<'events'>, stream: string, userId: UserId): EventItem {
  const data = dataOf(row)
  // A site refers to resources that not every reader of the site may know of.
  const ids = row.space_id === stream ? visibleIds.filter((name) => typeof data[name] === 'string') : []
  return {
    number: row.number,
    eventId: row.id,
    type: row.type,
    createdAt: new Date(row.at).toISOString(),
    isOwn: data['userId'] === userId,
    ...Object.fromEntries(ids.map((name) => [name, data[name]])),
  }
}

function dataOf(row: Row<'events'>): Readonly<Record<string, unknown>> {
  return JSON.parse(row.data) as Record<string, unknown>
}

/** The number of an event in its stream; of an organization's events an encoded position in all of them. */
export type EventPosition = number | string

interface EventStreamOptions {
  readonly watch: Watch
  /** Returns the events after a number that the follower may see now; undefined when they have no access any more. */
  readonly read: (after: EventPosition | undefined) => Promise<Events | OrganizationEvents | undefined>
  readonly after: EventPosition | undefined
  readonly signal: AbortSignal
}

/** Yields server-sent events until the client disconnects, access ends, or the process stops. */
export async function* streamEvents({
  watch,
  read,
  after,
  signal,
}: EventStreamOptions): AsyncGenerator<string> {
  const gone = () => watch.end()
  signal.addEventListener('abort', gone)
  try {
    let at = after
    let isFirst = true
    while (!signal.aborted && !watch.hasEnded) {
      const events = await read(at)
      if (events === undefined) return
      const { items, last, missed } = events
      at = last
      const idOf = (item: EventItem) => (typeof last === 'number' ? item.number : undefined)
      if (isFirst) yield `retry: 2000\n${eventOf('ready', last, {})}`
      if (missed) yield eventOf('missed', last, {})
      for (const [index, item] of items.entries())
        yield eventOf(item.type, index === items.length - 1 ? last : idOf(item), item)
      if (!isFirst && items.length === 0) yield ': here\n\n'
      isFirst = false
      if (items.length < maxEventsPerReply)
        await watch.wait('total' in events ? events.total : events.last, heartbeat)
    }
  } finally {
    signal.removeEventListener('abort', gone)
    watch.end()
  }
}

/** An id that no header can hold is replaced by one that is unknown: after reconnecting, events count as missed. */
function eventOf(type: string, id: EventPosition | undefined, data: object): string {
  const sent = String(id).length <= maxPositionLength ? id : '-'
  return `${sent === undefined ? '' : `id: ${sent}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
