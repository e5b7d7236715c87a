/**
 * The button that goes round light, dark, and what the reader's system says. The choice is applied before
 * paint by the script in the head.
 */
import { writeStored } from './storage.js'
import { word } from './words.js'

type ThemeMode = 'light' | 'dark' | 'system'

const labels = { light: 'lightColors', dark: 'darkColors', system: 'systemColors' } as const

/** Listens to the button; the reader's choice outlives the visit. */
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

/** From the system's colours the first step is to the others, so that every first press shows. */
function nextMode(choice: ThemeMode): ThemeMode {
  const ofSystem = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const other = ofSystem === 'dark' ? 'light' : 'dark'
  if (choice === 'system') return other
  return choice === other ? ofSystem : 'system'
}
