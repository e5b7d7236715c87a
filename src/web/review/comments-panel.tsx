/** Comments on a page beside it: threads with their words marked in the text, and a field for what is selected. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { type Comment, changeRequestComments, spaceComments } from '../../contract/comments.js'
import type { Quote } from '../../core/comments/find-quote.js'
import { api } from '../api/client.js'
import { contentRequest } from '../api/content-request.js'
import type { ContentSource } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { Button, IconButton } from '../ui/button.js'
import { EmptyState, ErrorNotice, Skeleton } from '../ui/display.js'
import { TextAreaField } from '../ui/field.js'
import { Segmented } from '../ui/segmented.js'
import { CommentField } from './comment-field.js'
import {
  type CommentMark,
  type NewComment,
  openComment,
  setCommentsOpen,
  startComment,
  stopComment,
  useCommentState,
} from './comment-place.js'
import { CommentThreads } from './comment-threads.js'
import { commentsQuery, refreshComments } from './comments-query.js'
import './comments-panel.css'

export default function CommentsPanel({
  source,
  page,
  mayComment,
}: {
  readonly source: ContentSource
  readonly page: string
  readonly mayComment: boolean
}) {
  const { data: comments, error } = useQuery(commentsQuery(source, page))
  const { view, started, current } = useCommentState()
  const [filter, setFilter] = useState<'open' | 'all'>('open')
  const displayed = useMemo(
    () => (comments ?? []).filter((one) => filter === 'all' || one.status === 'open' || one.id === current),
    [comments, filter, current],
  )
  const open = (comments ?? []).filter(({ status }) => status === 'open')
  useEffect(() => {
    view?.mark([...marksOf(open), ...(started?.quote ? [markOfNew(started.quote)] : [])], current ?? 'new')
    // `open` is made of `comments` with each rendering.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [view, comments, current, started])
  useEffect(() => () => view?.mark([], undefined), [view])
  return (
    <aside className="page-panel comments-panel" aria-label={text.comments.title}>
      <header className="page-panel-header">
        <h2>{text.comments.title}</h2>
        <IconButton icon="x" label={text.common.close} onClick={() => setCommentsOpen(false)} />
      </header>
      <div className="comments-panel-bar">
        <Segmented
          label={text.comments.show}
          value={filter}
          onChange={setFilter}
          choices={(['open', 'all'] as const).map((value) => ({ value, name: text.comments.filters[value] }))}
        />
        <span className="header-spacer" />
        <Button
          icon="plus"
          keys="C"
          disabledReason={mayComment ? undefined : text.comments.mayNot}
          // The selection stays.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => startComment()}
        >
          {text.comments.comment}
        </Button>
      </div>
      {started !== undefined && mayComment && (
        <NewThread
          key={`${started.quote?.words} ${started.isSuggestion}`}
          source={source}
          page={page}
          started={started}
        />
      )}
      {error !== null && <ErrorNotice error={error} />}
      {comments === undefined && error === null && <Skeleton lines={4} />}
      {comments !== undefined && displayed.length === 0 && started === undefined && (
        <EmptyState
          icon="message"
          title={comments.length === 0 ? text.comments.none : text.comments.noneOpen}
        >
          {mayComment ? text.comments.noneText : text.comments.mayNot}
        </EmptyState>
      )}
      <CommentThreads
        source={source}
        comments={displayed}
        current={current}
        onChoose={(id) => {
          if (id === current) return
          openComment(id)
          view?.reveal(id)
        }}
      />
    </aside>
  )
}

const markOfNew = (quote: Quote): CommentMark => ({ id: 'new', quote, isSuggestion: false })

function marksOf(comments: readonly Comment[]): CommentMark[] {
  return comments.flatMap(({ id, target: { node }, suggestion }) => {
    if (node?.range === undefined) return []
    const { words = '', before = '', after = '', occurrence = 0 } = node
    return [{ id, quote: { words, before, after, occurrence }, isSuggestion: suggestion?.status === 'open' }]
  })
}

/** A comment on words or on the page, or other words instead of them. */
function NewThread({
  source,
  page,
  started: { quote, isSuggestion },
}: {
  readonly source: ContentSource
  readonly page: string
  readonly started: NewComment
}) {
  const [replacement, setReplacement] = useState(quote?.words ?? '')
  const post = async (markdown: string) => {
    if (isSuggestion && replacement === quote?.words) throw new Error(text.comments.unchanged)
    const body = {
      body: { markdown: markdown.trim() === '' ? text.comments.suggested : markdown },
      page,
      ...(quote && { quote }),
      ...(isSuggestion && { suggestion: { replacement } }),
    }
    const made = await api.call(
      ...contentRequest(source, spaceComments.post, changeRequestComments.post, { body }),
    )
    await refreshComments(source)
    stopComment()
    openComment(made.id)
  }
  return (
    <section className="new-thread" aria-label={isSuggestion ? text.comments.suggest : text.comments.comment}>
      {quote === undefined ? (
        <p className="new-thread-target">{text.comments.onPage}</p>
      ) : (
        <blockquote className="new-thread-words">
          {isSuggestion ? <del>{quote.words}</del> : quote.words}
        </blockquote>
      )}
      {isSuggestion && (
        <TextAreaField label={text.comments.replacement} value={replacement} onChange={setReplacement} />
      )}
      <CommentField
        source={source}
        draftKey={`${source.space} ${source.change ?? ''} ${page} ${quote?.words ?? ''}`}
        label={isSuggestion ? text.comments.suggest : text.comments.comment}
        placeholder={isSuggestion ? text.comments.suggestPlaceholder : text.comments.placeholder}
        send={isSuggestion ? text.comments.sendSuggestion : text.comments.send}
        autoFocus={!isSuggestion}
        isOptional={isSuggestion}
        onSend={post}
        onCancel={stopComment}
      />
    </section>
  )
}
