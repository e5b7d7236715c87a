/**
 * Theme toggle: cycles through light, dark, and the system setting. The script in the head applies the choice before
 * the first paint.
 */
import { writeStored } from './storage.js'
import { word } from './words.js'

type ThemeMode = 'light' | 'dark' | 'system'

const labels = { light: 'lightColors', dark: 'darkColors', system: 'systemColors' } as const

/** Listens to the button, and stores the reader's choice. */
export function startThemeToggle(): void {
  const button = document.querySelector<HTMLElement>('[data-theme-toggle]')
  if (button === null) return
  const root = document.documentElement
  const name = (): void => {
    const choice = word(labels[(root.dataset['theme'] ?? 'system') as ThemeMode])
    button.setAttribute('aria-label', choice)
    button.title = choice
  }
  button.addEventListener('click', () => {
    const next = nextMode((root.dataset['theme'] ?? 'system') as ThemeMode)
    if (next === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = next
    writeStored('theme', next)
    name()
  })
  name()
}

/** The first step from the system setting is to the other mode, so that every first press has a visible effect. */
function nextMode(choice: ThemeMode): ThemeMode {
  const ofSystem = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const other = ofSystem === 'dark' ? 'light' : 'dark'
  if (choice === 'system') return other
  return choice === other ? ofSystem : 'system'
}
