/** Reviewers of a change request, each with the state of their latest review or of the request for one. Pure. */
import type { RequestedReviewer, Review } from '../../contract/reviews.js'

export type ReviewState = 'requested' | 'approved' | 'changes-requested' | 'outdated' | 'withdrawn'

export interface Reviewer {
  readonly id: string
  readonly name: string
  readonly photo: string | undefined
  readonly isTeam: boolean
  readonly state: ReviewState
  readonly isRequested: boolean
  /** They wrote in the change request: for merge rules they are no reviewer. */
  readonly isContributor: boolean
  /** Their latest review. */
  readonly review: Review | undefined
}

/** Returns who was asked first, then who reviewed; each person once. */
export function listReviewers(
  reviews: readonly Review[],
  requests: readonly RequestedReviewer[],
): readonly Reviewer[] {
  const latest = new Map<string, Review>()
  for (const review of reviews) latest.set(review.reviewer.id, review)
  const requested = requests.flatMap(({ user, team }): Reviewer[] => {
    const one = user ?? team
    if (one === undefined) return []
    const review = user && latest.get(user.id)
    return [
      {
        id: one.id,
        name: user?.displayName ?? team!.title,
        photo: user?.photoURL,
        isTeam: user === undefined,
        state: 'requested',
        isRequested: true,
        isContributor: review?.contributor ?? false,
        review,
      },
    ]
  })
  const known = new Set(requested.map(({ id }) => id))
  const others = [...latest.values()]
    .filter(({ reviewer }) => !known.has(reviewer.id))
    .map((review): Reviewer => ({
      id: review.reviewer.id,
      name: review.reviewer.displayName,
      photo: review.reviewer.photoURL,
      isTeam: false,
      state: stateOf(review),
      isRequested: false,
      isContributor: review.contributor,
      review,
    }))
  return [...requested, ...others]
}

/** Asked-for changes stay asked for, also when the content has changed since. */
export function stateOf({ withdrawnAt, status, outdated }: Review): ReviewState {
  if (withdrawnAt !== undefined) return 'withdrawn'
  if (status === 'changes-requested') return status
  return outdated ? 'outdated' : status
}
