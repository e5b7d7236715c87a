/**
 * What was counted, grouped and filtered by what is asked. The database adds up rows by the columns that matter, as many
 * at a time as one day may have, and others have their turn in between: a crowded year keeps nobody waiting. What a
 * column means is worked out here.
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
  unkeptColumns,
  unkeptFilters,
} from '../../contract/site-events.js'
import { mostDays } from '../../contract/site-insights.js'
import type { Db } from '../../store/db/database.js'
import { takeTurns } from '../../store/content/turns.js'
import { NotLetIn } from '../../store/search-workers/bounded-queue.js'
import type { SiteKey } from '../sites/structure-store.js'
import { type EventColumn, type EventSum, listSteps, millisecondsOfHour, sumEvents } from './event-store.js'

const hoursOfDay = 24
const usualLimit = 1_000
/** Characters that a group takes besides its values, about. */
const charactersOfGroup = 200
/** Groups that are put in order at once. */
const groupsAtOnce = 2_000

/** What one question may take; beyond, it has to be smaller. */
export interface Most {
  /** Values that are worked out: those of each sum, one for each column that is asked for. */
  readonly values: number
  /** Characters of groups that are held. */
  readonly held: number
}

/** A crowded year has 900,000 sums at most. */
const usualMost: Most = { values: 10_000_000, held: 20_000_000 }

type Value = string | number | boolean | null | { readonly page: string; readonly space: string }

/** A sum whose texts are read, once for all columns. */
interface ReadSum extends Omit<EventSum, 'claims' | 'detail'> {
  readonly claims: Readonly<Record<string, unknown>>
  readonly detail: Detail
}

interface Meaning {
  /** The columns of rows that it follows from. */
  readonly from: readonly EventColumn[]
  readonly of: (sum: ReadSum, column: Column) => Value
  /** Whether its values stand in an order, by which they are compared. */
  readonly isOrdered?: true
}

const meanings: Readonly<Record<Dimension, Meaning>> = {
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
  eventType: plain('type'),
  siteSection: plain('section_id'),
  siteSpace: plain('site_space_id'),
  displayContext: plain('context', 'site'),
  page: {
    from: ['space_id', 'page_id'],
    of: ({ space_id: space, page_id: page }) => (space == null || page == null ? null : { page, space }),
  },
  visitorGeoCountry: plain('country'),
  visitorDevice: plain('device', 'unknown'),
  visitorBrowser: plain('browser', 'unknown'),
  visitorOS: plain('system', 'unknown'),
  visitorBot: plain('bot', ''),
  visitorLanguage: plain('language'),
  visitorAuthenticated: {
    from: ['authenticated'],
    of: ({ authenticated }) => (authenticated == null ? null : authenticated === 1),
  },
  visitorClaim: {
    from: ['claims'],
    of: ({ claims }, { claim }) => (claims[claim!] as string | undefined) ?? '',
  },
  referrerDomain: plain('referrer', ''),
  eventLinkTargetKind: ofDetail(({ link }) => link?.kind, 'url'),
  eventLinkTargetDomain: ofDetail(({ link }) => link?.domain, null),
  eventLinkPosition: ofDetail(({ link }) => link?.position, 'content'),
  eventAPIOperationPath: ofDetail(({ operation }) => operation?.path, null),
  eventAPIOperationMethod: ofDetail(({ operation }) => operation?.method, null),
  eventSearchQuery: ofDetail(({ query }) => query, ''),
  eventPageFeedbackRating: ofDetail(({ rating }) => (typeof rating === 'string' ? rating : undefined), null),
  eventAskResponseRating: ofDetail(({ rating }) => (typeof rating === 'number' ? rating : undefined), null),
}

interface Detail {
  readonly query?: string
  readonly rating?: string | number
  readonly link?: { readonly kind: string; readonly domain?: string; readonly position: string }
  readonly operation?: { readonly method: string; readonly path: string }
}

/** What is added up; whatever it is of comes from the row as it is. */
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

/** Where sums are read, and for whom. */
interface Reading {
  readonly db: Db
  readonly site: SiteKey
  /** Aborted when whoever asks has gone. */
  readonly signal: AbortSignal
}

/** Returns what answers the question of the events of a site; throws 400 where it makes no sense, or takes too much. */
export function aggregation(
  asked: Aggregation,
  now: number,
  most: Most = usualMost,
): (reading: Reading) => Promise<SiteEvents> {
  const { select, groupBy = [], where = [], limit = usualLimit } = asked
  requireKept(asked)
  const range = rangeOf(asked.range, now)
  const chosen = select ?? [...groupBy, { column: 'eventsCount' as const }]
  const by = [...groupBy, ...chosen].filter(
    (one, at, all) => isDimension(one) && all.findIndex((other) => isSame(one, other)) === at,
  )
  const all = [...chosen, ...groupBy, ...where, ...(asked.order === undefined ? [] : [asked.order.by])]
  for (const one of all) requireClaim(one)
  const filters = where.map(filterOf)
  const order = orderOf(asked, by)
  const columns = [...new Set(all.flatMap(columnsOf))]
  const valuesOfSum = by.length + filters.length

  return async ({ db, site, signal }) => {
    const groups = openGroups(most.held)
    const turn = takeTurns()
    let values = 0
    for (const step of await listSteps(db, site, range)) {
      const sums = await sumEvents(db, site, { ...step, columns })
      values += sums.length * valuesOfSum
      if (values > most.values) refuse(tooMuch('values'))
      for (const one of sums) {
        await turn()
        if (signal.aborted) throw new NotLetIn('left')
        const sum = { ...one, claims: read(one.claims), detail: read(one.detail) as Detail }
        if (filters.some(({ ofRow }) => ofRow !== undefined && !ofRow(sum))) continue
        add(groups.of(by.map((column) => meaningOf(column).of(sum, column))), sum)
      }
    }
    // Without anything to group by everything is one group, of nothing perhaps.
    if (by.length === 0) groups.of([])
    const found = groups
      .all()
      .filter((group) => filters.every(({ ofGroup }) => ofGroup === undefined || ofGroup(group)))
    const first = await firstOf(found, order, limit, turn)
    return {
      columns: chosen.map((column) => ({
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

/** Returns the first ones in order; they are sorted a part at a time. */
async function firstOf(
  groups: readonly Group[],
  order: (one: Group, other: Group) => number,
  limit: number,
  turn: () => Promise<void> | undefined,
): Promise<readonly Group[]> {
  let first: readonly Group[] = []
  for (let at = 0; at < groups.length; at += groupsAtOnce) {
    await turn()
    first = [...first, ...groups.slice(at, at + groupsAtOnce)].toSorted(order).slice(0, limit)
  }
  return first
}

/** Opens room for groups, as long as they have no more characters than this. */
function openGroups(mostCharacters: number) {
  const groups = new Map<string, Group>()
  let characters = 0
  return {
    of(values: readonly Value[]): Group {
      const name = JSON.stringify(values)
      const known = groups.get(name)
      if (known !== undefined) return known
      characters += charactersOfGroup + name.length
      if (characters > mostCharacters) refuse(tooMuch('groups'))
      const made: Group = {
        name,
        values,
        eventsCount: 0,
        visitorsCount: 0,
        sessionsCount: 0,
        pageFeedbackRating: { ok: 0, good: 0, bad: 0 },
        askResponseRating: { positive: 0, negative: 0 },
      }
      groups.set(name, made)
      return made
    },
    all: () => [...groups.values()],
  }
}

function add(group: Group, { events, visitors, sessions, type, detail }: ReadSum): void {
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

interface Holds {
  readonly ofRow?: (sum: ReadSum) => boolean
  readonly ofGroup?: (group: Group) => boolean
}

function filterOf(filter: Filter, at: number): Holds {
  const { operator = 'in', values } = filter
  const isCount = !isDimension(filter)
  const isOrdered = isCount || meaningOf(filter).isOrdered === true
  const member = `where[${at}]`
  if (operator !== 'in' && operator !== 'notIn') {
    if (!isOrdered) refuse(`the member "${member}.operator" compares what has no order`)
    if (values.length !== 1) refuse(`the member "${member}.values" must have one value for its operator`)
  }
  const compared = values.map((value) => comparable(filter, value, `${member}.values`))
  const names = new Set(compared.map((value) => JSON.stringify(value)))
  const [bound] = compared as [number]
  const holds = (value: unknown): boolean => {
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
  if (isCount) return { ofGroup: (group) => holds(group[filter.column as 'eventsCount']) }
  const { of } = meaningOf(filter)
  const isTime = filter.column === 'datetime'
  return {
    ofRow: (sum) => {
      const value = of(sum, filter as Column)
      return holds(isTime ? Date.parse(value as string) : value)
    },
  }
}

/** Returns a value that is asked for as those of its column are; throws 400 for one that cannot be among them. */
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
  const usual = time === undefined ? ({ column: 'eventsCount' } as const) : time
  const column = order?.by ?? usual
  const isDescending = order === undefined ? time === undefined : order.direction === 'desc'
  const isShown = !isDimension(column) || by.some((one) => isSame(one, column))
  if (!isShown) refuse('the member "order.by" names a column that is neither selected nor grouped by')
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

/** Returns the hours of a range, the last one not among them. */
function rangeOf(range: Aggregation['range'], now: number): { readonly from: number; readonly to: number } {
  if (typeof range === 'string') {
    const to = Math.floor(now / millisecondsOfHour) + 1
    const hours = daysOf[range] * hoursOfDay
    const from = to - hours
    // Whole days, for a range of days.
    return { from: hours === hoursOfDay ? from : Math.floor(from / hoursOfDay) * hoursOfDay, to }
  }
  const [from, to] = [
    Math.floor(Date.parse(range.from) / millisecondsOfHour),
    Math.ceil(Date.parse(range.to) / millisecondsOfHour),
  ]
  if (!(from < to && to - from <= (mostDays + 1) * hoursOfDay))
    refuse(`the member "range" does not name at most ${mostDays} days, the first one first`)
  return { from, to }
}

/** Returns when the hour, day, week (from Monday) or month begins in which an hour lies. */
function startOf(hour: number, interval: Column['interval']): string {
  const date = new Date(hour * millisecondsOfHour)
  if (interval !== undefined && interval !== 'hour') date.setUTCHours(0)
  if (interval === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  if (interval === 'month') date.setUTCDate(1)
  return date.toISOString()
}

function plain(column: EventColumn, otherwise: string | null = null): Meaning {
  return { from: [column], of: (sum) => (sum[column] as string | null) ?? otherwise }
}

function ofDetail(pick: (detail: Detail) => string | number | undefined, otherwise: string | null): Meaning {
  return { from: ['detail'], of: ({ detail }) => pick(detail) ?? otherwise }
}

function read(json: string | null | undefined): Readonly<Record<string, unknown>> {
  return json == null ? {} : (JSON.parse(json) as Record<string, unknown>)
}

type Named = Pick<Column, 'column' | 'claim' | 'interval'>

function isDimension({ column }: Pick<Named, 'column'>): boolean {
  return (dimensions as readonly string[]).includes(column)
}

function meaningOf({ column }: Pick<Named, 'column'>): Meaning {
  return meanings[column as Dimension]
}

function columnsOf(one: Named): readonly EventColumn[] {
  return isDimension(one) ? meaningOf(one).from : measures[one.column as Measure]
}

function isSame(one: Named, other: Named): boolean {
  return one.column === other.column && one.claim === other.claim && one.interval === other.interval
}

/** Throws 400 for a column that clients know and nothing is kept of, with the reason. */
function requireKept({ select = [], groupBy = [], where = [], order }: Aggregation): void {
  const require = ({ column }: Named, member: string, unkept: ReadonlyMap<string, string>) => {
    const reason = unkept.get(column)
    if (reason !== undefined) refuse(`the member "${member}.column" names "${column}": ${reason}`)
  }
  for (const [at, one] of select.entries()) require(one, `select[${at}]`, unkeptColumns)
  for (const [at, one] of groupBy.entries()) require(one, `groupBy[${at}]`, unkeptColumns)
  for (const [at, one] of where.entries()) require(one, `where[${at}]`, unkeptFilters)
  if (order !== undefined) require(order.by, 'order.by', unkeptColumns)
}

function requireClaim({ column, claim }: Named): void {
  if (column === 'visitorClaim' && claim === undefined)
    refuse('a column "visitorClaim" has no member "claim", which says which one is meant')
}

function refuse(problem: string): never {
  throw new ApiError('invalid_request', { problem })
}
