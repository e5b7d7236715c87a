/** The button that copies the page as Markdown. */

import { word } from './words.js'

/** Milliseconds for which the button says what it did. */
const confirmationTime = 2_000

/** One listener, whatever the page. */
export function startPageCopy(): void {
  document.addEventListener('click', async (event) => {
    const button =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-copy-from]') : null
    const href = button?.dataset['copyFrom']
    if (button === null || href === undefined || button.classList.contains('copied')) return
    try {
      // The text comes after the click that allows to write it: its promise goes along.
      const text = readText(href)
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
    } catch {
      // Without the right to write (no https) the reader copies it where it stands.
      location.assign(href)
      return
    }
    const label = button.querySelector('span')!
    const title = label.textContent
    // What changes inside a button is not read out.
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
