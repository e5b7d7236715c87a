/** Searching the pages of a space, of all spaces of an organization, and of a site. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { ListOf, Words, listQueryWith, shape } from './shapes.js'

const Score = Type.Number({
  minimum: 0,
  description: 'Relevance; higher is better. Comparable within one response only.',
})
const ResultType = Words(['page', 'section'], {
  description: '"section" if its text matches, "page" if only the title of the page does.',
})
const Urls = Type.Object({ app: Type.String() })

/** A search result: a page with the sections that match. */
export const SearchPage = shape(
  'SearchPage',
  Type.Object({
    id: Type.String(),
    title: Type.String(),
    description: Type.String(),
    path: Type.String(),
    score: Score,
    rank: Type.Integer({ description: 'Position among all pages that were found, from 1.' }),
    resultType: ResultType,
    sections: Type.Array(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        path: Type.String(),
        score: Score,
        resultType: ResultType,
        body: Type.String({ description: 'An excerpt.' }),
        urls: Urls,
      }),
      { description: 'The best sections of the page, best first.' },
    ),
    ancestors: Type.Array(Type.Object({ title: Type.String() }), {
      description: 'The pages above it, topmost first.',
    }),
    urls: Urls,
  }),
)
export type SearchPage = Static<typeof SearchPage>

export const SearchSpace = shape(
  'SearchSpace',
  Type.Object({
    type: Type.Literal('space'),
    id: Type.String(),
    title: Type.String(),
    score: Score,
    pages: Type.Array(SearchPage),
  }),
)
export type SearchSpace = Static<typeof SearchSpace>

const SearchQuery = listQueryWith({
  query: Type.String({ minLength: 1, maxLength: 512, description: 'Words to search for.' }),
})

export const searchSpace = endpoint('searchSpaceContent', 'GET', '/spaces/:spaceId/search', {
  summary: 'Search a space',
  description:
    'Searches the pages of a space. With `Prefer: wait=<seconds>` the search waits until the current content is indexed.',
  tag: 'Spaces',
  preferences: ['wait'],
  query: SearchQuery,
  reply: ListOf(SearchPage),
})

export const searchOrganization = endpoint(
  'searchOrganizationContent',
  'GET',
  '/orgs/:organizationId/search',
  {
    summary: 'Search an organization',
    description:
      'Searches the pages of all spaces of an organization that you may read. Results are grouped by space.',
    tag: 'Spaces',
    query: SearchQuery,
    reply: ListOf(SearchSpace),
  },
)
