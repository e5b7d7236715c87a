/** Simple buttons: print the page, copy a text, dismiss an announcement. */
import { writeStored } from './storage.js'

/** Adds one delegated listener for all pages. */
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
      // Without clipboard permission the text is displayed, to be copied by hand.
      ;(navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
        () => button!.classList.add('copied'),
        () => prompt('', text),
      )
    } else if (button !== null) print()
  })
}
