/** The person's preferences: the appearance of the app, and which mail they get. */
import { queryOptions } from '@tanstack/react-query'
import type { BodyOf } from '../../contract/endpoint.js'
import { getPreferences, updatePreferences } from '../../contract/preferences.js'
import { api } from './client.js'
import { queryClient } from './queries.js'

export const preferencesQuery = queryOptions({
  queryKey: ['user', 'preferences'],
  queryFn: ({ signal }) => api.call(getPreferences, { signal }),
  staleTime: 60_000,
})

export async function savePreferences(body: BodyOf<typeof updatePreferences>): Promise<void> {
  queryClient.setQueryData(preferencesQuery.queryKey, await api.call(updatePreferences, { body }))
}
