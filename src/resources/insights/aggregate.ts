/**
 * Aggregation queries (group by, filter, order) over event rollups. The database sums rows by the needed columns, at
 * most one day's worth per query, and the event loop gets time in between, so that a busy year does not block other
 * requests. Dimensions are derived from columns in memory.
 */
import { ApiError } from '../../contract/errors.js'
import {
  type Aggregation,
  type Column,
  type Dimension,
  type Filter,
  type Measure,
  type SiteEvents,
  dimensions,
  unsupportedColumns,
  unsupportedFilters,
} from '../../contract/site-events.js'
import { maxDays } from '../../contract/site-insights.js'
import type { Db } from '../../store/db/database.js'
import { yieldToEventLoop } from '../../store/content/yield-to-event-loop.js'
import { QueueRejection } from '../../store/search-workers/bounded-queue.js'
import type { SiteKey } from '../sites/structure-store.js'
import { type EventColumn, type EventSum, listHourRanges, millisPerHour, sumEvents } from './event-store.js'

const hoursOfDay = 24
const defaultLimit = 1_000
/** Approximate characters of a group besides its values. */
const charactersOfGroup = 200
/** Groups that are sorted without yielding. */
const groupsPerSort = 2_000

/** Resource limits of one query; beyond them it is refused. */
export interface AggregationLimits {
  /** Values computed: for each sum, one per requested column. */
  readonly values: number
  /** Characters of groups in memory. */
  readonly characters: number
}

/** A year at the row limit has 900,000 sums at most. */
const defaultLimits: AggregationLimits = { values: 10_000_000, characters: 20_000_000 }

type Value = string | number | boolean | null | { readonly page: string; readonly space: string }

/** A sum with its JSON parsed, once for all columns. */
interface ParsedSum extends Omit<EventSum, 'claims' | 'detail'> {
  readonly claims: Readonly<Record<string, unknown>>
  readonly detail: Detail
}

interface DimensionReader {
  /** The columns of rows that the dimension is derived from. */
  readonly from: readonly EventColumn[]
  readonly of: (sum: ParsedSum, column: Column) => Value
  /** Whether its values are ordered and can be compared. */
  readonly isOrdered?: true
}

const dimensionReaders: Readonly<Record<Dimension, DimensionReader>> = {
  datetime: {
    from: ['hour'],
    of: ({ hour }, { interval }) => startOf(hour!, interval),
    isOrdered: true,
  },
  // From Monday, which is 1; the first day of 1970 was a Thursday.
  dayOfWeek: {
    from: ['hour'],
    of: ({ hour }) => ((Math.floor(hour! / hoursOfDay) + 3) % 7) + 1,
    isOrdered: true,
  },
  hourOfDay: { from: ['hour'], of: ({ hour }) => hour! % hoursOfDay, isOrdered: true },
  eventType: readColumn('type'),
  siteSection: readColumn('section_id'),
  siteSpace: readColumn('site_space_id'),
  displayContext: readColumn('context', 'site'),
  page: {
    from: ['space_id', 'page_id'],
    of: ({ space_id: space, page_id: page }) => (space == null || page == null ? null : { page, space }),
  },
  visitorGeoCountry: readColumn('country'),
  visitorDevice: readColumn('device', 'unknown'),
  visitorBrowser: readColumn('browser', 'unknown'),
  visitorOS: readColumn('system', 'unknown'),
  visitorBot: readColumn('bot', ''),
  visitorLanguage: readColumn('language'),
  visitorAuthenticated: {
    from: ['authenticated'],
    of: ({ authenticated }) => (authenticated == null ? null : authenticated === 1),
  },
  visitorClaim: {
    from: ['claims'],
    of: ({ claims }, { claim }) => (claims[claim!] as string | undefined) ?? '',
  },
  referrerDomain: readColumn('referrer', ''),
  eventLinkTargetKind: readDetail(({ link }) => link?.kind, 'url'),
  eventLinkTargetDomain: readDetail(({ link }) => link?.domain, null),
  eventLinkPosition: readDetail(({ link }) => link?.position, 'content'),
  eventAPIOperationPath: readDetail(({ operation }) => operation?.path, null),
  eventAPIOperationMethod: readDetail(({ operation }) => operation?.method, null),
  eventSearchQuery: readDetail(({ query }) => query, ''),
  eventPageFeedbackRating: readDetail(
    ({ rating }) => (typeof rating === 'string' ? rating : undefined),
    null,
  ),
  eventAskResponseRating: readDetail(({ rating }) => (typeof rating === 'number' ? rating : undefined), null),
}

interface Detail {
  readonly query?: string
  readonly rating?: string | number
  readonly link?: { readonly kind: string; readonly domain?: string; readonly position: string }
  readonly operation?: { readonly method: string; readonly path: string }
}

/** The measures, and the columns that each needs. */
const measures: Readonly<Record<Measure, readonly EventColumn[]>> = {
  eventsCount: [],
  visitorsCount: [],
  sessionsCount: [],
  pageFeedbackRating: ['type', 'detail'],
  askResponseRating: ['type', 'detail'],
}

interface Group {
  readonly name: string
  readonly values: readonly Value[]
  eventsCount: number
  visitorsCount: number
  sessionsCount: number
  readonly pageFeedbackRating: { ok: number; good: number; bad: number }
  readonly askResponseRating: { positive: number; negative: number }
}

/** The site whose sums are read. */
interface AggregationSource {
  readonly db: Db
  readonly site: SiteKey
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

/** Returns the function that runs the query on a site; throws 400 for an invalid query, and when it exceeds the limits. */
export function aggregation(
  request: Aggregation,
  now: number,
  limits: AggregationLimits = defaultLimits,
): (source: AggregationSource) => Promise<SiteEvents> {
  const { select, groupBy = [], where = [], limit = defaultLimit } = request
  requireStoredColumns(request)
  const range = rangeOf(request.range, now)
  const selected = select ?? [...groupBy, { column: 'eventsCount' as const }]
  const by = [...groupBy, ...selected].filter(
    (one, at, all) => isDimension(one) && all.findIndex((other) => isSame(one, other)) === at,
  )
  const all = [...selected, ...groupBy, ...where, ...(request.order === undefined ? [] : [request.order.by])]
  for (const one of all) requireClaim(one)
  const filters = where.map(filterOf)
  const order = orderOf(request, by)
  const columns = [...new Set(all.flatMap(columnsOf))]
  const valuesOfSum = by.length + filters.length

  return async ({ db, site, signal }) => {
    const groups = createGroups(limits.characters)
    const yieldIfDue = yieldToEventLoop()
    let values = 0
    for (const step of await listHourRanges(db, site, range)) {
      const sums = await sumEvents(db, site, { ...step, columns })
      values += sums.length * valuesOfSum
      if (values > limits.values) refuse(tooMuch('values'))
      for (const one of sums) {
        await yieldIfDue()
        if (signal.aborted) throw new QueueRejection('left')
        const sum = { ...one, claims: parseObject(one.claims), detail: parseObject(one.detail) as Detail }
        if (filters.some(({ matchesRow }) => matchesRow !== undefined && !matchesRow(sum))) continue
        add(groups.of(by.map((column) => dimensionReaderOf(column).of(sum, column))), sum)
      }
    }
    // Without dimensions all events are one group, even when there are none.
    if (by.length === 0) groups.of([])
    const found = groups
      .all()
      .filter((group) =>
        filters.every(({ matchesGroup }) => matchesGroup === undefined || matchesGroup(group)),
      )
    const first = await firstOf(found, order, limit, yieldIfDue)
    return {
      columns: selected.map((column) => ({
        column: column.column,
        ...(column.claim !== undefined && { claim: column.claim }),
        values: first.map((group) => valueOf(group, column, by)),
      })),
    }
  }
}

function tooMuch(what: string): string {
  return `what is asked has too many ${what}: a shorter range or fewer columns have less`
}

/** Returns the top `limit` groups; sorted in chunks, yielding in between. */
async function firstOf(
  groups: readonly Group[],
  order: (one: Group, other: Group) => number,
  limit: number,
  yieldIfDue: () => Promise<void> | undefined,
): Promise<readonly Group[]> {
  let first: readonly Group[] = []
  for (let at = 0; at < groups.length; at += groupsPerSort) {
    await yieldIfDue()
    first = [...first, ...groups.slice(at, at + groupsPerSort)].toSorted(order).slice(0, limit)
  }
  return first
}

/** Creates a group table that refuses to exceed this many characters. */
function createGroups(maxCharacters: number) {
  const groups = new Map<string, Group>()
  let characters = 0
  return {
    of(values: readonly Value[]): Group {
      const name = JSON.stringify(values)
      const existing = groups.get(name)
      if (existing !== undefined) return existing
      characters += charactersOfGroup + name.length
      if (characters > maxCharacters) refuse(tooMuch('groups'))
      const group: Group = {
        name,
        values,
        eventsCount: 0,
        visitorsCount: 0,
        sessionsCount: 0,
        pageFeedbackRating: { ok: 0, good: 0, bad: 0 },
        askResponseRating: { positive: 0, negative: 0 },
      }
      groups.set(name, group)
      return group
    },
    all: () => [...groups.values()],
  }
}

function add(group: Group, { events, visitors, sessions, type, detail }: ParsedSum): void {
  group.eventsCount += events
  group.visitorsCount += visitors
  group.sessionsCount += sessions
  const { rating } = detail
  if (type === 'page_post_feedback' && typeof rating === 'string')
    group.pageFeedbackRating[rating as 'ok' | 'good' | 'bad'] += events
  if (type === 'ask_rate_response' && typeof rating === 'number')
    group.askResponseRating[rating > 0 ? 'positive' : 'negative'] += events
}

function valueOf(group: Group, column: Column, by: readonly Column[]): unknown {
  if (isDimension(column)) return group.values[by.findIndex((one) => isSame(one, column))]
  return group[column.column as Measure]
}

interface FilterPredicates {
  readonly matchesRow?: (sum: ParsedSum) => boolean
  readonly matchesGroup?: (group: Group) => boolean
}

function filterOf(filter: Filter, at: number): FilterPredicates {
  const { operator = 'in', values } = filter
  const isCount = !isDimension(filter)
  const isOrdered = isCount || dimensionReaderOf(filter).isOrdered === true
  const member = `where[${at}]`
  if (operator !== 'in' && operator !== 'notIn') {
    if (!isOrdered) refuse(`the member "${member}.operator" compares what has no order`)
    if (values.length !== 1) refuse(`the member "${member}.values" must have one value for its operator`)
  }
  const compared = values.map((value) => comparable(filter, value, `${member}.values`))
  const names = new Set(compared.map((value) => JSON.stringify(value)))
  const [bound] = compared as [number]
  const matches = (value: unknown): boolean => {
    switch (operator) {
      case 'in':
        return names.has(JSON.stringify(value))
      case 'notIn':
        return !names.has(JSON.stringify(value))
      case 'greaterThan':
        return (value as number) > bound
      case 'greaterThanOrEqual':
        return (value as number) >= bound
      case 'lessThan':
        return (value as number) < bound
      case 'lessThanOrEqual':
        return (value as number) <= bound
    }
  }
  if (isCount) return { matchesGroup: (group) => matches(group[filter.column as 'eventsCount']) }
  const { of } = dimensionReaderOf(filter)
  const isTime = filter.column === 'datetime'
  return {
    matchesRow: (sum) => {
      const value = of(sum, filter as Column)
      return matches(isTime ? Date.parse(value as string) : value)
    },
  }
}

/** Converts a filter value to the type of its column; throws 400 for a value of another type. */
function comparable({ column }: Pick<Filter, 'column'>, value: unknown, member: string): unknown {
  if (column === 'datetime') {
    const time = typeof value === 'string' ? Date.parse(value) : NaN
    if (Number.isNaN(time)) refuse(`the member "${member}" has a value that is no time`)
    return time
  }
  if (column === 'page' && value !== null) {
    const { page, space } = (typeof value === 'object' ? value : {}) as { page?: unknown; space?: unknown }
    if (typeof page !== 'string' || typeof space !== 'string')
      refuse(`the member "${member}" has a value that names no page of a space`)
    return { page, space }
  }
  const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value)
  if (!isPlain) refuse(`the member "${member}" has a value of another kind than those of its column`)
  const isNumber = !isDimension({ column }) || column === 'dayOfWeek' || column === 'hourOfDay'
  if (isNumber && typeof value !== 'number') refuse(`the member "${member}" has a value that is no number`)
  return value
}

function orderOf({ order }: Aggregation, by: readonly Column[]): (one: Group, other: Group) => number {
  const time = by.find(({ column }) => column === 'datetime')
  const defaultColumn = time === undefined ? ({ column: 'eventsCount' } as const) : time
  const column = order?.by ?? defaultColumn
  const isDescending = order === undefined ? time === undefined : order.direction === 'desc'
  const isSelected = !isDimension(column) || by.some((one) => isSame(one, column))
  if (!isSelected) refuse('the member "order.by" names a column that is neither selected nor grouped by')
  if (column.column === 'pageFeedbackRating' || column.column === 'askResponseRating')
    refuse('the member "order.by" names a column of more than one number')
  return (one, other) => {
    const order = compare(valueOf(one, column, by), valueOf(other, column, by))
    return (isDescending ? -order : order) || compare(one.name, other.name)
  }
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  const isText = typeof one === 'string' && typeof other === 'string'
  const [first, second] = isText ? [one, other] : [JSON.stringify(one), JSON.stringify(other)]
  return first < second ? -1 : first > second ? 1 : 0
}

const daysOf = { lastYear: 365, last3Months: 90, last30Days: 30, last7Days: 7, last24Hours: 1 } as const

/** Returns the hours of a range, half-open. */
function rangeOf(range: Aggregation['range'], now: number): { readonly from: number; readonly to: number } {
  if (typeof range === 'string') {
    const to = Math.floor(now / millisPerHour) + 1
    const hours = daysOf[range] * hoursOfDay
    const from = to - hours
    // Ranges in days begin at midnight UTC.
    return { from: hours === hoursOfDay ? from : Math.floor(from / hoursOfDay) * hoursOfDay, to }
  }
  const [from, to] = [
    Math.floor(Date.parse(range.from) / millisPerHour),
    Math.ceil(Date.parse(range.to) / millisPerHour),
  ]
  if (!(from < to && to - from <= (maxDays + 1) * hoursOfDay))
    refuse(`the member "range" does not name at most ${maxDays} days, the first one first`)
  return { from, to }
}

/** Returns the start of the hour, day, week (from Monday) or month that contains an hour. */
function startOf(hour: number, interval: Column['interval']): string {
  const date = new Date(hour * millisPerHour)
  if (interval !== undefined && interval !== 'hour') date.setUTCHours(0)
  if (interval === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  if (interval === 'month') date.setUTCDate(1)
  return date.toISOString()
}

function readColumn(column: EventColumn, otherwise: string | null = null): DimensionReader {
  return { from: [column], of: (sum) => (sum[column] as string | null) ?? otherwise }
}

function readDetail(
  pick: (detail: Detail) => string | number | undefined,
  otherwise: string | null,
): DimensionReader {
  return { from: ['detail'], of: ({ detail }) => pick(detail) ?? otherwise }
}

function parseObject(json: string | null | undefined): Readonly<Record<string, unknown>> {
  return json == null ? {} : (JSON.parse(json) as Record<string, unknown>)
}

type ColumnReference = Pick<Column, 'column' | 'claim' | 'interval'>

function isDimension({ column }: Pick<ColumnReference, 'column'>): boolean {
  return (dimensions as readonly string[]).includes(column)
}

function dimensionReaderOf({ column }: Pick<ColumnReference, 'column'>): DimensionReader {
  return dimensionReaders[column as Dimension]
}

function columnsOf(one: ColumnReference): readonly EventColumn[] {
  return isDimension(one) ? dimensionReaderOf(one).from : measures[one.column as Measure]
}

function isSame(one: ColumnReference, other: ColumnReference): boolean {
  return one.column === other.column && one.claim === other.claim && one.interval === other.interval
}

/** Throws 400, with the reason, for a column of the API that is not recorded. */
function requireStoredColumns({ select = [], groupBy = [], where = [], order }: Aggregation): void {
  const require = ({ column }: ColumnReference, member: string, reasons: ReadonlyMap<string, string>) => {
    const reason = reasons.get(column)
    if (reason !== undefined) refuse(`the member "${member}.column" names "${column}": ${reason}`)
  }
  for (const [at, one] of select.entries()) require(one, `select[${at}]`, unsupportedColumns)
  for (const [at, one] of groupBy.entries()) require(one, `groupBy[${at}]`, unsupportedColumns)
  for (const [at, one] of where.entries()) require(one, `where[${at}]`, unsupportedFilters)
  if (order !== undefined) require(order.by, 'order.by', unsupportedColumns)
}

function requireClaim({ column, claim }: ColumnReference): void {
  if (column === 'visitorClaim' && claim === undefined)
    refuse('a column "visitorClaim" has no member "claim", which says which one is meant')
}

function refuse(problem: string): never {
  throw new ApiError('invalid_request', { problem })
}
