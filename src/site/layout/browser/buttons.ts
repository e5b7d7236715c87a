/** Buttons that need no more than a line: one prints the page, one puts an announcement away. */
import { remember } from './memory.js'

/** One listener, whatever the page. */
export function startButtons(): void {
  document.addEventListener('click', ({ target }) => {
    const button =
      target instanceof Element ? target.closest<HTMLElement>('[data-print], [data-put-away]') : null
    const key = button?.dataset['putAway']
    if (key !== undefined) {
      remember('announcement', key)
      button!.closest('.announcement')!.remove()
    } else if (button !== null) print()
  })
}
