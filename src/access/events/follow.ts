/**
 * What happens in a place that somebody has open: since an event, as one answer, or from now on, as server-sent events.
 *
 * Whether they may still see it is asked again before anything is told, and now and then besides: who signed out, was
 * removed or lost their role is told nothing more, and their stream ends. A stream tells numbers that count on, so who
 * comes back names the last one and misses nothing that is kept.
 */
import { type Events, type ShownEvent, eventsAtOnce } from '../../contract/events.js'
import type { OrganizationId, UserId } from '../../core/ids.js'
import type { Db } from '../../store/db/database.js'
import type { Row } from '../../store/db/tables.js'
import { findLastNumber, listEventsAfter } from '../../store/events/rows.js'
import type { Watch } from '../../store/events/watching.js'

/** What of which stream is shown. */
export interface Followed {
  readonly organizationId: OrganizationId
  readonly stream: string
  /** Only what is about this one. */
  readonly changeRequestId?: string
}

/** A reply that is one answer, or a stream where that is asked for. */
export class Following {
  constructor(
    readonly followed: Followed,
    readonly events: Events,
  ) {}
}

/** Milliseconds after which a stream that has nothing to say shows that it is there, and whether it still may. */
const heartbeat = 15_000
/** What is about readers, and for those who administer the site. */
const kept: ReadonlySet<string> = new Set(['page_feedback'])
const shownIds = ['changeRequestId', 'revisionId', 'reviewId', 'commentId', 'commentReplyId'] as const

/** Returns what happened behind a number; without one nothing, and where the stream is now. */
export async function readEvents(
  db: Db,
  followed: Followed,
  after: number | undefined,
  userId: UserId,
): Promise<Events> {
  const end = await findLastNumber(db, followed)
  if (after === undefined) return { items: [], last: end, missed: false }
  // Numbers of another database, from before a backup was restored.
  if (after > end) return { items: [], last: end, missed: true }
  const rows = await listEventsAfter(db, followed, after, eventsAtOnce)
  const [first] = rows
  return {
    items: rows.filter((row) => isShown(row, followed)).map((row) => present(row, followed, userId)),
    last: rows.at(-1)?.number ?? end,
    missed: first !== undefined && first.number > after + 1,
  }
}

function isShown(row: Row<'events'>, { changeRequestId }: Followed): boolean {
  if (kept.has(row.type)) return false
  return changeRequestId === undefined || dataOf(row)['changeRequestId'] === changeRequestId
}

function present(row: Row<'events'>, { stream }: Followed, userId: UserId): ShownEvent {
  const data = dataOf(row)
  // A site shows things that not everybody who sees it knows of.
  const ids = row.space_id === stream ? shownIds.filter((name) => typeof data[name] === 'string') : []
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

interface Streaming {
  readonly watch: Watch
  /** Answers what happened behind a number, as whoever asks may see it now; undefined where they may not any more. */
  readonly read: (after: number | undefined) => Promise<Events | undefined>
  readonly after: number | undefined
  readonly signal: AbortSignal
}

/** Yields server-sent events until whoever follows is gone, may not any more, or the process stops. */
export async function* streamEvents({ watch, read, after, signal }: Streaming): AsyncGenerator<string> {
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
      if (isFirst) yield `retry: 2000\n${eventOf('ready', last, {})}`
      if (missed) yield eventOf('missed', last, {})
      for (const item of items) yield eventOf(item.type, item.number, item)
      if (!isFirst && items.length === 0) yield ': here\n\n'
      isFirst = false
      if (items.length < eventsAtOnce) await watch.wait(at, heartbeat)
    }
  } finally {
    signal.removeEventListener('abort', gone)
    watch.end()
  }
}

function eventOf(type: string, id: number, data: object): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
