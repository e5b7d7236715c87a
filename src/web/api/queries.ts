/**
 * Queries of the app: for each resource its cache key and how it is fetched. Data that was seen before is shown at once
 * and revalidated; writes invalidate by key (`refresh`).
 */
import { QueryClient, queryOptions } from '@tanstack/react-query'
import {
  getChangeRequest,
  listChangeRequests,
  listOrganizationChangeRequests,
} from '../../contract/change-requests.js'
import { listCollections } from '../../contract/collections.js'
import { changeRequestContent, spaceContent } from '../../contract/content.js'
import { listOrganizations } from '../../contract/organizations.js'
import { searchOrganization } from '../../contract/search.js'
import { listSites } from '../../contract/sites.js'
import { getSpace, listSpaces } from '../../contract/spaces.js'
import { getAuthenticatedUser } from '../../contract/users.js'
import { ApiRequestError, api } from './client.js'
import { contentRequest } from './content-request.js'

/** The largest page of a list. */
const listLimit = 1000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 30 * 60_000,
      // What the server refused stays refused; a server that cannot be reached is asked again.
      retry: (failures, error) =>
        failures < 3 && !(error instanceof ApiRequestError && error.status >= 400 && error.status < 500),
    },
  },
})

/** Marks everything below a key as stale; what is on screen is fetched again. */
export const refresh = (...key: readonly unknown[]): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: key })

export const currentUserQuery = queryOptions({
  queryKey: ['user'],
  queryFn: ({ signal }) => api.call(getAuthenticatedUser, { signal }),
  staleTime: 60_000,
})

export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: async ({ signal }) =>
    (await api.call(listOrganizations, { query: { limit: listLimit }, signal })).items,
  staleTime: 60_000,
})

export const spacesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'spaces'],
    queryFn: async ({ signal }) =>
      (await api.call(listSpaces, { params: { organizationId }, query: { limit: listLimit }, signal })).items,
  })

export const collectionsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'collections'],
    queryFn: async ({ signal }) =>
      (
        await api.call(listCollections, {
          params: { organizationId },
          query: { nested: true, limit: listLimit },
          signal,
        })
      ).items,
  })

export const sitesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'sites'],
    queryFn: async ({ signal }) =>
      (await api.call(listSites, { params: { organizationId }, query: { limit: listLimit }, signal })).items,
  })

type ChangeRequestFilter = { readonly creator?: string; readonly requestedReviewer?: string }

export const organizationChangesQuery = (organizationId: string, filter: ChangeRequestFilter) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'changes', filter],
    queryFn: async ({ signal }) => {
      const list = (status: 'draft' | 'open') =>
        api.call(listOrganizationChangeRequests, {
          params: { organizationId },
          query: { ...filter, status, limit: 50 },
          signal,
        })
      const [drafts, open] = await Promise.all([list('draft'), list('open')])
      return [...drafts.items, ...open.items].toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    },
  })

export const spaceQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['space', spaceId],
    queryFn: ({ signal }) => api.call(getSpace, { params: { spaceId }, signal }),
  })

export const spaceChangesQuery = (spaceId: string, creator: string) =>
  queryOptions({
    queryKey: ['space', spaceId, 'changes', creator],
    queryFn: async ({ signal }) => {
      const list = (status: 'draft' | 'open') =>
        api.call(listChangeRequests, { params: { spaceId }, query: { creator, status, limit: 20 }, signal })
      const [drafts, open] = await Promise.all([list('draft'), list('open')])
      return [...drafts.items, ...open.items].toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    },
  })

export const changeQuery = (spaceId: string, change: number) =>
  queryOptions({
    queryKey: ['space', spaceId, 'change', change],
    queryFn: ({ signal }) =>
      api.call(getChangeRequest, { params: { spaceId, changeRequestId: change }, signal }),
  })

/** What the tree shows of a page; of 10,000 pages it is a tenth of the whole list. */
const treeFields = 'path,emoji,icon,hidden,linkTitle,condition,href'

/** Where content is read: the current content of a space, or that of a change request. */
export interface ContentSource {
  readonly space: string
  readonly change: number | undefined
}

/** Content that can be written: that of a change request. */
export type ChangeSource = ContentSource & { readonly change: number }

export const contentKey = ({ space, change }: ContentSource): readonly unknown[] =>
  change === undefined ? ['space', space, 'content'] : ['space', space, 'change', change, 'content']

export const pagesQuery = (source: ContentSource) =>
  queryOptions({
    queryKey: [...contentKey(source), 'pages'],
    queryFn: async ({ signal }) => {
      const query = { metadata: false, fields: treeFields }
      const { pages } = await api.call(
        ...contentRequest(source, spaceContent.pages, changeRequestContent.pages, { query, signal }),
      )
      return pages
    },
  })

export const searchQuery = (organizationId: string, query: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'search', query],
    queryFn: async ({ signal }) =>
      (
        await api.call(searchOrganization, {
          params: { organizationId },
          query: { query, limit: 10 },
          signal,
        })
      ).items,
    enabled: query.trim().length > 1,
    placeholderData: (previous) => previous,
  })
