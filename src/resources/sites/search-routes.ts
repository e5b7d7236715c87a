/** Route of site search. */
import { type Route, route } from '../../access/route/route.js'
import { searchSite } from '../../contract/site-search.js'
import { nextOf, questionOf } from '../search/search.js'
import { inSite } from './scope.js'
import { presentSiteHits, searchTargetOf } from './search.js'

export const siteSearchRoutes: readonly Route[] = [
  route(searchSite, {
    at: inSite,
    allow: 'view',
    prepare: async ({ db, actor, site, body, query, services, readContext, waitPreference }) => {
      const target = await searchTargetOf({ db, services, actor, site }, body)
      const question = questionOf(target, 'space', { ...query, query: body.query })
      return () => services.searching.find(question, waitPreference.signal, readContext.version)
    },
    respond: async ({ db, actor, site, result, query, services }) => {
      const items = await presentSiteHits(result, { db, services, actor, site })
      const hidden = new Set(result.pages.map(({ spaceId }) => spaceId)).size - items.length
      return { ...nextOf(result.count, query), count: result.count - hidden, items }
    },
  }),
]
