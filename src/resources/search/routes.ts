/** Searching one space, and everything in an organization that somebody may read. */
import { type Route, seekingRoute } from '../../access/route/route.js'
import { searchOrganization, searchSpace } from '../../contract/search.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { inSpace } from '../spaces/scope.js'
import { findSearchable, loadVisibleTitles } from '../spaces/store.js'
import { awaitIndex } from './await-index.js'
import { presentPages, presentSpaces, questionOf } from './search.js'

export const searchRoutes: readonly Route[] = [
  seekingRoute(searchSpace, {
    at: inSpace,
    allow: 'view',
    seek: async ({ space: { row }, query, services, look, waiting }) => {
      const { organization_id: organizationId, id: spaceId, language } = row
      const searched = { organizationId, spaceIds: [spaceId], spoken: [{ spaceId, language }] }
      const question = questionOf(searched, 'page', query)
      return async () => {
        await awaitIndex(services.database.read, row, waiting)
        // Who waited means what was committed meanwhile.
        const since = waiting.seconds > 0 ? undefined : look.moment
        return services.searching.find(question, waiting.signal, since)
      }
    },
    handle: async ({ found, query, services }) => presentPages(found, query, services.addresses),
  }),

  seekingRoute(searchOrganization, {
    at: inOrganization,
    allow: 'visit',
    seek: async ({ db, actor, organization, query, services, look, waiting }) => {
      const searched = await findSearchable(db, readerOf(actor, organization))
      const question = questionOf(searched, 'space', query)
      return () => services.searching.find(question, waiting.signal, look.moment)
    },
    handle: async ({ db, actor, organization, found, query, services }) => {
      const spaceIds = [...new Set(found.pages.map(({ spaceId }) => spaceId))]
      const titles = await loadVisibleTitles(db, readerOf(actor, organization), spaceIds)
      return presentSpaces(found, titles, query, services.addresses)
    },
  }),
]
