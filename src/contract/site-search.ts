/** Full-text search of a published site. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { Identifier, ListOf, ListQuery, Words, shape } from './shapes.js'

const Score = Type.Number({ description: 'Falls from hit to hit; says nothing besides.' })
const ResultType = Words(['page', 'section'], { description: 'Whether its title or its text was meant.' })
const Urls = Type.Object({ app: Type.String() })

export const SiteSearchPage = shape(
  'SiteSearchPage',
  Type.Object({
    id: Type.String(),
    title: Type.String(),
    description: Type.String(),
    path: Type.String(),
    score: Score,
    rank: Type.Integer({ description: 'Its place among the pages of the answer, from 1.' }),
    resultType: ResultType,
    sections: Type.Array(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        path: Type.String(),
        score: Score,
        resultType: ResultType,
        body: Type.String(),
        urls: Urls,
      }),
      { description: 'What was found in it, the best first.' },
    ),
    ancestors: Type.Array(Type.Object({ title: Type.String() }), {
      description: 'The pages above it, the topmost first.',
    }),
    urls: Urls,
  }),
)
export type SiteSearchPage = Static<typeof SiteSearchPage>

export const SiteSearchSpace = shape(
  'SiteSearchSpace',
  Type.Object({
    type: Type.Literal('space'),
    id: Type.String(),
    title: Type.String(),
    score: Score,
    pages: Type.Array(SiteSearchPage),
  }),
)
export type SiteSearchSpace = Static<typeof SiteSearchSpace>

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
      '"default": of every section what stands first, in the language of "currentSiteSpace", and that itself; "specific": those of "siteSpaceIds"; "all": everything.',
  },
)
export type SearchScope = Static<typeof Scope>

export const searchSite = endpoint(
  'searchSiteContent',
  'POST',
  '/orgs/:organizationId/sites/:siteId/search',
  {
    summary: 'Search what the site shows, by space',
    tag: 'sites',
    readers: true,
    reads: true,
    query: ListQuery,
    body: Type.Object({
      query: Type.String({ minLength: 1, maxLength: 512 }),
      scope: Type.Optional(Scope),
      mode: Type.Optional(
        Words(['specific', 'current', 'all'], { deprecated: true, description: 'What "scope" says today.' }),
      ),
      siteSpaceIds: Type.Optional(SiteSpaceIds),
      siteSpaceId: Type.Optional(Identifier),
    }),
    reply: ListOf(SiteSearchSpace),
  },
)
export type SearchBody = Static<typeof searchSite.body>
