/** Routes of search: one space, and everything in an organization that the reader may read. */
import { type Route, seekingRoute } from '../../access/route/route.js'
import { searchOrganization, searchSpace } from '../../contract/search.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { inSpace } from '../spaces/scope.js'
import { findSearchScope, loadVisibleTitles } from '../spaces/store.js'
import { awaitIndex } from './await-index.js'
import { presentPages, presentSpaces, questionOf } from './search.js'

export const searchRoutes: readonly Route[] = [
  seekingRoute(searchSpace, {
    at: inSpace,
    allow: 'view',
    seek: async ({ space: { row }, query, services, readContext, waitPreference }) => {
      const { organization_id: organizationId, id: spaceId, language } = row
      const searched = { organizationId, spaceIds: [spaceId], vocabularySpaces: [{ spaceId, language }] }
      const question = questionOf(searched, 'page', query)
      return async () => {
        await awaitIndex(services.database.read, row, waitPreference)
        // A client that waited wants what was committed meanwhile.
        const since = waitPreference.seconds > 0 ? undefined : readContext.version
        return services.searching.find(question, waitPreference.signal, since)
      }
    },
    handle: async ({ found, query, services }) => presentPages(found, query, services.addresses),
  }),

  seekingRoute(searchOrganization, {
    at: inOrganization,
    allow: 'visit',
    seek: async ({ db, actor, organization, query, services, readContext, waitPreference }) => {
      const searched = await findSearchScope(db, readerOf(actor, organization))
      const question = questionOf(searched, 'space', query)
      return () => services.searching.find(question, waitPreference.signal, readContext.version)
    },
    handle: async ({ db, actor, organization, found, query, services }) => {
      const spaceIds = [...new Set(found.pages.map(({ spaceId }) => spaceId))]
      const titles = await loadVisibleTitles(db, readerOf(actor, organization), spaceIds)
      return presentSpaces(found, titles, query, services.addresses)
    },
  }),
]
