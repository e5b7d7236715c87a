/** Toolbar above selected text: marks and links. It takes no focus, so that the selection stays. */
import { toggleTextMark } from '../document/commands/text-commands.js'
import type { DocumentHandle } from '../document/mount.js'
import { text } from '../i18n/text.js'
import './selection-toolbar.css'

const markButtons = [
  ['bold', 'B', 'Mod+B'],
  ['italic', 'I', 'Mod+I'],
  ['strikethrough', 'S', undefined],
  ['inline_code', '<>', 'Mod+E'],
] as const

export function createSelectionToolbar(
  handle: DocumentHandle,
  { onLink, onComment }: { readonly onLink: () => void; readonly onComment: (isSuggestion: boolean) => void },
): { update(): void; destroy(): void } {
  const bar = document.createElement('div')
  bar.className = 'selection-toolbar'
  bar.setAttribute('role', 'toolbar')
  bar.setAttribute('aria-label', text.editor.format)
  bar.hidden = true
  const button = (name: string, label: string, run: () => void) => {
    const element = document.createElement('button')
    element.type = 'button'
    element.className = `selection-button selection-${name}`
    element.textContent = label
    element.title = text.editor.marks[name] ?? name
    element.setAttribute('aria-label', element.title)
    element.tabIndex = -1
    element.addEventListener('pointerdown', (event) => {
      event.preventDefault()
      run()
      update()
    })
    bar.append(element)
    return element
  }
  const buttons = markButtons.map(([name, label]) => ({
    name,
    element: button(name, label, () => handle.run(toggleTextMark(name))),
  }))
  button('link', text.editor.link, onLink)
  button('comment', text.comments.comment, () => onComment(false))
  button('suggestion', text.comments.suggest, () => onComment(true))
  document.body.append(bar)

  function update(): void {
    const { state } = handle.view
    const { from, to, empty, $from } = state.selection
    bar.hidden =
      empty || !$from.parent.inlineContent || $from.parent.type.spec.code === true || !handle.view.hasFocus()
    if (bar.hidden) return
    for (const { name, element } of buttons) {
      const mark = state.schema.marks[name]!
      element.setAttribute('aria-pressed', String(state.doc.rangeHasMark(from, to, mark)))
    }
    const start = handle.view.coordsAtPos(from)
    const end = handle.view.coordsAtPos(to)
    const middle = (start.left + (start.top === end.top ? end.left : start.left + 160)) / 2
    bar.style.left = `${Math.max(8, Math.min(middle - bar.offsetWidth / 2, window.innerWidth - bar.offsetWidth - 8))}px`
    bar.style.top = `${start.top < bar.offsetHeight + 16 ? end.bottom + 8 : start.top - bar.offsetHeight - 8}px`
  }
  const hide = () => {
    bar.hidden = true
  }
  handle.view.dom.addEventListener('blur', hide)
  document.addEventListener('scroll', hide, { capture: true, passive: true })
  return {
    update,
    destroy() {
      document.removeEventListener('scroll', hide, { capture: true })
      bar.remove()
    },
  }
}
