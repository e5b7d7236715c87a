/** Buttons that copy the code beside them, or wrap its lines. */
import { withoutShellPrompts } from './shell-prompts.js'
import { word } from './words.js'

/** Adds one delegated listener for all buttons. */
export function startCopyButtons(): void {
  document.addEventListener('click', async (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-copy]') : null
    const code = button?.closest('.code, .prompt')?.querySelector<HTMLElement>('pre > code')
    if (button === null || code === null || code === undefined) return
    try {
      await navigator.clipboard.writeText(
        withoutShellPrompts(code.textContent ?? '', code.dataset['language'] ?? ''),
      )
    } catch {
      // Without clipboard permission (no https): selects the text, so that the reader's copy command takes it.
      getSelection()?.selectAllChildren(code)
      return
    }
    button.classList.add('copied')
    button.setAttribute('aria-label', word('copied'))
    setTimeout(() => {
      button.classList.remove('copied')
      button.setAttribute('aria-label', button.title)
    }, 1600)
  })
}

/** Adds one delegated listener for all buttons. */
export function startWrapButtons(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('[data-wrap]') : null
    const wraps = button?.closest('.code')?.classList.toggle('wrap')
    button?.setAttribute('aria-pressed', String(wraps))
  })
}
