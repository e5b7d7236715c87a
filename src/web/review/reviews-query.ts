/** Reviews of a change request, the requests for them, and the merge checklist. */
import { queryOptions } from '@tanstack/react-query'
import { getMergeCheck, getMergeChecks } from '../../contract/merge-checks.js'
import { spacePermissions } from '../../contract/permissions.js'
import { listRequestedReviewers, listReviews } from '../../contract/reviews.js'
import { listTeams } from '../../contract/teams.js'
import { api } from '../api/client.js'
import type { ChangeSource } from '../api/queries.js'

export const changeKey = ({ space, change }: ChangeSource) => ['space', space, 'change', change] as const
export const changeParams = ({ space, change }: ChangeSource) => ({
  spaceId: space,
  changeRequestId: change,
})

export const reviewsQuery = (source: ChangeSource) =>
  queryOptions({
    queryKey: [...changeKey(source), 'reviews', 'latest'],
    queryFn: async ({ signal }) =>
      (await api.call(listReviews, { params: changeParams(source), query: { limit: 1000 }, signal })).items,
  })

export const requestedReviewersQuery = (source: ChangeSource) =>
  queryOptions({
    queryKey: [...changeKey(source), 'requested-reviewers'],
    queryFn: async ({ signal }) => {
      const query = { limit: 1000 }
      return (await api.call(listRequestedReviewers, { params: changeParams(source), query, signal })).items
    },
  })

/** The whole checklist; it is made anew whenever it is looked at. */
export const checksQuery = (source: ChangeSource) =>
  queryOptions({
    queryKey: [...changeKey(source), 'checks', 'all'],
    queryFn: ({ signal }) => api.call(getMergeChecks, { params: changeParams(source), signal }),
    staleTime: 0,
    // A part of many texts is checked by each request.
    refetchInterval: ({ state: { data } }) =>
      data?.checks.some(({ status }) => status === 'running') === true ? 500 : false,
  })

/** Up to a thousand items of one check. */
export const checkQuery = (source: ChangeSource, checkId: string) =>
  queryOptions({
    queryKey: [...changeKey(source), 'checks', checkId],
    queryFn: ({ signal }) =>
      api.call(getMergeCheck, {
        params: { ...changeParams(source), checkId },
        query: { limit: 1000 },
        signal,
      }),
    staleTime: 0,
  })

const reviewerRoles = ['review', 'create', 'admin'] as const

/** People who may review in a space. */
export const reviewersOfSpaceQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['space', spaceId, 'may-review'],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(
        reviewerRoles.map((role) =>
          api.call(spacePermissions.aggregate, { params: { spaceId }, query: { role, limit: 1000 }, signal }),
        ),
      )
      return lists.flatMap(({ items }) => items.map(({ user }) => user))
    },
    staleTime: 60_000,
  })

export const teamsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'teams'],
    queryFn: async ({ signal }) =>
      (await api.call(listTeams, { params: { organizationId }, query: { limit: 1000 }, signal })).items,
    staleTime: 60_000,
  })
