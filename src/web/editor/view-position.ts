/** Where a person is in a text: the selection, and what is at the top of the window, so that another view of it continues there. */
import type { Splice } from '../../core/editing/splice.js'

export interface ViewPosition {
  /** Offsets in the text. */
  readonly anchor: number
  readonly head: number
  /** The offset of what is at the top, and its distance from the top of the scrolled element in pixels. */
  readonly top?: { readonly offset: number; readonly distance: number }
}

/** Returns the element that scrolls what is in it. */
export function scrollerOf(element: Element): Element {
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
    const { overflowY } = getComputedStyle(parent)
    if (/auto|scroll/.test(overflowY) && parent.scrollHeight > parent.clientHeight) return parent
  }
  return document.scrollingElement ?? document.documentElement
}

/** Returns the y coordinate at which a view begins to be visible in the element that scrolls it. */
export const visibleTopOf = (scroller: Element, view: Element): number =>
  Math.max(scroller.getBoundingClientRect().top, view.getBoundingClientRect().top)

/** Returns the position in the text after the splices; what was inserted at an offset is before it. */
export function movePosition(position: ViewPosition, splices: readonly Splice[]): ViewPosition {
  const { anchor, head, top } = position
  return {
    anchor: moveOffset(anchor, splices),
    head: moveOffset(head, splices),
    ...(top && { top: { ...top, offset: moveOffset(top.offset, splices) } }),
  }
}

function moveOffset(offset: number, splices: readonly Splice[]): number {
  let shift = 0
  for (const { start, end, text } of splices) {
    if (start > offset) break
    if (end > offset) return start + shift + Math.min(text.length, offset - start)
    shift += text.length - (end - start)
  }
  return offset + shift
}
