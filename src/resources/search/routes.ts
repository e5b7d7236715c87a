/** Routes of search: one space, and everything in an organization that the reader may read. */
import { type Route, route } from '../../access/route/route.js'
import { searchOrganization, searchSpace } from '../../contract/search.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { inSpace } from '../spaces/scope.js'
import { findSearchScope, loadVisibleTitles } from '../spaces/store.js'
import { awaitIndex } from './await-index.js'
import { presentPages, presentSpaces, questionOf } from './search.js'

export const searchRoutes: readonly Route[] = [
  route(searchSpace, {
    at: inSpace,
    allow: 'view',
    prepare: async ({ space: { row }, query, services, readContext, waitPreference }) => {
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
    respond: async ({ result, query, services }) => presentPages(result, query, services.addresses),
  }),

  route(searchOrganization, {
    at: inOrganization,
    allow: 'visit',
    prepare: async ({ db, actor, organization, query, services, readContext, waitPreference }) => {
      const searched = await findSearchScope(db, readerOf(actor, organization))
      const question = questionOf(searched, 'space', query)
      return () => services.searching.find(question, waitPreference.signal, readContext.version)
    },
    respond: async ({ db, actor, organization, result, query, services }) => {
      const spaceIds = [...new Set(result.pages.map(({ spaceId }) => spaceId))]
      const titles = await loadVisibleTitles(db, readerOf(actor, organization), spaceIds)
      return presentSpaces(result, titles, query, services.addresses)
    },
  }),
]
