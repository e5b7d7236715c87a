/** Route of site search. */
import { type Route, seekingRoute } from '../../access/route/route.js'
import { searchSite } from '../../contract/site-search.js'
import { nextOf, questionOf } from '../search/search.js'
import { inSite } from './scope.js'
import { searchTargetOf, presentHits } from './search.js'

export const siteSearchRoutes: readonly Route[] = [
  seekingRoute(searchSite, {
    at: inSite,
    allow: 'view',
    seek: async ({ db, actor, site, body, query, services, readContext, waitPreference }) => {
      const target = await searchTargetOf({ db, services, actor, site }, body)
      const question = questionOf(target, 'space', { ...query, query: body.query })
      return () => services.searching.find(question, waitPreference.signal, readContext.version)
    },
    handle: async ({ db, actor, site, found, query, services }) => {
      const items = await presentHits(found, { db, services, actor, site })
      const hidden = new Set(found.pages.map(({ spaceId }) => spaceId)).size - items.length
      return { ...nextOf(found.count, query), count: found.count - hidden, items }
    },
  }),
]
