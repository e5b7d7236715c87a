/** Comments of a space or a change request. */
import { queryOptions } from '@tanstack/react-query'
import { type Comment, changeRequestComments, spaceComments } from '../../contract/comments.js'
import { api } from '../api/client.js'
import { contentRequest } from '../api/content-request.js'
import { type ContentSource, queryClient, refresh } from '../api/queries.js'

/** Comments of one request, and all that are displayed. */
const [listLimit, maxComments] = [200, 2_000]

const placeKey = ({ space, change }: ContentSource): readonly unknown[] =>
  change === undefined ? ['space', space] : ['space', space, 'change', change]
const commentsKey = (source: ContentSource) => [...placeKey(source), 'comments']

/** All comments of the place, oldest first; with a page only those on it. */
export const commentsQuery = (source: ContentSource, page?: string) =>
  queryOptions({
    queryKey: [...commentsKey(source), 'threads', page ?? 'all'],
    queryFn: async ({ signal }): Promise<readonly Comment[]> => {
      const found: Comment[] = []
      for (let cursor: string | undefined; ;) {
        const query = {
          format: 'document' as const,
          order: 'asc' as const,
          limit: listLimit,
          ...(page !== undefined && { targetPage: page }),
          ...(cursor !== undefined && { page: cursor }),
        }
        const list = await api.call(
          ...contentRequest(source, spaceComments.list, changeRequestComments.list, { query, signal }),
        )
        found.push(...list.items)
        cursor = list.next?.page
        if (cursor === undefined || found.length >= maxComments) return found
      }
    },
  })

export const repliesQuery = (source: ContentSource, commentId: string) =>
  queryOptions({
    queryKey: [...commentsKey(source), 'replies', commentId],
    queryFn: async ({ signal }) => {
      const query = { format: 'document' as const, limit: 1000 }
      const request = { params: { commentId }, query, signal }
      const { listReplies } = spaceComments
      return (
        await api.call(...contentRequest(source, listReplies, changeRequestComments.listReplies, request))
      ).items
    },
  })

/** Fetches comments again, and what counts them. */
export async function refreshComments(source: ContentSource): Promise<void> {
  await Promise.all([
    refresh(...commentsKey(source)),
    queryClient.invalidateQueries({ queryKey: placeKey(source), exact: true }),
  ])
}
