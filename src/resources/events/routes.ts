/** Event streams (server-sent events) of a space, a change request or a site. */
import { type Route, followingRoute } from '../../access/route/route.js'
import { changeRequestEvents, siteEvents, spaceEvents } from '../../contract/events.js'
import { inChangeRequest } from '../change-requests/scope.js'
import { inSite } from '../sites/scope.js'
import { inSpace } from '../spaces/scope.js'

export const eventRoutes: readonly Route[] = [
  followingRoute(spaceEvents, {
    at: inSpace,
    allow: 'view',
    follow: ({ space: { row } }) => ({ organizationId: row.organization_id, stream: row.id }),
  }),

  followingRoute(changeRequestEvents, {
    at: inChangeRequest,
    allow: 'view',
    follow: ({ space: { row }, changeRequest }) => ({
      organizationId: row.organization_id,
      stream: row.id,
      changeRequestId: changeRequest.id,
    }),
  }),

  followingRoute(siteEvents, {
    at: inSite,
    allow: 'view',
    follow: ({ site: { row } }) => ({ organizationId: row.organization_id, stream: row.id }),
  }),
]
