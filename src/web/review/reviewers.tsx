/** Reviewers in the header of a change request: who they are and what they said; a popover asks people and teams. */
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import type { ChangeRequest } from '../../contract/change-requests.js'
import { removeRequestedReviewer, requestReviewers } from '../../contract/reviews.js'
import type { Space } from '../../contract/spaces.js'
import { type Action, useActions } from '../actions/actions.js'
import { api } from '../api/client.js'
import { queryClient, refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { IconButton, WithTooltip } from '../ui/button.js'
import { Avatar, Badge, type Tone } from '../ui/display.js'
import { Icon, type IconName } from '../ui/icon.js'
import { Popover } from '../ui/popover.js'
import { SuggestField, type Suggestion } from '../ui/suggest-field.js'
import { reportFailure } from '../ui/toast.js'
import { type ReviewState, type Reviewer, listReviewers } from './review-state.js'
import {
  changeParams,
  requestedReviewersQuery,
  reviewersOfSpaceQuery,
  reviewsQuery,
  teamsQuery,
} from './reviews-query.js'
import './review.css'

const tones: Readonly<Record<ReviewState, Tone>> = {
  requested: 'neutral',
  approved: 'green',
  'changes-requested': 'red',
  outdated: 'amber',
  withdrawn: 'neutral',
}
const icons: Readonly<Record<ReviewState, IconName>> = {
  requested: 'ellipsis',
  approved: 'check',
  'changes-requested': 'x',
  outdated: 'rotateCcw',
  withdrawn: 'ellipsis',
}
/** Avatars in the header. */
const most = 4

export function Reviewers({ space, change }: { readonly space: Space; readonly change: ChangeRequest }) {
  const source = useMemo(() => ({ space: space.id, change: change.number }), [space.id, change.number])
  const { data: reviews } = useQuery(reviewsQuery(source))
  const { data: requests } = useQuery(requestedReviewersQuery(source))
  const reviewers = useMemo(() => listReviewers(reviews ?? [], requests ?? []), [reviews, requests])
  const [isOpen, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  useActions(
    useMemo(
      (): Action[] => [
        { id: 'reviewers', name: text.review.reviewers, icon: 'users', run: () => setOpen(true) },
      ],
      [],
    ),
  )
  const label =
    reviewers.length === 0
      ? text.review.reviewers
      : reviewers.map(({ name, state }) => `${name}: ${text.review.states[state]}`).join(', ')
  return (
    <>
      <WithTooltip label={label}>
        <button
          ref={trigger}
          type="button"
          className="reviewers"
          aria-label={`${text.review.reviewers}${reviewers.length === 0 ? '' : `: ${label}`}`}
          aria-expanded={isOpen}
          aria-haspopup="dialog"
          onClick={() => setOpen(!isOpen)}
        >
          {reviewers.length === 0 ? (
            <Icon name="users" />
          ) : (
            reviewers.slice(0, most).map((one) => <ReviewerSign key={one.id} reviewer={one} />)
          )}
          {reviewers.length > most && <span className="reviewers-more">+{reviewers.length - most}</span>}
        </button>
      </WithTooltip>
      {isOpen && trigger.current !== null && (
        <Popover
          title={text.review.reviewers}
          anchor={trigger.current}
          align="end"
          onClose={() => setOpen(false)}
        >
          <ReviewerList space={space} change={change} reviewers={reviewers} />
        </Popover>
      )}
    </>
  )
}

function ReviewerSign({ reviewer: { name, photo, isTeam, state } }: { readonly reviewer: Reviewer }) {
  return (
    <span className={`reviewer-sign is-${state}`}>
      {isTeam ? (
        <span className="avatar" aria-hidden="true">
          <Icon name="users" />
        </span>
      ) : (
        <Avatar name={name} photo={photo} />
      )}
      <span className="reviewer-state">
        <Icon name={icons[state]} />
      </span>
    </span>
  )
}

function ReviewerList({
  space,
  change,
  reviewers,
}: {
  readonly space: Space
  readonly change: ChangeRequest
  readonly reviewers: readonly Reviewer[]
}) {
  const params = changeParams({ space: space.id, change: change.number })
  const mayAsk = change.permissions?.edit ?? false
  const send = (work: Promise<unknown>) => reportFailure(work.then(() => refresh('space', space.id)))
  const ask = (id: string, isTeam: boolean) =>
    send(api.call(requestReviewers, { params, body: isTeam ? { teams: [id] } : { users: [id] } }))
  const withdraw = (id: string) =>
    send(api.call(removeRequestedReviewer, { params: { ...params, userId: id } }))
  const suggest = async (query: string): Promise<readonly Suggestion[]> => {
    const [people, teams] = await Promise.all([
      queryClient.fetchQuery(reviewersOfSpaceQuery(space.id)),
      // Guests see no teams.
      queryClient.fetchQuery(teamsQuery(space.organization)).catch(() => []),
    ])
    const requested = new Set(reviewers.flatMap(({ id, isRequested }) => (isRequested ? [id] : [])))
    const all: Suggestion[] = [
      ...people
        .filter(({ id }) => id !== change.createdBy.id)
        .map(({ id, displayName, email }) => ({ value: id, name: displayName, detail: email })),
      ...teams.map(({ id, title }) => ({
        value: `team ${id}`,
        name: title,
        detail: text.review.team,
        icon: 'users' as const,
      })),
    ]
    const words = query.toLowerCase()
    return all
      .filter(({ value, name, detail = '' }) => {
        const isRequested = requested.has(value.replace(/^team /, ''))
        return !isRequested && `${name} ${detail}`.toLowerCase().includes(words)
      })
      .slice(0, 20)
  }
  return (
    <>
      {mayAsk ? (
        <SuggestField
          key={reviewers.length}
          label={text.review.ask}
          placeholder={text.review.askPlaceholder}
          value=""
          isOpen
          nothing={text.review.nobody}
          suggest={suggest}
          onChoose={(value, suggestion) => {
            if (suggestion === undefined) return
            const isTeam = value.startsWith('team ')
            void ask(isTeam ? value.slice(5) : value, isTeam)
          }}
        />
      ) : (
        <p className="review-note">{text.review.mayNotAsk}</p>
      )}
      {reviewers.length > 0 && (
        <ul className="reviewer-list" aria-label={text.review.reviewers}>
          {reviewers.map((one) => (
            <li key={one.id} className="reviewer">
              <ReviewerSign reviewer={one} />
              <span className="reviewer-name" dir="auto">
                {one.name}
                {one.isContributor && <span className="reviewer-detail">{text.review.contributor}</span>}
              </span>
              <Badge tone={tones[one.state]}>{text.review.states[one.state]}</Badge>
              {mayAsk &&
                (one.isRequested ? (
                  <IconButton
                    icon="x"
                    label={text.review.withdrawRequest(one.name)}
                    onClick={() => void withdraw(one.id)}
                  />
                ) : (
                  <IconButton
                    icon="refresh"
                    label={text.review.askAgain(one.name)}
                    onClick={() => void ask(one.id, false)}
                  />
                ))}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
