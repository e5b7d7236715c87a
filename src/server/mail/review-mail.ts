/** Mail that asks a reviewer for a review. */
import type { Services } from '../../access/route/scope.js'
import { findChangeRequest } from '../../resources/change-requests/store.js'
import { findOrganization } from '../../resources/organizations/store.js'
import {
  findRequestsTo,
  findReviewers,
  listReviewersByRole,
  listTeamReviewers,
} from '../../resources/reviews/store.js'
import {
  type ReviewRequest,
  sendReviewRequestJob,
  enqueueReviewRequest,
  notifyReviewersJob,
} from '../../resources/reviews/notify.js'
import { findSpace } from '../../resources/spaces/store.js'
import { findPreferences } from '../../resources/users/preferences.js'
import { findPeopleOf } from '../../resources/users/store.js'
import type { Allowance } from '../../store/db/attempts.js'
import { noLocks } from '../../store/db/lock-scope.js'
import type { JobHandlers } from '../../store/jobs/worker.js'
import { type Mail, mailLife } from './mailer.js'
import { nameInMail, quotedInMail } from './name-in-mail.js'

/** Reviewers with more requests find the others in their list of pending reviews. */
const mailsPerPerson: Allowance = { limit: 30, window: 3_600_000 }

/** Returns the handlers of the jobs that mail the requested reviewers. */
export function reviewMailHandlers(
  send: (mail: Mail) => Promise<void>,
  { database, addresses }: Pick<Services, 'database' | 'addresses'>,
  now: () => number,
): JobHandlers {
  /** Returns the change request to review, if it is still open. */
  async function findOpenRequest({ organizationId, spaceId, changeRequestId, at }: ReviewRequest) {
    if (now() - at > mailLife) return undefined
    const space = await findSpace(database.read, organizationId, spaceId)
    if (space === undefined || space.deleted_at !== null) return undefined
    const changeRequest = await findChangeRequest(database.read, space, changeRequestId)
    return changeRequest?.status === 'open' ? { space, changeRequest } : undefined
  }

  return {
    // A job for each reviewer: a mail that cannot be sent is retried without the others.
    async [notifyReviewersJob](request) {
      const { team, requestedBy } = request
      const found = await findOpenRequest(request)
      if (found === undefined) return
      const reviewers =
        team === undefined
          ? await listReviewersByRole(database.read, request, requestedBy)
          : await listTeamReviewers(database.read, found.changeRequest, team, requestedBy)
      await database.writeWithLocks(noLocks, async (tx) => {
        for (const user of reviewers) await enqueueReviewRequest(tx, { ...request, user })
      })
    },

    async [sendReviewRequestJob](request) {
      const { organizationId, spaceId, requestedBy, user, isOpen } = request
      const found = await findOpenRequest(request)
      if (found === undefined) return
      const { space, changeRequest } = found
      const eligible = await findReviewers(database.read, organizationId, spaceId, [user])
      const reviewRequests = isOpen ? [] : await findRequestsTo(database.read, changeRequest, user)
      // Another member may have answered for the team, or the request was withdrawn.
      if (!eligible.has(user) || (!isOpen && reviewRequests.length === 0)) return
      const { mail: wanted } = await findPreferences(database.read, user)
      if (wanted.reviewRequested === 'never') return
      const people = await findPeopleOf(database.read, organizationId, [user, requestedBy])
      const email = people.get(user)?.email
      if (!email || !(await database.attempts.take(`review mail ${user}`, mailsPerPerson)).isWithin) return
      const organization = await findOrganization(database.read, organizationId)
      const content = reviewMail({
        requester: people.get(requestedBy)?.display_name ?? 'Somebody',
        subject: changeRequest.subject,
        number: changeRequest.number,
        space: space.title,
        organization: organization?.title ?? '',
        url: addresses.app(`/s/${space.id}/~/changes/${changeRequest.number}/`),
      })
      await send({ to: email, ...content })
    },
  }
}

function reviewMail(content: {
  readonly requester: string
  readonly subject: string
  readonly number: number
  readonly space: string
  readonly organization: string
  readonly url: string
}): Pick<Mail, 'subject' | 'text'> {
  const subject = quotedInMail(content.subject, `Change request #${content.number}`)
  const requester = nameInMail(content.requester, 'Somebody')
  const space = quotedInMail(content.space, 'a space')
  const organization = quotedInMail(content.organization, 'an organization')
  return {
    subject: `Review of ${subject}`,
    text: [
      `${requester} asks for your review of ${subject}, change request ${content.number} of ${space} in ${organization}:`,
      '',
      content.url,
      '',
    ].join('\n'),
  }
}
