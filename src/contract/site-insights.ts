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
  Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description }))

const insights = '/orgs/:organizationId/sites/:siteId/insights' as const
const tag = 'site insights'

export const listPageFeedback = endpoint('listSitePageFeedback', 'GET', `${insights}/feedback`, {
  summary: 'What readers answered when they were asked whether a page helped, the latest first',
  tag,
  query: listQueryWith({
    rating: Type.Optional(Words(ratings)),
    commented: Type.Optional(Type.Boolean({ description: 'True: only what comes with a comment.' })),
  }),
  reply: ListOf(PageFeedback),
})

export const listPageInsights = endpoint('listSitePageInsights', 'GET', `${insights}/pages`, {
  summary: 'How often each page was read, and what readers thought of it, the most read first',
  tag,
  query: listQueryWith({
    from: Day('The first day, in UTC; 30 days back when absent.'),
    to: Day('The last day, in UTC; today when absent.'),
  }),
  reply: ListOf(PageInsights),
})
