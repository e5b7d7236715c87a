/** The button that switches between light and dark. The choice is applied before paint by the script in the head. */
import { remember } from './memory.js'

/** Listens to the button; the reader's choice outlives the visit. */
export function startThemeToggle(): void {
  document.querySelector('[data-theme-toggle]')?.addEventListener('click', () => {
    const root = document.documentElement
    const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
    const next = (root.dataset['theme'] ?? system) === 'dark' ? 'light' : 'dark'
    root.dataset['theme'] = next
    remember('theme', next)
  })
}
