/** Comments beside a page: the button and the key that open them, and the panel, which is loaded when it is. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, lazy, useMemo } from 'react'
import { type Action, useActions } from '../actions/actions.js'
import type { ContentSource } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { IconButton } from '../ui/button.js'
import { setCommentsOpen, startComment, useCommentState } from './comment-place.js'
import { commentsQuery } from './comments-query.js'
import './comments-beside.css'

const CommentsPanel = lazy(() => import('./comments-panel.js'))

/** Returns the button and the panel; both are empty without a page. */
export function useCommentsBeside(
  source: ContentSource,
  page: string | undefined,
  mayComment: boolean,
): { readonly button: ReactNode; readonly panel: ReactNode } {
  const { isOpen } = useCommentState()
  const { data } = useQuery({ ...commentsQuery(source, page), enabled: page !== undefined })
  const count = data?.filter(({ status }) => status === 'open').length ?? 0
  const disabledReason =
    page === undefined ? text.comments.noBlock : mayComment ? undefined : text.comments.mayNot
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: 'comment',
          name: text.comments.commentKeys,
          icon: 'message',
          keys: 'C',
          disabledReason,
          run: () => startComment(),
        },
        {
          id: 'suggest',
          name: text.comments.suggest,
          icon: 'pencil',
          disabledReason,
          run: () => startComment(true),
        },
        {
          id: 'comments',
          name: text.comments.panel,
          icon: 'message',
          run: () => setCommentsOpen(!isOpen),
        },
      ],
      [disabledReason, isOpen],
    ),
  )
  if (page === undefined) return { button: null, panel: null }
  return {
    button: (
      <span className="comments-button">
        <IconButton
          icon="message"
          label={count === 0 ? text.comments.title : `${text.comments.title} (${count})`}
          aria-pressed={isOpen}
          onClick={() => setCommentsOpen(!isOpen)}
        />
        {count > 0 && (
          <span className="comments-count" aria-hidden="true">
            {count}
          </span>
        )}
      </span>
    ),
    panel: isOpen && (
      <Suspense fallback={null}>
        <CommentsPanel key={page} source={source} page={page} mayComment={mayComment} />
      </Suspense>
    ),
  }
}
