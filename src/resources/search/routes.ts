/** Searching one space, and everything in an organization that somebody may read. */
import { type Route, route } from '../../access/route/route.js'
import { searchOrganization, searchSpace } from '../../contract/search.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { inSpace } from '../spaces/scope.js'
import { findSearchable } from '../spaces/store.js'
import { awaitIndex, searchPages, searchSpaces } from './search.js'

export const searchRoutes: readonly Route[] = [
  route(searchSpace, {
    at: inSpace,
    allow: 'view',
    handle: async ({ db, space, query, now, services }) => {
      await awaitIndex(db, space.row, now)
      return searchPages(db, space.row, query, services.addresses)
    },
  }),

  route(searchOrganization, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ db, actor, organization, query, services }) => {
      const searched = await findSearchable(db, readerOf(actor, organization))
      return searchSpaces(db, searched, query, services.addresses)
    },
  }),
]
