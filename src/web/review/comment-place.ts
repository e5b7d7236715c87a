/**
 * Where comments are on the screen: the view of a page (the editor, or the page for readers) says which words are selected,
 * and marks those that are commented on. One view of a page is open at a time.
 */
import { useSyncExternalStore } from 'react'
import type { Quote } from '../../core/comments/find-quote.js'

/** A comment on words, for the view that marks them. */
export interface CommentMark {
  readonly id: string
  readonly quote: Quote
  readonly isSuggestion: boolean
}

export interface CommentView {
  /** The selected words, or those of the block of the cursor; undefined where there is no block. */
  selected(): Quote | undefined
  /** Marks the words of comments, and those of the current one. */
  mark(marks: readonly CommentMark[], current: string | undefined): void
  /** Scrolls to the words of a comment; false where they are not displayed. */
  reveal(id: string): boolean
}

export interface NewComment {
  /** Undefined for a comment on the page. */
  readonly quote: Quote | undefined
  readonly isSuggestion: boolean
}

interface CommentState {
  readonly view: CommentView | undefined
  readonly isOpen: boolean
  /** What a comment is being written about. */
  readonly started: NewComment | undefined
  /** The thread whose words were clicked, or that was chosen. */
  readonly current: string | undefined
}

let state: CommentState = { view: undefined, isOpen: false, started: undefined, current: undefined }
const listeners = new Set<() => void>()

function update(change: Partial<CommentState>): void {
  state = { ...state, ...change }
  for (const listener of listeners) listener()
}

/** Makes a view the one in which comments are marked, until the returned function is called. */
export function registerCommentView(view: CommentView): () => void {
  update({ view })
  return () => {
    if (state.view === view) update({ view: undefined, started: undefined })
  }
}

/** Opens the panel with a field for a comment on what is selected. */
export function startComment(isSuggestion = false): void {
  const quote = state.view?.selected()
  update({
    isOpen: true,
    started: { quote, isSuggestion: isSuggestion && quote !== undefined },
    current: undefined,
  })
}

export const stopComment = (): void => update({ started: undefined })
export const openComment = (current: string | undefined): void =>
  update({ current, ...(current !== undefined && { isOpen: true }) })
export const setCommentsOpen = (isOpen: boolean): void =>
  update({ isOpen, ...(!isOpen && { started: undefined, current: undefined }) })

/** Makes room for another panel; returns whether comments were in its place. */
export function closeComments(): boolean {
  const { isOpen } = state
  setCommentsOpen(false)
  return isOpen
}

export const useCommentState = (): CommentState =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )
