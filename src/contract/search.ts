/** Searching the pages of a space, and of all spaces of an organization. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { ListOf, listQueryWith, shape } from './shapes.js'

/** A search result: a page with the sections that match. */
export const SearchPage = shape(
  'SearchPage',
  Type.Object({
    id: Type.String(),
    title: Type.String(),
    path: Type.String(),
    sections: Type.Array(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        path: Type.String(),
        body: Type.String(),
        urls: Type.Object({ app: Type.String() }),
      }),
    ),
    urls: Type.Object({ app: Type.String() }),
  }),
)
export type SearchPage = Static<typeof SearchPage>

export const searchSpace = endpoint('searchSpaceContent', 'GET', '/spaces/:spaceId/search', {
  summary: 'Search the pages of a space',
  tag: 'spaces',
  query: listQueryWith({ query: Type.String({ minLength: 1, maxLength: 512 }) }),
  reply: ListOf(SearchPage),
})

export const SearchSpace = shape(
  'SearchSpace',
  Type.Object({ id: Type.String(), title: Type.String(), pages: Type.Array(SearchPage) }),
)
export type SearchSpace = Static<typeof SearchSpace>

export const searchOrganization = endpoint(
  'searchOrganizationContent',
  'GET',
  '/orgs/:organizationId/search',
  {
    summary: 'Search the pages of all spaces that you may read',
    tag: 'spaces',
    query: listQueryWith({ query: Type.String({ minLength: 1, maxLength: 512 }) }),
    reply: ListOf(SearchSpace),
  },
)
