/**
 * Handle beside a block: dragged, it moves the block; clicked, it opens the menu of the block. It is beside the block under
 * the pointer, or that of the cursor, so that it is there on touch screens too.
 */
import { NodeSelection, Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { blockAt } from '../commands/block-commands.js'
import { element } from '../dom.js'
import { documentText as text } from '../../i18n/document-text.js'

export interface BlockHandleOptions {
  /** Opens the menu of the block that begins at a position. */
  readonly onMenu: (block: { readonly position: number; readonly anchor: Element }) => void
}

export function blockHandlePlugin(options: BlockHandleOptions): Plugin {
  return new Plugin({
    view: (view) => {
      const handle = new BlockHandle(view, options)
      return { update: () => handle.update(), destroy: () => handle.destroy() }
    },
  })
}

class BlockHandle {
  private readonly dom: HTMLElement
  private position: number | undefined
  /** Whether it is beside the block under the pointer rather than that of the cursor. */
  private isHovered = false
  private isScheduled = false
  /** While its menu is open it stays, until the text has the focus again. */
  private isPinned = false

  constructor(
    private readonly view: EditorView,
    { onMenu }: BlockHandleOptions,
  ) {
    this.dom = element(
      'button',
      {
        type: 'button',
        class: 'block-handle',
        draggable: 'true',
        'aria-label': text.blockMenu,
        title: text.blockMenu,
        // The key of the menu is the way for keyboards.
        tabindex: '-1',
        hidden: true,
      },
      '⠿',
    )
    const frame = view.dom.parentElement!
    frame.classList.add('document-frame')
    frame.append(this.dom)
    frame.addEventListener('pointermove', this.follow)
    frame.addEventListener('pointerleave', this.leave)
    view.dom.addEventListener('focus', this.unpin)
    this.dom.addEventListener('dragstart', this.drag)
    this.dom.addEventListener('dragend', this.endDrag)
    this.dom.addEventListener('click', () => {
      if (!this.spans() && !this.select()) return
      this.isPinned = true
      onMenu({ position: this.position!, anchor: this.dom })
    })
  }

  /** Follows the cursor, once per frame: measuring costs a layout. */
  update(): void {
    if (this.position !== undefined && !this.view.state.doc.nodeAt(this.position)) this.hide()
    if (this.isHovered || this.isPinned || this.isScheduled) return
    this.isScheduled = true
    requestAnimationFrame(() => {
      this.isScheduled = false
      if (!this.view.isDestroyed && !this.isHovered && !this.isPinned) this.placeAtCursor()
    })
  }

  destroy(): void {
    const frame = this.dom.parentElement
    frame?.removeEventListener('pointermove', this.follow)
    frame?.removeEventListener('pointerleave', this.leave)
    this.view.dom.removeEventListener('focus', this.unpin)
    this.dom.remove()
  }

  private hide(): void {
    this.position = undefined
    this.dom.hidden = true
  }

  private readonly leave = (): void => {
    this.isHovered = false
    this.update()
  }

  private readonly unpin = (): void => {
    this.isPinned = false
    this.leave()
  }

  private placeAtCursor(): void {
    const { view } = this
    const { selection } = view.state
    if (!view.editable || !view.hasFocus()) return this.hide()
    const isBlock = selection instanceof NodeSelection && selection.node.isBlock
    this.place(isBlock ? selection.from : blockAt(selection.$from)?.position)
  }

  private readonly follow = (event: PointerEvent): void => {
    const { view, dom } = this
    if (
      event.pointerType === 'touch' ||
      event.buttons !== 0 ||
      this.isPinned ||
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
    if (position === undefined) return
    this.isHovered = true
    this.place(position)
  }

  private place(position: number | undefined): void {
    const { view, dom } = this
    const target = position === undefined ? null : view.nodeDOM(position)
    if (!(target instanceof HTMLElement)) return this.hide()
    this.position = position
    dom.hidden = false
    const frame = dom.parentElement!.getBoundingClientRect()
    const box = target.getBoundingClientRect()
    const lineHeight = Math.min(box.height, Number.parseFloat(getComputedStyle(target).lineHeight) || 28)
    const padding = Number.parseFloat(getComputedStyle(target).paddingTop) || 0
    const top = box.top - frame.top + padding + (lineHeight - dom.offsetHeight) / 2
    // Set through the style object, which the policy of the page allows.
    dom.style.top = `${Math.max(0, top)}px`
    dom.style.left = `${Math.max(0, this.edgeOf(position!) - frame.left - dom.offsetWidth - 4)}px`
  }

  /** Where the margin begins: beside the block of the page, or the column, that a block is in. */
  private edgeOf(position: number): number {
    const { view } = this
    const $position = view.state.doc.resolve(position)
    let { depth } = $position
    while (depth > 1 && $position.node(depth).type.name !== 'column') depth--
    const around = depth === 0 ? view.nodeDOM(position) : view.nodeDOM($position.before(depth))
    return (around as HTMLElement).getBoundingClientRect().left
  }

  /** Whether the selection reaches over the block into others: it stays, and the menu turns them all. */
  private spans(): boolean {
    const { view, position } = this
    const node = position === undefined ? null : view.state.doc.nodeAt(position)
    const { from, to } = view.state.selection
    if (!node || position === undefined) return false
    const end = position + node.nodeSize
    return from < end && to > position && (from < position || to > end)
  }

  private select(): boolean {
    const { view, position } = this
    const node = position === undefined ? null : view.state.doc.nodeAt(position)
    if (!node) return false
    view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, position!)))
    return true
  }

  private readonly drag = (event: DragEvent): void => {
    const { view, position } = this
    if (!event.dataTransfer || !this.select()) return
    const slice = view.state.selection.content()
    const { dom, text: plain } = view.serializeForClipboard(slice)
    event.dataTransfer.clearData()
    event.dataTransfer.setData('text/html', dom.innerHTML)
    event.dataTransfer.setData('text/plain', plain)
    event.dataTransfer.effectAllowed = 'copyMove'
    const target = view.nodeDOM(position!)
    if (target instanceof HTMLElement) event.dataTransfer.setDragImage(target, 0, 0)
    view.dragging = { slice, move: true }
  }

  private readonly endDrag = (): void => {
    this.view.dragging = null
    this.leave()
  }
}
