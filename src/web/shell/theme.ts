/** Colour theme of the app: that of the system unless the person chose one in this browser. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageKey = 'octavo-app-theme'

export function readTheme(): Theme {
  const stored = localStorage.getItem(storageKey)
  return themes.find((theme) => theme === stored) ?? 'system'
}

export function applyTheme(theme = readTheme()): void {
  if (theme === 'system') {
    localStorage.removeItem(storageKey)
    delete document.documentElement.dataset['theme']
  } else {
    localStorage.setItem(storageKey, theme)
    document.documentElement.dataset['theme'] = theme
  }
}

/** The theme that the app has at the moment. */
export function displayedTheme(): 'light' | 'dark' {
  const theme = readTheme()
  if (theme !== 'system') return theme
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
