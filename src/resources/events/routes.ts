/** Event streams (server-sent events) of a space, a change request or a site. */
import { type EventFeed, readEvents } from '../../access/events/event-feed.js'
import type { RequestContext } from '../../access/route/request-context.js'
import { type RouteResponse, eventsResponse } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import { changeRequestEvents, siteEvents, spaceEvents } from '../../contract/events.js'
import type { Db } from '../../store/db/database.js'
import { inChangeRequest } from '../change-requests/scope.js'
import { inSite } from '../sites/scope.js'
import { inSpace } from '../spaces/scope.js'

export const eventRoutes: readonly Route[] = [
  route(spaceEvents, {
    at: inSpace,
    allow: 'view',
    handle: ({ db, actor, query, space: { row } }) =>
      respond({ db, actor, query }, { organizationId: row.organization_id, stream: row.id }),
  }),

  route(changeRequestEvents, {
    at: inChangeRequest,
    allow: 'view',
    handle: ({ db, actor, query, space: { row }, changeRequest }) =>
      respond(
        { db, actor, query },
        { organizationId: row.organization_id, stream: row.id, changeRequestId: changeRequest.id },
      ),
  }),

  route(siteEvents, {
    at: inSite,
    allow: 'view',
    handle: ({ db, actor, query, site: { row } }) =>
      respond({ db, actor, query }, { organizationId: row.organization_id, stream: row.id }),
  }),
]

async function respond(
  { db, actor, query }: Pick<RequestContext<typeof spaceEvents>, 'actor' | 'query'> & { readonly db: Db },
  feed: EventFeed,
): Promise<RouteResponse> {
  return eventsResponse(feed, await readEvents(db, feed, query.after, actor.userId))
}
