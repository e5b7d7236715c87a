/** The button that copies the page as Markdown. */

import { word } from './words.js'

/** Milliseconds for which the button displays its confirmation. */
const confirmationTime = 2_000

/** Adds one delegated listener for all pages. */
export function startPageCopy(): void {
  document.addEventListener('click', async (event) => {
    const button =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-copy-from]') : null
    const href = button?.dataset['copyFrom']
    if (button === null || href === undefined || button.classList.contains('copied')) return
    try {
      // The text is loaded after the click that permits writing: the clipboard takes its promise.
      const text = readText(href)
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
    } catch {
      // Without clipboard permission (no https) the reader copies it from its own page.
      location.assign(href)
      return
    }
    const label = button.querySelector('span')!
    const title = label.textContent
    // Screen readers do not announce changes inside a button.
    const status = button.parentElement!.querySelector('[role=status]')!
    button.classList.add('copied')
    label.textContent = status.textContent = word('copied')
    setTimeout(() => {
      button.classList.remove('copied')
      label.textContent = title
      status.textContent = ''
    }, confirmationTime)
  })
}

async function readText(href: string): Promise<Blob> {
  const answer = await fetch(href)
  if (!answer.ok) throw new Error(String(answer.status))
  return new Blob([await answer.text()], { type: 'text/plain' })
}
