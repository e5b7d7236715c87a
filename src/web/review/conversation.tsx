/** The Conversation of a change request: comments, reviews, edits and what else happened, in the order of time. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import type { ChangeRequest } from '../../contract/change-requests.js'
import { type Comment, changeRequestComments } from '../../contract/comments.js'
import type { RequestedReviewer, Review } from '../../contract/reviews.js'
import { type ListedRevision, changeRequestHistory } from '../../contract/revisions.js'
import type { Space } from '../../contract/spaces.js'
import { api } from '../api/client.js'
import { refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { Button } from '../ui/button.js'
import { Badge, ErrorNotice, RelativeTime, Skeleton } from '../ui/display.js'
import { Icon, type IconName } from '../ui/icon.js'
import { Segmented } from '../ui/segmented.js'
import { reportFailure, showToast } from '../ui/toast.js'
import { ChangeDescription } from './change-description.js'
import { CommentField } from './comment-field.js'
import { CommentThread } from './comment-threads.js'
import { commentsQuery, refreshComments } from './comments-query.js'
import { useLinkedComment } from './linked-comment.js'
import { requestedReviewersQuery, reviewsQuery } from './reviews-query.js'
import './conversation.css'

/** One list, so that renderings do not differ by it. */
const nothing: readonly never[] = []

type Filter = 'all' | 'open' | 'resolved'
const filters = ['all', 'open', 'resolved'] as const

/** Edits that are displayed; earlier ones on demand. */
const revisionLimit = 100

const revisionsQuery = (space: string, change: number) =>
  queryOptions({
    queryKey: ['space', space, 'change', change, 'content', 'revisions'],
    queryFn: async ({ signal }) =>
      (
        await api.call(changeRequestHistory.list, {
          params: { spaceId: space, changeRequestId: change },
          query: { limit: revisionLimit },
          signal,
        })
      ).items,
  })

export default function Conversation({
  space,
  change,
}: {
  readonly space: Space
  readonly change: ChangeRequest
}) {
  const source = useMemo(() => ({ space: space.id, change: change.number }), [space.id, change.number])
  const comments = useQuery(commentsQuery(source))
  const linked = useLinkedComment()
  const { data: reviews = nothing } = useQuery(reviewsQuery(source))
  const { data: revisions = nothing } = useQuery(revisionsQuery(space.id, change.number))
  const { data: requested = nothing } = useQuery(requestedReviewersQuery(source))
  const [filter, setFilter] = useState<Filter>('all')
  const events = useMemo(
    () => (filter === 'all' ? eventsOf(change, { reviews, revisions, requested }) : []),
    [filter, change, reviews, revisions, requested],
  )
  const threads = (comments.data ?? []).filter(({ status }) => filter === 'all' || status === filter)
  const items = [
    ...events,
    ...threads.map((comment) => ({
      key: comment.id,
      at: comment.postedAt,
      body: <CommentThread source={source} comment={comment} current={linked} withPage />,
      isThread: true,
    })),
  ].toSorted((a, b) => a.at.localeCompare(b.at))
  const post = async (markdown: string) => {
    await api.call(changeRequestComments.post, {
      params: { spaceId: space.id, changeRequestId: change.number },
      body: { body: { markdown } },
    })
    await refreshComments(source)
  }
  const suggestions = (comments.data ?? []).filter(({ suggestion }) => suggestion?.status === 'open')
  return (
    <div className="content-main conversation">
      <div className="conversation-column">
        <ChangeDescription change={change} />
        <div className="conversation-bar">
          <Segmented
            label={text.comments.show}
            value={filter}
            onChange={setFilter}
            choices={filters.map((value) => ({ value, name: text.comments.filters[value] }))}
          />
          <span className="header-spacer" />
          {suggestions.length > 1 && change.permissions?.edit === true && (
            <ApplyAll space={space.id} change={change.number} suggestions={suggestions} />
          )}
        </div>
        {comments.error !== null && (
          <ErrorNotice error={comments.error} onRetry={() => void comments.refetch()} />
        )}
        {comments.data === undefined && comments.error === null ? (
          <Skeleton lines={6} />
        ) : (
          <ol className="conversation-items">
            {items.map(({ key, body, isThread }) => (
              <li key={key} className={isThread ? 'conversation-thread' : 'conversation-event'}>
                {body}
              </li>
            ))}
          </ol>
        )}
        {filter !== 'all' && comments.data !== undefined && threads.length === 0 && (
          <p className="conversation-nothing">{text.comments.none}</p>
        )}
        {change.permissions?.comment === true ? (
          <section className="conversation-new" aria-label={text.comments.whole}>
            <CommentField
              source={source}
              draftKey={`${space.id} ${change.number}`}
              label={text.comments.whole}
              placeholder={text.comments.placeholder}
              send={text.comments.send}
              onSend={post}
            />
          </section>
        ) : (
          <p className="conversation-nothing">{text.comments.mayNot}</p>
        )}
      </div>
    </div>
  )
}

function ApplyAll({
  space,
  change,
  suggestions,
}: {
  readonly space: string
  readonly change: number
  readonly suggestions: readonly Comment[]
}) {
  const [isBusy, setBusy] = useState(false)
  const apply = async () => {
    await api.call(changeRequestComments.applyAll, {
      params: { spaceId: space, changeRequestId: change },
      body: { comments: suggestions.map(({ id }) => id) },
    })
    showToast(text.comments.applied)
  }
  const run = async () => {
    setBusy(true)
    await reportFailure(apply())
    setBusy(false)
    await refresh('space', space)
  }
  return (
    <Button icon="check" isBusy={isBusy} onClick={() => void run()}>
      {text.comments.applyAll(suggestions.length)}
    </Button>
  )
}

interface Item {
  readonly key: string
  readonly at: string
  readonly body: ReactNode
  readonly isThread: boolean
}

function eventsOf(
  change: ChangeRequest,
  {
    reviews,
    revisions,
    requested,
  }: {
    readonly reviews: readonly Review[]
    readonly revisions: readonly ListedRevision[]
    readonly requested: readonly RequestedReviewer[]
  },
): Item[] {
  const items: Item[] = [
    event(
      'created',
      change.createdAt,
      'gitPullRequestDraft',
      text.comments.created(change.createdBy.displayName),
    ),
  ]
  for (const run of runsOf(revisions)) {
    const last = run.at(-1)!
    const names = [...new Set(run.flatMap(({ authors }) => authors.map((one) => one.displayName)))].join(', ')
    const words =
      last.type === 'update' ? text.comments.updated(names) : text.comments.committed(names, run.length)
    items.push(event(last.id, last.createdAt, last.type === 'update' ? 'refresh' : 'pencil', words))
  }
  for (const { requestedBy, user, team, createdAt } of requested) {
    const name = user?.displayName ?? team?.title ?? ''
    items.push(
      event(
        `requested ${user?.id ?? team?.id}`,
        createdAt,
        'eye',
        text.comments.requested(requestedBy.displayName, name),
      ),
    )
  }
  for (const review of reviews) {
    const words = text.comments.reviewed[review.status](review.reviewer.displayName)
    const badge =
      review.withdrawnAt === undefined
        ? review.outdated && text.comments.reviewOutdated
        : text.comments.reviewWithdrawn
    const icon = review.status === 'approved' ? 'circleCheck' : 'circleAlert'
    items.push(
      event(
        review.id,
        review.createdAt,
        icon,
        <>
          {words} {badge !== false && <Badge>{badge}</Badge>}
        </>,
      ),
    )
  }
  if (change.status === 'merged')
    items.push(event('merged', change.updatedAt, 'gitMerge', text.comments.merged))
  return items
}

function event(key: string, at: string, icon: IconName, words: ReactNode): Item {
  const body = (
    <>
      <Icon name={icon} />
      <span>{words}</span> <RelativeTime date={at} />
    </>
  )
  return { key, at, body, isThread: false }
}

/** Milliseconds between two edits of one run. */
const pause = 3_600_000

/** Groups revisions, newest first, to runs of the same people, oldest first. */
function runsOf(revisions: readonly ListedRevision[]): ListedRevision[][] {
  const runs: ListedRevision[][] = []
  const nameOf = ({ authors, type }: ListedRevision) => `${type} ${authors.map(({ id }) => id).join(' ')}`
  for (const revision of revisions.toReversed()) {
    const last = runs.at(-1)?.at(-1)
    const isNear =
      last !== undefined &&
      nameOf(last) === nameOf(revision) &&
      Date.parse(revision.createdAt) - Date.parse(last.createdAt) < pause
    if (isNear) runs.at(-1)!.push(revision)
    else runs.push([revision])
  }
  return runs
}
