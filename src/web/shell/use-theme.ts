/**
 * The theme of the person's preferences, the same in all their browsers. Each browser stores it too, and has it before the
 * first paint; what was changed elsewhere follows as soon as the preferences are fetched.
 */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { preferencesQuery, savePreferences } from '../api/preferences.js'
import { queryClient } from '../api/queries.js'
import { reportFailure } from '../ui/toast.js'
import { type Theme, applyTheme, readTheme } from './theme.js'

/** Applies the preferred theme while the component is mounted, and returns it. */
export function useTheme(): Theme {
  const { data: preferences } = useQuery(preferencesQuery)
  const theme = preferences?.theme ?? readTheme()
  useEffect(() => applyTheme(theme), [theme])
  return theme
}

/** Changes the theme at once, and in the preferences. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme)
  queryClient.setQueryData(preferencesQuery.queryKey, (before) => before && { ...before, theme })
  void reportFailure(savePreferences({ theme }))
}
