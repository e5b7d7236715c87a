/** Queries of the inbox. Everything of it is below one key: an event of the inbox fetches again what is on screen. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { listInboxEntries } from '../../contract/inbox.js'
import { api } from './client.js'

const pageLength = 50
/** Milliseconds: an organization that is not open sends no events to this tab. */
const refetchInterval = 60_000

export const unreadCountQuery = queryOptions({
  queryKey: ['inbox', 'unread'],
  queryFn: async ({ signal }) => (await api.call(listInboxEntries, { query: { limit: 0 }, signal })).unread,
  refetchInterval,
})

export const inboxQuery = (isUnreadOnly: boolean) =>
  infiniteQueryOptions({
    queryKey: ['inbox', 'entries', isUnreadOnly],
    queryFn: ({ signal, pageParam }) =>
      api.call(listInboxEntries, {
        query: {
          limit: pageLength,
          ...(isUnreadOnly && { read: false }),
          ...(pageParam !== '' && { page: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next?.page,
  })
