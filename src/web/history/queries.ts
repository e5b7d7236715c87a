/** Queries of history: revisions of a space, revisions that changed a page, and blame. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { spaceContent } from '../../contract/content.js'
import { type PageChangeKind, spacePageHistory } from '../../contract/history.js'
import { type ListedRevision, spaceHistory } from '../../contract/revisions.js'
import { api } from '../api/client.js'

/** A revision as it is listed; of a page, with what changed of it and how it was named then. */
export interface HistoryEntry {
  readonly revision: ListedRevision
  readonly changes?: readonly PageChangeKind[]
  readonly page?: { readonly title: string; readonly path?: string }
}

interface HistoryPart {
  readonly items: readonly HistoryEntry[]
  readonly next?: { readonly page: string } | undefined
}

const partLength = 50

/**
 * The history of a space, or of one page of it, in parts. Not among the queries of the space, which each event of it
 * fetches again: a long list is fetched again when the space has another revision.
 */
export const historyQuery = (spaceId: string, pageId: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['history', spaceId, pageId ?? ''],
    queryFn: async ({ pageParam, signal }): Promise<HistoryPart> => {
      const list = { limit: partLength, ...(pageParam !== '' && { page: pageParam }) }
      if (pageId !== undefined)
        return api.call(spacePageHistory.history, { params: { spaceId, pageId }, query: list, signal })
      const query = { ...list, summary: true }
      const { items, next } = await api.call(spaceHistory.list, { params: { spaceId }, query, signal })
      return { items: items.map((revision) => ({ revision })), next }
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next?.page,
  })

/** The blocks of a page with their sources, and its text. */
export const blameQuery = (spaceId: string, pageId: string) =>
  queryOptions({
    queryKey: ['space', spaceId, 'content', 'page', pageId, 'blame'],
    queryFn: async ({ signal }) => {
      const params = { spaceId, pageId }
      const [blame, { text }] = await Promise.all([
        api.call(spacePageHistory.blame, { params, signal }),
        api.call(spaceContent.pageText, { params, signal }),
      ])
      return { ...blame, text }
    },
  })
