/** Buttons that need no more than a line: they print the page, copy a text, put an announcement away. */
import { writeStored } from './storage.js'

/** One listener, whatever the page. */
export function startButtons(): void {
  document.addEventListener('click', ({ target }) => {
    const button =
      target instanceof Element
        ? target.closest<HTMLElement>('[data-print], [data-copy-text], [data-put-away]')
        : null
    const key = button?.dataset['putAway']
    const text = button?.dataset['copyText']
    if (key !== undefined) {
      writeStored('announcement', key)
      button!.closest('.announcement')!.remove()
    } else if (text !== undefined) {
      // Without the right to write it is shown, to be copied by hand.
      ;(navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
        () => button!.classList.add('copied'),
        () => prompt('', text),
      )
    } else if (button !== null) print()
  })
}
