/** Event streams (server-sent events) of a space, a change request or a site, and of an organization as one. */
import { type EventFeed, readEvents } from '../../access/events/event-feed.js'
import { readOrganizationEvents } from '../../access/events/organization-feed.js'
import type { Reader } from '../../access/rules/levels.js'
import type { SiteId, SpaceId } from '../../core/ids.js'
import type { RequestContext } from '../../access/route/request-context.js'
import { type RouteResponse, eventsResponse } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import { changeRequestEvents, organizationEvents, siteEvents, spaceEvents } from '../../contract/events.js'
import type { Db } from '../../store/db/database.js'
import { inChangeRequest } from '../change-requests/scope.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { inSite } from '../sites/scope.js'
import { listVisibleSiteIds } from '../sites/store.js'
import { inSpace } from '../spaces/scope.js'
import { findVisibleSpaces } from '../spaces/store.js'

export const eventRoutes: readonly Route[] = [
  route(organizationEvents, {
    at: inOrganization,
    allow: 'visit',
    async handle({ db, actor, organization, query }) {
      const organizationId = organization.row.id
      const reader = readerOf(actor, organization)
      const feed = {
        organizationId,
        userId: actor.userId,
        selectVisible: (streams: readonly string[]) => selectVisible(db, reader, streams),
      }
      const events = await readOrganizationEvents(db, feed, query.after)
      return eventsResponse({ organizationId, stream: null }, events)
    },
  }),

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

/** Returns those of the spaces and sites that the reader may see. */
async function selectVisible(db: Db, reader: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const spaces = (await findVisibleSpaces(db, reader, ids as SpaceId[])).map(({ id }) => id)
  const known = new Set<string>(spaces)
  const others = ids.filter((id) => !known.has(id))
  return new Set<string>([...spaces, ...(await listVisibleSiteIds(db, reader, others as SiteId[]))])
}

async function respond(
  { db, actor, query }: Pick<RequestContext<typeof spaceEvents>, 'actor' | 'query'> & { readonly db: Db },
  feed: EventFeed,
): Promise<RouteResponse> {
  return eventsResponse(feed, await readEvents(db, feed, query.after, actor.userId))
}
