/** Comments in a page for readers, while it is displayed: marks, and a bar above selected text. */
import { text } from '../i18n/text.js'
import { registerCommentView, startComment } from './comment-place.js'
import { createArticleView } from './mark-article.js'
import '../editor/selection-toolbar.css'

/** Follows an article until the returned function is called; the bar is for those who may comment. */
export function followArticle(article: HTMLElement, mayComment: boolean): () => void {
  const view = createArticleView(article)
  const forget = registerCommentView(view)
  const bar = mayComment ? createBar(article, () => view.selected() !== undefined) : undefined
  return () => {
    bar?.destroy()
    forget()
    view.destroy()
  }
}

function createBar(article: HTMLElement, hasWords: () => boolean): { destroy(): void } {
  const bar = document.createElement('div')
  bar.className = 'selection-toolbar'
  bar.setAttribute('role', 'toolbar')
  bar.setAttribute('aria-label', text.comments.title)
  bar.hidden = true
  for (const isSuggestion of [false, true]) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'selection-button'
    button.textContent = isSuggestion ? text.comments.suggest : text.comments.comment
    // The selection stays.
    button.addEventListener('pointerdown', (event) => event.preventDefault())
    button.addEventListener('click', () => {
      startComment(isSuggestion)
      bar.hidden = true
    })
    bar.append(button)
  }
  document.body.append(bar)
  const hide = () => {
    bar.hidden = true
  }
  const show = () => {
    const selection = getSelection()
    const isInside = selection?.anchorNode != null && article.contains(selection.anchorNode)
    if (!isInside || selection.isCollapsed || !hasWords()) return hide()
    const { left, top, bottom, width } = selection.getRangeAt(0).getBoundingClientRect()
    bar.hidden = false
    const most = window.innerWidth - bar.offsetWidth - 8
    bar.style.left = `${Math.max(8, Math.min(left + width / 2 - bar.offsetWidth / 2, most))}px`
    bar.style.top = `${top < bar.offsetHeight + 16 ? bottom + 8 : top - bar.offsetHeight - 8}px`
  }
  const stop = new AbortController()
  const { signal } = stop
  let frame = 0
  document.addEventListener(
    'selectionchange',
    () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(show)
    },
    { signal },
  )
  document.addEventListener('scroll', hide, { capture: true, passive: true, signal })
  return {
    destroy() {
      cancelAnimationFrame(frame)
      stop.abort()
      bar.remove()
    },
  }
}
