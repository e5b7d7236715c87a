/** Handle beside the block under the pointer: dragged, it moves the block; clicked, it opens the menu of the block. */
import { NodeSelection, Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { blockAt } from '../commands/block-commands.js'
import { element } from '../dom.js'

export interface BlockHandleOptions {
  readonly label: string
  /** Opens the menu of the block that begins at a position. */
  readonly onMenu: (block: { readonly position: number; readonly anchor: HTMLElement }) => void
}

export function blockHandlePlugin(options: BlockHandleOptions): Plugin {
  return new Plugin({
    view: (view) => {
      const handle = new BlockHandle(view, options)
      return { update: () => handle.hideWhenGone(), destroy: () => handle.destroy() }
    },
  })
}

class BlockHandle {
  private readonly dom: HTMLElement
  private position: number | undefined

  constructor(
    private readonly view: EditorView,
    { label, onMenu }: BlockHandleOptions,
  ) {
    this.dom = element(
      'button',
      { type: 'button', class: 'block-handle', draggable: 'true', 'aria-label': label, hidden: true },
      '⠿',
    )
    const frame = view.dom.parentElement!
    frame.classList.add('document-frame')
    frame.append(this.dom)
    frame.addEventListener('pointermove', this.follow)
    frame.addEventListener('pointerleave', this.hide)
    this.dom.addEventListener('dragstart', this.drag)
    this.dom.addEventListener('dragend', this.endDrag)
    this.dom.addEventListener('click', () => {
      if (this.select()) onMenu({ position: this.position!, anchor: this.dom })
    })
  }

  hideWhenGone(): void {
    if (this.position !== undefined && !this.view.state.doc.nodeAt(this.position)) this.hide()
  }

  destroy(): void {
    const frame = this.dom.parentElement
    frame?.removeEventListener('pointermove', this.follow)
    frame?.removeEventListener('pointerleave', this.hide)
    this.dom.remove()
  }

  private readonly hide = (): void => {
    this.position = undefined
    this.dom.hidden = true
  }

  private readonly follow = (event: PointerEvent): void => {
    const { view, dom } = this
    if (
      event.pointerType === 'touch' ||
      event.buttons !== 0 ||
      !view.editable ||
      dom.contains(event.target as Node)
    )
      return
    const { left, right } = view.dom.getBoundingClientRect()
    const found = view.posAtCoords({
      left: Math.min(Math.max(event.clientX, left + 1), right - 1),
      top: event.clientY,
    })
    if (!found) return
    const $position = view.state.doc.resolve(
      found.inside >= 0 ? Math.max(found.pos, found.inside + 1) : found.pos,
    )
    const position = blockAt($position)?.position ?? (found.inside >= 0 ? found.inside : undefined)
    const target = position === undefined ? null : view.nodeDOM(position)
    if (position === undefined || !(target instanceof HTMLElement)) return
    this.position = position
    dom.hidden = false
    const frame = dom.parentElement!.getBoundingClientRect()
    const box = target.getBoundingClientRect()
    // Set through the style object, which the policy of the page allows.
    dom.style.top = `${box.top - frame.top}px`
    dom.style.left = `${box.left - frame.left - dom.offsetWidth - 4}px`
  }

  private select(): boolean {
    const { view, position } = this
    if (position === undefined || !view.state.doc.nodeAt(position)) return false
    view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, position)))
    return true
  }

  private readonly drag = (event: DragEvent): void => {
    const { view, position } = this
    if (!event.dataTransfer || !this.select()) return
    const slice = view.state.selection.content()
    const { dom, text } = view.serializeForClipboard(slice)
    event.dataTransfer.clearData()
    event.dataTransfer.setData('text/html', dom.innerHTML)
    event.dataTransfer.setData('text/plain', text)
    event.dataTransfer.effectAllowed = 'copyMove'
    const target = view.nodeDOM(position!)
    if (target instanceof HTMLElement) event.dataTransfer.setDragImage(target, 0, 0)
    view.dragging = { slice, move: true }
  }

  private readonly endDrag = (): void => {
    this.view.dragging = null
    this.hide()
  }
}
