/** Site analytics: events of visitors, reported by renderers and aggregated for admins of the site. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { NullableString, Timestamp, Url, Words, shape } from './shapes.js'
import { maxFeedbackLength, maxDays, ratings } from './site-insights.js'

export const eventTypes = [
  'page_view',
  'page_markdown_request',
  'search_open',
  'search_type_query',
  'search_open_result',
  'page_post_feedback',
  'page_post_feedback_comment',
  'ask_question',
  'ask_view',
  'ask_rate_response',
  'link_click',
  'api_client_open',
  'api_client_request',
  'llms_request',
  'mcp_request',
  'rss_request',
] as const
export type EventType = (typeof eventTypes)[number]

export const displayContexts = ['site', 'server', 'embed', 'mcp'] as const
export const linkPositions = ['announcement', 'header', 'footer', 'sidebar', 'content'] as const
const linkKinds = [
  'url',
  'page',
  'file',
  'anchor',
  'space',
  'collection',
  'user',
  'reusable-content',
  'tag',
  'openapi',
] as const

/** Stored characters of a search query, and of other texts that a renderer reports. */
export const maxDetailLength = 100
/** Claims by which a site counts, and characters of each name. */
const maxClaims = 5
const maxClaimLength = 64
/** Claims that one visitor may be reported with. */
const maxReportedClaims = 1_000

const Session = Type.Object({
  visitorId: Type.String({
    maxLength: 256,
    description: 'Distinguishes visitors within a day; not stored.',
  }),
  sessionId: Type.Optional(Type.String({ maxLength: 256 })),
  userAgent: Type.String({
    maxLength: 2048,
    description: 'Only the kinds of device, browser and system are stored.',
  }),
  language: NullableString({ maxLength: 64 }),
  referrer: NullableString({ maxLength: 2048, description: 'Only the host is stored.' }),
  visitorAuthClaims: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      maxProperties: maxReportedClaims,
      description: 'Only the claims of the insights settings are stored.',
    }),
  ),
})

const Location = Type.Object({
  url: Url,
  displayContext: Type.Optional(Words(displayContexts)),
  siteSection: NullableString({ maxLength: 64 }),
  siteSpace: NullableString({ maxLength: 64 }),
  siteShareKey: NullableString({
    maxLength: 256,
    description: 'Not stored, because it gives access to the site.',
  }),
  space: NullableString({ maxLength: 64 }),
  revision: NullableString({ maxLength: 64 }),
  page: NullableString({ maxLength: 64 }),
})

const ReportedEvent = Type.Object({
  type: Words(eventTypes),
  session: Session,
  location: Location,
  timestamp: Type.Optional(Timestamp),
  query: Type.Optional(Type.String({ maxLength: 1024, description: 'The search query or question.' })),
  rating: Type.Optional(Type.Unsafe<1 | -1>({ type: 'integer', enum: [1, -1] })),
  feedback: Type.Optional(
    Type.Object({
      rating: Words(ratings),
      comment: Type.Optional(
        Type.String({ maxLength: maxFeedbackLength, description: 'Not stored with the event.' }),
      ),
    }),
  ),
  link: Type.Optional(
    Type.Object({
      target: Type.Object({
        kind: Words(linkKinds),
        url: Type.Optional(Type.String({ maxLength: 2048, description: 'Only the host is stored.' })),
      }),
      position: Words(linkPositions),
    }),
  ),
  operation: Type.Optional(
    Type.Object({ path: Type.String({ maxLength: 1024 }), method: Type.String({ maxLength: 16 }) }),
  ),
})
export type ReportedEvent = Static<typeof ReportedEvent>

export const dimensions = [
  'datetime',
  'dayOfWeek',
  'hourOfDay',
  'eventType',
  'siteSection',
  'siteSpace',
  'displayContext',
  'page',
  'visitorGeoCountry',
  'visitorDevice',
  'visitorBrowser',
  'visitorOS',
  'visitorBot',
  'visitorLanguage',
  'visitorAuthenticated',
  'visitorClaim',
  'referrerDomain',
  'eventLinkTargetKind',
  'eventLinkTargetDomain',
  'eventLinkPosition',
  'eventAPIOperationPath',
  'eventAPIOperationMethod',
  'eventSearchQuery',
  'eventPageFeedbackRating',
  'eventAskResponseRating',
] as const
export type Dimension = (typeof dimensions)[number]

export const counts = ['eventsCount', 'visitorsCount', 'sessionsCount'] as const
export const ratingCounts = ['pageFeedbackRating', 'askResponseRating'] as const
export type Measure = (typeof counts)[number] | (typeof ratingCounts)[number]

const columns = [...dimensions, ...counts, ...ratingCounts] as const
export type ColumnName = (typeof columns)[number]

const filtered = [...dimensions, ...counts] as const

const byPage = 'pages are counted, not addresses: ask for "page"'
const noParameters = 'of addresses that lead here no parameters are kept: ask for "referrerDomain"'
const noSuchEvents =
  'no events have it here: sites show no advertisements, and count no clicks on their maker'
const notRecorded = 'it is not kept of events'

/** Columns that clients know but that are not recorded, each with the alternative for the error message. */
export const unsupportedColumns: ReadonlyMap<string, string> = new Map([
  ['url', byPage],
  ['urlPath', byPage],
  ['siteShareKey', 'it is not kept: it opens the site'],
  ['visitorGeoPoint', 'countries are counted, not places: ask for "visitorGeoCountry"'],
  ['visitorClaimProperty', 'claims are counted by name: ask for "visitorClaim" with "claim"'],
  ['referrer', 'hosts are counted, not addresses: ask for "referrerDomain"'],
  ['utmSource', noParameters],
  ['utmMedium', noParameters],
  ['utmCampaign', noParameters],
  ['utmTerm', noParameters],
  ['utmContent', noParameters],
  ['eventLinkTargetValue', 'hosts are counted, not addresses: ask for "eventLinkTargetDomain"'],
  ['eventPageFeedbackComment', 'it is not counted, but listed at insights/feedback'],
  ['eventLLMSVariant', notRecorded],
  ['eventMarkdownSource', notRecorded],
  ['eventPageNotFoundType', notRecorded],
  ['eventSearchResultRecordId', notRecorded],
  ['eventAdDomain', noSuchEvents],
  ['eventAdPlacement', noSuchEvents],
  ['eventTrademarkPlacement', noSuchEvents],
])

/** Columns that cannot be filtered: a rating is several numbers, which no single value matches. */
export const unsupportedFilters: ReadonlyMap<string, string> = new Map([
  ...unsupportedColumns,
  ['pageFeedbackRating', 'it is several numbers: filter by "eventPageFeedbackRating"'],
  ['askResponseRating', 'it is several numbers: filter by "eventAskResponseRating"'],
])

/** One of the words, or a known but unsupported one, which the handler refuses with a reason. */
function KnownWords<const Values extends readonly string[]>(
  values: Values,
  refused: ReadonlyMap<string, string>,
) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values, ...refused.keys()] })
}

export const intervals = ['hour', 'day', 'week', 'month'] as const
export const presets = ['lastYear', 'last3Months', 'last30Days', 'last7Days', 'last24Hours'] as const
export const operators = [
  'in',
  'notIn',
  'greaterThan',
  'greaterThanOrEqual',
  'lessThan',
  'lessThanOrEqual',
] as const

const Claim = Type.String({ minLength: 1, maxLength: maxClaimLength })

const Column = Type.Object({
  column: KnownWords(columns, unsupportedColumns),
  interval: Type.Optional(
    Words(intervals, { description: 'For "datetime": the interval, an hour when absent.' }),
  ),
  claim: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: maxClaimLength,
      description: 'For "visitorClaim": the name of the claim.',
    }),
  ),
})
export type Column = Static<typeof Column>

const Filter = Type.Object({
  column: KnownWords(filtered, unsupportedFilters),
  claim: Type.Optional(Claim),
  operator: Type.Optional(Words(operators, { description: 'The comparison; "in" when absent.' })),
  values: Type.Array(Type.Unknown(), { maxItems: 100 }),
})
export type Filter = Static<typeof Filter>

const Columns = (description: string) => Type.Optional(Type.Array(Column, { maxItems: 20, description }))

const Range = Type.Union([
  Words(presets),
  Type.Object({ from: Timestamp, to: Timestamp }, { description: `At most ${maxDays} days.` }),
])

const Aggregation = Type.Object({
  range: Range,
  select: Columns('The columns to return; the grouped ones and "eventsCount" when absent.'),
  groupBy: Columns('Events with equal values in these columns are counted together.'),
  where: Type.Optional(Type.Array(Filter, { maxItems: 20, description: 'Filters, which must all match.' })),
  order: Type.Optional(Type.Object({ by: Column, direction: Words(['asc', 'desc']) })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 1000 })),
})
export type Aggregation = Static<typeof Aggregation>

export const SiteEvents = shape(
  'SiteEvents',
  Type.Object({
    columns: Type.Array(
      Type.Object({
        column: Words(columns),
        claim: Type.Optional(Type.String()),
        values: Type.Array(Type.Unknown(), {
          description: 'One value for each group, in the same order for all columns.',
        }),
      }),
    ),
  }),
)
export type SiteEvents = Static<typeof SiteEvents>

export const InsightsSettings = shape(
  'SiteInsightsSettings',
  Type.Object({
    object: Type.Literal('site-insights-settings'),
    days: Type.Integer({
      minimum: 1,
      maximum: maxDays,
      description: 'Number of days for which events are stored.',
    }),
    claims: Type.Array(Claim, {
      maxItems: maxClaims,
      description: 'Claims of visitors by which events are counted.',
    }),
  }),
)
export type InsightsSettings = Static<typeof InsightsSettings>

const insights = '/orgs/:organizationId/sites/:siteId/insights' as const
const tag = 'Site insights'

export const trackEvents = endpoint('trackEventsInSiteById', 'POST', `${insights}/events`, {
  summary: 'Report visitor events',
  description: 'Records what visitors of a site did, for renderers other than this server.',
  tag,
  anonymous: true,
  crossOrigin: true,
  readers: true,
  reads: true,
  body: Type.Object({ events: Type.Array(ReportedEvent, { maxItems: 100 }) }),
  success: 204,
})

export const aggregateEvents = endpoint('aggregateSiteEvents', 'POST', `${insights}/events/aggregate`, {
  summary: 'Aggregate visitor events',
  description: 'Counts the recorded events of visitors, grouped by their properties.',
  tag,
  reads: true,
  body: Aggregation,
  reply: SiteEvents,
})

export const getInsightsSettings = endpoint('getSiteInsightsSettings', 'GET', `${insights}/settings`, {
  summary: 'Get the insights settings',
  description: 'Returns how long visitor events are stored, and by which claims they are counted.',
  tag,
  reply: InsightsSettings,
})

export const updateInsightsSettings = endpoint(
  'updateSiteInsightsSettings',
  'PATCH',
  `${insights}/settings`,
  {
    summary: 'Update the insights settings',
    description: 'Changes how long visitor events are stored, and by which claims they are counted.',
    tag,
    body: Type.Object({
      days: Type.Optional(InsightsSettings.properties.days),
      claims: Type.Optional(InsightsSettings.properties.claims),
    }),
    reply: InsightsSettings,
  },
)
