/** Full-text search of a published site. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { SearchSpace } from './search.js'
import { Identifier, ListOf, ListQuery, Words } from './shapes.js'

const SiteSpaceIds = Type.Array(Identifier, { minItems: 1, maxItems: 1000 })

const Scope = Type.Object(
  {
    mode: Words(['default', 'specific', 'all']),
    currentSiteSpace: Type.Optional(Identifier),
    restrictTo: Type.Optional(Words(['currentSiteSpace', 'otherSiteSpaces'])),
    siteSpaceIds: Type.Optional(SiteSpaceIds),
  },
  {
    description:
      '"default" searches `currentSiteSpace` and the default space of every other section, in the same language where there is one; "specific" the spaces in `siteSpaceIds`; "all" every space.',
  },
)
export type SearchScope = Static<typeof Scope>

export const searchSite = endpoint(
  'searchSiteContent',
  'POST',
  '/orgs/:organizationId/sites/:siteId/search',
  {
    summary: 'Search a site',
    description: 'Searches the pages that the site shows. Results are grouped by space.',
    tag: 'Sites',
    readers: true,
    reads: true,
    query: ListQuery,
    body: Type.Object({
      query: Type.String({ minLength: 1, maxLength: 512 }),
      scope: Type.Optional(Scope),
      mode: Type.Optional(
        Words(['specific', 'current', 'all'], { deprecated: true, description: 'Use `scope` instead.' }),
      ),
      siteSpaceIds: Type.Optional(SiteSpaceIds),
      siteSpaceId: Type.Optional(Identifier),
    }),
    reply: ListOf(SearchSpace),
  },
)
export type SearchBody = Static<typeof searchSite.body>
