/** Review of a change request: approve, ask for changes, or only comment, with words; and to withdraw a review. */
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import type { ChangeRequest } from '../../contract/change-requests.js'
import { changeRequestComments } from '../../contract/comments.js'
import { type Review, submitReview, withdrawReview } from '../../contract/reviews.js'
import type { Space } from '../../contract/spaces.js'
import { type Action, formatKeys, useActions } from '../actions/actions.js'
import { ApiRequestError, api } from '../api/client.js'
import { type ChangeSource, currentUserQuery, refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { Button } from '../ui/button.js'
import { ErrorNotice, RelativeTime } from '../ui/display.js'
import { TextAreaField } from '../ui/field.js'
import { Popover } from '../ui/popover.js'
import { Segmented } from '../ui/segmented.js'
import { showToast } from '../ui/toast.js'
import { stateOf } from './review-state.js'
import { changeParams, reviewsQuery } from './reviews-query.js'
import './review.css'

type Verdict = 'approved' | 'changes-requested' | 'comment'

export function ReviewButton({ space, change }: { readonly space: Space; readonly change: ChangeRequest }) {
  const source = useMemo(() => ({ space: space.id, change: change.number }), [space.id, change.number])
  const [isOpen, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const { review: mayReview = false, comment: mayComment = false } = change.permissions ?? {}
  const isClosed = change.status === 'merged' || change.status === 'archived'
  const reason = isClosed ? text.change.closed : mayReview || mayComment ? undefined : text.review.mayNot
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: 'review',
          name: text.review.review,
          icon: 'circleCheck',
          keys: 'A',
          keywords: text.review.keywords,
          disabledReason: reason,
          run: () => setOpen(true),
        },
      ],
      [reason],
    ),
  )
  return (
    <>
      <Button
        ref={trigger}
        icon="circleCheck"
        className="review-button"
        disabledReason={reason}
        aria-label={text.review.review}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={() => setOpen(!isOpen)}
      >
        <span className="review-button-name">{text.review.review}</span>
      </Button>
      {isOpen && trigger.current !== null && (
        <Popover
          title={text.review.title}
          anchor={trigger.current}
          align="end"
          onClose={() => setOpen(false)}
        >
          <ReviewForm source={source} change={change} mayReview={mayReview} onDone={() => setOpen(false)} />
        </Popover>
      )}
    </>
  )
}

function ReviewForm({
  source,
  change,
  mayReview,
  onDone,
}: {
  readonly source: ChangeSource
  readonly change: ChangeRequest
  readonly mayReview: boolean
  readonly onDone: () => void
}) {
  const { data: user } = useQuery(currentUserQuery)
  const { data: reviews } = useQuery(reviewsQuery(source))
  const own = reviews?.findLast(({ reviewer }) => reviewer.id === user?.id)
  const [verdict, setVerdict] = useState<Verdict>(mayReview ? 'approved' : 'comment')
  const [words, setWords] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  const params = changeParams(source)
  // What was on screen is what is approved, also when it changes while the words are written.
  const [revision] = useState(change.revision)

  async function send() {
    const markdown = words.trim()
    if (verdict !== 'approved' && markdown === '') return setMissing(true)
    setBusy(true)
    setError(undefined)
    try {
      if (verdict === 'comment')
        await api.call(changeRequestComments.post, { params, body: { body: { markdown } } })
      else {
        const comment = markdown === '' ? {} : { comment: { markdown } }
        await api.call(submitReview, { params, body: { status: verdict, revision, ...comment } })
      }
      await refresh('space', source.space)
      showToast(text.review.sent[verdict])
      onDone()
    } catch (failure) {
      setError(failure as Error)
      if (failure instanceof ApiRequestError && failure.status === 409) await refresh('space', source.space)
    }
    setBusy(false)
  }
  return (
    <form
      className="review-form"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing)
          return
        event.preventDefault()
        void send()
      }}
    >
      {own !== undefined && <OwnReview source={source} review={own} />}
      {mayReview && (
        <Segmented<Verdict>
          label={text.review.verdict}
          value={verdict}
          onChange={(next) => {
            setVerdict(next)
            setMissing(false)
          }}
          choices={(['approved', 'changes-requested', 'comment'] as const).map((value) => ({
            value,
            name: text.review.verdicts[value],
          }))}
        />
      )}
      <TextAreaField
        label={text.review.words}
        value={words}
        maxLength={10_000}
        error={isMissing ? text.review.wordsMissing[verdict] : undefined}
        hint={own?.contributor === true ? text.review.ownWork : undefined}
        onChange={(value) => {
          setWords(value)
          setMissing(false)
        }}
      />
      {error !== undefined && <ErrorNotice error={error} />}
      <Button type="submit" variant="primary" isBusy={isBusy} keys={formatKeys('Mod+Enter')}>
        {text.review.send[verdict]}
      </Button>
    </form>
  )
}

/** What the reader of the form said before. */
function OwnReview({ source, review }: { readonly source: ChangeSource; readonly review: Review }) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  if (review.withdrawnAt !== undefined) return null
  async function withdraw() {
    setBusy(true)
    try {
      await api.call(withdrawReview, { params: { ...changeParams(source), reviewId: review.id } })
      await refresh('space', source.space)
    } catch (failure) {
      setError(failure as Error)
    }
    setBusy(false)
  }
  return (
    <>
      <p className="review-own">
        <span>
          {text.review.you[stateOf(review)]} <RelativeTime date={review.createdAt} />
        </span>
        <Button variant="quiet" isBusy={isBusy} onClick={() => void withdraw()}>
          {text.review.withdraw}
        </Button>
      </p>
      {error !== undefined && <ErrorNotice error={error} />}
    </>
  )
}
