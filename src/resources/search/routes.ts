/** Routes of search: one space, and everything in an organization that the reader may read. */
import { type Route, route } from '../../access/route/route.js'
import { searchOrganization, searchSpace } from '../../contract/search.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { inSpace } from '../spaces/scope.js'
import { findSearchScope, loadVisibleSpaces } from '../spaces/store.js'
import { awaitIndex } from './await-index.js'
import { presentHits, presentHitsBySpace } from './hits.js'
import { nextOf, questionOf } from './search.js'

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
    respond: async ({ db, actor, space, result: { count, pages }, query, services }) => {
      const items = await presentHits(space.row, pages, { db, services, actor })
      return { ...nextOf(count, query), count: count - (pages.length - items.length), items }
    },
  }),

  route(searchOrganization, {
    at: inOrganization,
    allow: 'visit',
    prepare: async ({ db, actor, organization, query, services, readContext, waitPreference }) => {
      const searched = await findSearchScope(db, readerOf(actor, organization))
      const question = questionOf(searched, 'space', query)
      return () => services.searching.find(question, waitPreference.signal, readContext.version)
    },
    respond: async ({ db, actor, organization, result: { count, pages }, query, services }) => {
      const spaceIds = [...new Set(pages.map(({ spaceId }) => spaceId))]
      const rows = await loadVisibleSpaces(db, readerOf(actor, organization), spaceIds)
      const items = await presentHitsBySpace(rows, pages, { db, services, actor })
      return { ...nextOf(count, query), count: count - (spaceIds.length - items.length), items }
    },
  }),
]
