/**
 * Counting what readers do: in memory, and written once a minute, so that nobody waits for it and a flood of events is
 * a bounded number of rows. Readers are told apart by a hash with a secret of the day that is written nowhere: who
 * comes tomorrow is somebody else. Who ends the process at once loses the last minute; a database that is away loses
 * nothing that there is room for.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { readBrowser } from '../../core/visitor/browser.js'
import type {
  CountedSite,
  CountedVisitor,
  Counting,
  VisitorEvent,
} from '../../access/events/visitor-events.js'
import { longestDetail } from '../../contract/site-events.js'
import type { Database } from '../../store/db/database.js'
import { addEvents, millisecondsOfHour } from './event-store.js'
import { createPageViews } from './page-views.js'
import { type EventRow, type Room, named, openRoom } from './rollup.js'
import { insightsOf } from './settings.js'
import { millisecondsOfDay } from './store.js'
import { writeEach } from './write-each.js'

/** Rows of one site, and of all of them, that are held until they are written. */
const mostOfSite = 1_000
const mostHeld = 30_000
/** Readers who are told apart. */
const mostReaders = 50_000
/** Events of one reader in a minute: more is a program. */
const mostOfReader = 60
const minute = 60_000
/** After which somebody comes back. */
const pause = 30 * minute
/** After which somebody has typed what they search for. */
const typingTime = 5_000

interface Reader {
  last: number
  minute: number
  times: number
}

interface Typed {
  readonly site: CountedSite
  readonly row: EventRow
  readonly query: string
  readonly at: number
}

export function createCounting(database: Database, now: () => number): Counting {
  const views = createPageViews(database)
  let held = new Map<string, { readonly site: CountedSite; readonly room: Room }>()
  let size = 0
  let today = { day: 0, secret: randomBytes(16), readers: new Map<string, Reader>() }
  const typed = new Map<string, Typed>()

  function keep(site: CountedSite, row: EventRow): void {
    let { room } = held.get(site.id) ?? {}
    if (room === undefined) held.set(site.id, { site, room: (room = openRoom(mostOfSite)) })
    const before = room.size
    if (size >= mostHeld) return
    room.add(row)
    size += room.size - before
  }

  /** Keeps a search only once it is typed: until then each letter makes another one. */
  function keepTyped(name: string, next: Typed): void {
    const before = typed.get(name)
    if (before !== undefined && !isSameTyping(before, next)) keep(before.site, before.row)
    const { visitors, sessions } = before !== undefined && isSameTyping(before, next) ? before.row : next.row
    const row = { ...next.row, visitors, sessions }
    typed.set(name, { ...next, row })
    if (typed.size > mostReaders) keepAll(Infinity)
  }

  function keepAll(before: number): void {
    for (const [name, { site, row, at }] of typed) {
      if (at >= before) continue
      typed.delete(name)
      keep(site, row)
    }
  }

  return {
    count(site, visitor, event) {
      const time = now()
      const day = Math.floor(time / millisecondsOfDay)
      if (today.day !== day) today = { day, secret: randomBytes(16), readers: new Map() }
      const name = createHmac('sha256', today.secret).update(`${site.id} ${visitor.name}`).digest('base64url')
      const met = meet(today.readers, name, time)
      if (met === undefined) return
      const row = rowOf(site, visitor, event, { ...met, time })
      const { spaceId, pageId, type, isKnownPage = false } = event
      if (type === 'page_view' && isKnownPage && spaceId != null && pageId != null)
        views.count({ organizationId: site.organization_id, siteId: site.id, spaceId, pageId }, time)
      const { query } = event.detail ?? {}
      if (type === 'search_type_query' && query !== undefined)
        keepTyped(name, { site, row, query: writtenAlike(query), at: time })
      else keep(site, row)
    },

    async flush(isLast = false) {
      keepAll(isLast ? Infinity : now() - typingTime)
      const sites = [...held.values()]
      held = new Map()
      size = 0
      try {
        await views.flush(now())
      } finally {
        await writeEach(
          sites,
          ({ site, room }) =>
            database.writeHolding({ organizations: [site.organization_id] }, (tx) =>
              addEvents(tx, site, room.rows()),
            ),
          ({ site, room }) => room.rows().forEach((row) => keep(site, row)),
        )
      }
    },
  }
}

function isSameTyping(before: Typed, next: Typed): boolean {
  return next.query.startsWith(before.query) || before.query.startsWith(next.query)
}

/** Says whether a reader is new today or comes back; undefined for one who does too much. */
function meet(
  readers: Map<string, Reader>,
  name: string,
  time: number,
): { readonly visitors: number; readonly sessions: number } | undefined {
  const known = readers.get(name)
  const thisMinute = Math.floor(time / minute)
  if (known === undefined) {
    // Who cannot be told from others is counted by what they do alone.
    if (readers.size >= mostReaders) return { visitors: 0, sessions: 0 }
    readers.set(name, { last: time, minute: thisMinute, times: 1 })
    return { visitors: 1, sessions: 1 }
  }
  known.times = known.minute === thisMinute ? known.times + 1 : 1
  known.minute = thisMinute
  const isBack = time - known.last > pause
  known.last = time
  return known.times > mostOfReader ? undefined : { visitors: 0, sessions: isBack ? 1 : 0 }
}

interface Met {
  readonly visitors: number
  readonly sessions: number
  readonly time: number
}

function rowOf(
  site: CountedSite,
  visitor: CountedVisitor,
  { type, context, siteSpaceId, sectionId, spaceId, pageId, detail, at }: VisitorEvent,
  { visitors, sessions, time }: Met,
): EventRow {
  const { device, browser, system, bot } = readBrowser(visitor.userAgent)
  const { isAuthenticated = null } = visitor
  const told = detail && detailOf(detail)
  return named({
    organization_id: site.organization_id,
    site_id: site.id,
    hours: 1,
    hour: Math.floor((at ?? time) / millisecondsOfHour),
    type,
    context: context ?? 'site',
    site_space_id: siteSpaceId ?? null,
    section_id: sectionId ?? null,
    space_id: spaceId ?? null,
    page_id: pageId ?? null,
    device,
    browser,
    system,
    bot,
    language: languageOf(visitor.language),
    country: countryOf(visitor.country),
    referrer: hostOf(visitor.referrer),
    authenticated: isAuthenticated === null ? null : isAuthenticated ? 1 : 0,
    claims: claimsOf(site, visitor),
    detail: told ?? null,
    events: 1,
    visitors,
    sessions,
  })
}

function detailOf({ query, rating, link, operation }: NonNullable<VisitorEvent['detail']>): string {
  const typed = query === undefined ? undefined : queryOf(query)
  return JSON.stringify({
    ...(typed !== undefined && { query: typed }),
    ...(rating !== undefined && { rating }),
    ...(link !== undefined && {
      link: { kind: link.kind, domain: hostOf(link.domain) ?? undefined, position: link.position },
    }),
    ...(operation !== undefined && {
      operation: { method: cut(operation.method.toLowerCase()), path: cut(operation.path) },
    }),
  })
}

/** Returns what was searched, in one way of writing; undefined for what looks like something about a person. */
function queryOf(query: string): string | undefined {
  const written = writtenAlike(query)
  return /@|\d[\d -]{6}/.test(written) ? undefined : written
}

function writtenAlike(query: string): string {
  return cut(query.trim().replace(/\s+/g, ' ').toLowerCase())
}

function cut(text: string): string {
  // Half a character becomes a sign that every database holds.
  return Buffer.from(text.replaceAll('\0', '').slice(0, longestDetail)).toString()
}

/** Returns the first language that somebody wants, without its region. */
function languageOf(said: string | null | undefined): string | null {
  return /^[a-z]{2,3}(?![a-z])/.exec((said ?? '').trim().toLowerCase())?.[0] ?? null
}

function countryOf(said: string | null | undefined): string | null {
  const code = (said ?? '').trim().toUpperCase()
  // How proxies say that they do not know.
  return /^[A-Z]{2}$/.test(code) && code !== 'XX' ? code : null
}

function hostOf(said: string | null | undefined): string | null {
  if (said == null || said === '') return null
  const address = said.includes('://') ? said : `https://${said}`
  if (!URL.canParse(address)) return null
  const { hostname } = new URL(address)
  return hostname === '' || hostname.length > longestDetail ? null : hostname.replace(/^www\./, '')
}

/** Returns the claims by which a site counts, as this visitor has them. */
function claimsOf(site: CountedSite, { claims = {} }: CountedVisitor): string | null {
  const known = insightsOf(site)
    .claims.filter((name) => Object.hasOwn(claims, name))
    .map((name) => [name, claims[name]] as const)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  if (known.length === 0) return null
  return JSON.stringify(Object.fromEntries(known.map(([name, value]) => [name, cut(String(value))])))
}
