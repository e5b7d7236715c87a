/** Site insights: feedback on pages and page views, for admins of the site. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { ListOf, Timestamp, Words, listQueryWith, shape } from './shapes.js'

export const ratings = ['bad', 'ok', 'good'] as const
export type Rating = (typeof ratings)[number]

/** Characters of a comment. */
export const maxFeedbackLength = 512
/** Days that are stored, and that one request may cover. */
export const maxDays = 400

export const PageFeedback = shape(
  'PageFeedback',
  Type.Object({
    object: Type.Literal('page-feedback'),
    id: Type.String(),
    createdAt: Timestamp,
    space: Type.String(),
    page: Type.String(),
    rating: Words(ratings),
    comment: Type.Optional(Type.String({ maxLength: maxFeedbackLength })),
  }),
)
export type PageFeedback = Static<typeof PageFeedback>

export const PageInsights = shape(
  'PageInsights',
  Type.Object({
    object: Type.Literal('page-insights'),
    space: Type.String(),
    page: Type.String(),
    views: Type.Integer(),
    feedback: Type.Object({ good: Type.Integer(), ok: Type.Integer(), bad: Type.Integer() }),
  }),
)
export type PageInsights = Static<typeof PageInsights>

const Day = (description: string) =>
  Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description, examples: ['2026-01-31'] }))

const insights = '/orgs/:organizationId/sites/:siteId/insights' as const
const tag = 'Site insights'

export const listPageFeedback = endpoint('listSitePageFeedback', 'GET', `${insights}/feedback`, {
  summary: 'List page feedback',
  description: 'Returns what readers answered when they were asked whether a page helped, latest first.',
  tag,
  query: listQueryWith({
    rating: Type.Optional(Words(ratings, { description: 'Only feedback with this rating.' })),
    commented: Type.Optional(Type.Boolean({ description: 'True returns only feedback with a comment.' })),
  }),
  reply: ListOf(PageFeedback),
})

export const listPageInsights = endpoint('listSitePageInsights', 'GET', `${insights}/pages`, {
  summary: 'List page statistics',
  description: 'Returns how often each page was read and how readers rated it, most read first.',
  tag,
  query: listQueryWith({
    from: Day('The first day, in UTC; 30 days back when absent.'),
    to: Day('The last day, in UTC; today when absent.'),
  }),
  reply: ListOf(PageInsights),
})
