/**
 * Write-behind event counter: counts reader events in memory and flushes once a minute, so that requests do not wait and
 * a flood of events becomes a bounded number of rows. Unique readers are identified by a hash with a daily secret that
 * is never stored, so they cannot be tracked across days. A killed process loses the last minute; while the database is
 * unavailable, counts are retained up to the limits.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { readBrowser } from '../../core/visitor/browser.js'
import type {
  CountedSite,
  CountedVisitor,
  VisitorEventCounter,
  VisitorEvent,
} from '../../access/events/visitor-events.js'
import { maxDetailLength } from '../../contract/site-events.js'
import type { Database } from '../../store/db/database.js'
import { addEvents, millisPerHour } from './event-store.js'
import { createPageViews } from './page-views.js'
import { type EventRow, type EventRollup, withKey, createRollup } from './rollup.js'
import { insightsOf } from './settings.js'
import { millisPerDay } from './store.js'
import { writeBatches } from './write-batches.js'

/** Pending rows of one site, and of all sites. */
const maxRowsPerSite = 1_000
const maxPendingRows = 30_000
/** Readers that are tracked individually per day. */
const maxTrackedReaders = 50_000
/** Events of one reader in a minute: more is a bot. */
const maxEventsPerMinute = 60
const minute = 60_000
/** Inactivity after which a new session begins. */
const sessionTimeout = 30 * minute
/** Debounce: a search counts once the reader has stopped typing for this long. */
const typingTime = 5_000

interface ReaderActivity {
  last: number
  minute: number
  times: number
}

interface PendingSearch {
  readonly site: CountedSite
  readonly row: EventRow
  readonly query: string
  readonly at: number
}

export function createVisitorEventCounter(database: Database, now: () => number): VisitorEventCounter {
  const views = createPageViews(database)
  let pendingRows = new Map<string, { readonly site: CountedSite; readonly rollup: EventRollup }>()
  let size = 0
  let today = { day: 0, secret: randomBytes(16), readers: new Map<string, ReaderActivity>() }
  const pendingSearches = new Map<string, PendingSearch>()

  function addRow(site: CountedSite, row: EventRow): void {
    let { rollup } = pendingRows.get(site.id) ?? {}
    if (rollup === undefined)
      pendingRows.set(site.id, { site, rollup: (rollup = createRollup(maxRowsPerSite)) })
    const before = rollup.size
    if (size >= maxPendingRows) return
    rollup.add(row)
    size += rollup.size - before
  }

  /** Debounces searches as you type: every letter is another query, only the last one counts. */
  function debounceSearch(name: string, next: PendingSearch): void {
    const before = pendingSearches.get(name)
    if (before !== undefined && !isSameSearch(before, next)) addRow(before.site, before.row)
    const { visitors, sessions } = before !== undefined && isSameSearch(before, next) ? before.row : next.row
    const row = { ...next.row, visitors, sessions }
    pendingSearches.set(name, { ...next, row })
    if (pendingSearches.size > maxTrackedReaders) flushSearches(Infinity)
  }

  function flushSearches(before: number): void {
    for (const [name, { site, row, at }] of pendingSearches) {
      if (at >= before) continue
      pendingSearches.delete(name)
      addRow(site, row)
    }
  }

  return {
    count(site, visitor, event) {
      const time = now()
      const day = Math.floor(time / millisPerDay)
      if (today.day !== day) today = { day, secret: randomBytes(16), readers: new Map() }
      const name = createHmac('sha256', today.secret).update(`${site.id} ${visitor.name}`).digest('base64url')
      const visit = countVisit(today.readers, name, time)
      if (visit === undefined) return
      const row = rowOf(site, visitor, event, { ...visit, time })
      const { spaceId, pageId, type, isKnownPage = false } = event
      if (type === 'page_view' && isKnownPage && spaceId != null && pageId != null)
        views.count(
          { organizationId: site.organization_id, siteId: site.id, spaceId, pageId },
          event.at ?? time,
        )
      const { query } = event.detail ?? {}
      if (type === 'search_type_query' && query !== undefined)
        debounceSearch(name, { site, row, query: normalizeQuery(query), at: time })
      else addRow(site, row)
    },

    async flush(isLast = false) {
      flushSearches(isLast ? Infinity : now() - typingTime)
      const sites = [...pendingRows.values()]
      pendingRows = new Map()
      size = 0
      try {
        await views.flush(now())
      } finally {
        await writeBatches(
          sites,
          ({ site, rollup }) =>
            database.writeWithLocks({ organizations: [site.organization_id] }, (tx) =>
              addEvents(tx, site, rollup.rows()),
            ),
          ({ site, rollup }) => rollup.rows().forEach((row) => addRow(site, row)),
        )
      }
    },
  }
}

function isSameSearch(before: PendingSearch, next: PendingSearch): boolean {
  return next.query.startsWith(before.query) || before.query.startsWith(next.query)
}

/** Returns whether this is a new reader or session today; undefined for a reader over the event limit. */
function countVisit(
  readers: Map<string, ReaderActivity>,
  name: string,
  time: number,
): { readonly visitors: number; readonly sessions: number } | undefined {
  const activity = readers.get(name)
  const thisMinute = Math.floor(time / minute)
  if (activity === undefined) {
    // Beyond the limit only events are counted, not readers or sessions.
    if (readers.size >= maxTrackedReaders) return { visitors: 0, sessions: 0 }
    readers.set(name, { last: time, minute: thisMinute, times: 1 })
    return { visitors: 1, sessions: 1 }
  }
  activity.times = activity.minute === thisMinute ? activity.times + 1 : 1
  activity.minute = thisMinute
  const isBack = time - activity.last > sessionTimeout
  activity.last = time
  return activity.times > maxEventsPerMinute ? undefined : { visitors: 0, sessions: isBack ? 1 : 0 }
}

interface CountedVisit {
  readonly visitors: number
  readonly sessions: number
  readonly time: number
}

function rowOf(
  site: CountedSite,
  visitor: CountedVisitor,
  { type, context, siteSpaceId, sectionId, spaceId, pageId, detail, at }: VisitorEvent,
  { visitors, sessions, time }: CountedVisit,
): EventRow {
  const { device, browser, system, bot } = readBrowser(visitor.userAgent)
  const { isAuthenticated = null } = visitor
  const detailText = detail && detailOf(detail)
  return withKey({
    organization_id: site.organization_id,
    site_id: site.id,
    hours: 1,
    hour: Math.floor((at ?? time) / millisPerHour),
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
    detail: detailText ?? null,
    events: 1,
    visitors,
    sessions,
  })
}

function detailOf({ query, rating, link, operation }: NonNullable<VisitorEvent['detail']>): string {
  const typed = query === undefined ? undefined : anonymousQuery(query)
  return JSON.stringify({
    ...(typed !== undefined && { query: typed }),
    ...(rating !== undefined && { rating }),
    ...(link !== undefined && {
      link: { kind: link.kind, domain: hostOf(link.domain) ?? undefined, position: link.position },
    }),
    ...(operation !== undefined && {
      operation: { method: truncate(operation.method.toLowerCase()), path: truncate(operation.path) },
    }),
  })
}

/** Returns the normalized query; undefined for what looks like personal data (e-mail addresses, phone numbers). */
function anonymousQuery(query: string): string | undefined {
  const written = normalizeQuery(query)
  return /@|\d[\d -]{6}/.test(written) ? undefined : written
}

function normalizeQuery(query: string): string {
  return truncate(query.trim().replace(/\s+/g, ' ').toLowerCase())
}

function truncate(text: string): string {
  // Replaces lone surrogates, which databases reject.
  return Buffer.from(text.replaceAll('\0', '').slice(0, maxDetailLength)).toString()
}

/** Returns the preferred language, without its region. */
function languageOf(header: string | null | undefined): string | null {
  return /^[a-z]{2,3}(?![a-z])/.exec((header ?? '').trim().toLowerCase())?.[0] ?? null
}

function countryOf(header: string | null | undefined): string | null {
  const code = (header ?? '').trim().toUpperCase()
  // Proxies send XX for an unknown country.
  return /^[A-Z]{2}$/.test(code) && code !== 'XX' ? code : null
}

function hostOf(header: string | null | undefined): string | null {
  if (header == null || header === '') return null
  const address = header.includes('://') ? header : `https://${header}`
  if (!URL.canParse(address)) return null
  const { hostname } = new URL(address)
  return hostname === '' || hostname.length > maxDetailLength ? null : hostname.replace(/^www\./, '')
}

/** Returns the values of the visitor's claims that the site is configured to count by. */
function claimsOf(site: CountedSite, { claims = {} }: CountedVisitor): string | null {
  const known = insightsOf(site)
    .claims.filter((name) => Object.hasOwn(claims, name))
    .map((name) => [name, claims[name]] as const)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  if (known.length === 0) return null
  return JSON.stringify(Object.fromEntries(known.map(([name, value]) => [name, truncate(String(value))])))
}
