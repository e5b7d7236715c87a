/** Routes of page feedback and page views of a site. */
import { type Route, route } from '../../access/route/route.js'
import { ApiError } from '../../contract/errors.js'
import * as operations from '../../contract/site-insights.js'
import { type FeedbackRow, type PageFigures, listFeedback, listFigures, millisPerDay } from './store.js'
import { inSite } from '../sites/scope.js'

/** Default period in days, including today. */
const defaultDays = 30

export const siteInsightsRoutes: readonly Route[] = [
  route(operations.listPageFeedback, {
    at: inSite,
    allow: 'administer',
    handle: async ({ db, site, query }) => {
      const list = await listFeedback(db, site.row, query)
      return { ...list, items: list.items.map(presentFeedback) }
    },
  }),

  route(operations.listPageInsights, {
    at: inSite,
    allow: 'administer',
    handle: async ({ db, site, query: { from, to, ...request }, now }) => {
      const list = await listFigures(db, site.row, { ...request, ...spanOf(from, to, now) })
      return { ...list, items: list.items.map(presentFigures) }
    },
  }),
]

function spanOf(
  from: string | undefined,
  to: string | undefined,
  now: number,
): { first: number; last: number } {
  const dayOf = (date: string) => Math.floor(Date.parse(date) / millisPerDay)
  const last = to === undefined ? Math.floor(now / millisPerDay) : dayOf(to)
  const first = from === undefined ? last - defaultDays + 1 : dayOf(from)
  // An invalid date is NaN.
  const days = last - first + 1
  if (!(days >= 1 && days <= operations.maxDays)) {
    const problem = `the query members "from" and "to" do not name at most ${operations.maxDays} days of the calendar, the first one first`
    throw new ApiError('invalid_request', { problem })
  }
  return { first, last }
}

function presentFeedback({
  id,
  created_at,
  space_id,
  page_id,
  rating,
  comment,
}: FeedbackRow): operations.PageFeedback {
  return {
    object: 'page-feedback',
    id,
    createdAt: new Date(created_at).toISOString(),
    space: space_id,
    page: page_id,
    rating,
    ...(comment !== null && { comment }),
  }
}

function presentFigures({ space_id, page_id, views, good, ok, bad }: PageFigures): operations.PageInsights {
  return { object: 'page-insights', space: space_id, page: page_id, views, feedback: { good, ok, bad } }
}
