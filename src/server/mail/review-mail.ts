/** The mail that asks somebody for a review. */
import type { UserId } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'
import { findChangeRequest } from '../../resources/change-requests/store.js'
import { findOrganization } from '../../resources/organizations/store.js'
import {
  findAsked,
  findReviewers,
  listReviewersByRole,
  listTeamReviewers,
} from '../../resources/reviews/store.js'
import {
  type ReviewRequest,
  sendReviewRequestJob,
  tellLater,
  tellReviewersJob,
} from '../../resources/reviews/tell.js'
import { findSpace } from '../../resources/spaces/store.js'
import { findPeopleOf } from '../../resources/users/store.js'
import type { Allowance } from '../../store/db/attempts.js'
import { nothing } from '../../store/db/hold.js'
import type { JobHandler } from '../../store/jobs/worker.js'
import { type Mail, mailLife } from './letter.js'

/** Who is asked more often finds the others in the list of what waits for them. */
const mailsPerPerson: Allowance = { limit: 30, window: 3_600_000 }

/** Returns the handlers of the jobs that tell who is asked for a review. */
export function reviewMailHandlers(
  send: (mail: Mail) => Promise<void>,
  { database, addresses }: Pick<Services, 'database' | 'addresses'>,
  now: () => number,
): Readonly<Record<string, JobHandler>> {
  /** What is to be reviewed, if it still is. */
  async function find({ organizationId, spaceId, changeRequestId, at }: ReviewRequest) {
    if (now() - at > mailLife) return undefined
    const space = await findSpace(database.read, organizationId, spaceId)
    if (space === undefined || space.deleted_at !== null) return undefined
    const changeRequest = await findChangeRequest(database.read, space, changeRequestId)
    return changeRequest?.status === 'open' ? { space, changeRequest } : undefined
  }

  return {
    // A job for each: a mail that cannot be sent is tried again without the others.
    async [tellReviewersJob](payload) {
      const request = payload as unknown as ReviewRequest
      const { team, requestedBy } = request
      const found = await find(request)
      if (found === undefined) return
      const told =
        team === undefined
          ? await listReviewersByRole(database.read, request, requestedBy)
          : await listTeamReviewers(database.read, found.changeRequest, team, requestedBy)
      await database.writeHolding(nothing, async (tx) => {
        for (const user of told) await tellLater(tx, { ...request, user })
      })
    },

    async [sendReviewRequestJob](payload) {
      const request = payload as unknown as ReviewRequest & { readonly user: UserId }
      const { organizationId, spaceId, requestedBy, user, isOpen } = request
      const found = await find(request)
      if (found === undefined) return
      const { space, changeRequest } = found
      const able = await findReviewers(database.read, organizationId, spaceId, [user])
      const asked = isOpen ? [] : await findAsked(database.read, changeRequest, user)
      // Somebody may have answered for the team, or taken the question back.
      if (!able.has(user) || (!isOpen && asked.length === 0)) return
      const people = await findPeopleOf(database.read, organizationId, [user, requestedBy])
      const email = people.get(user)?.email
      if (!email || !(await database.attempts.take(`review mail ${user}`, mailsPerPerson)).isWithin) return
      const organization = await findOrganization(database.read, organizationId)
      const mail = reviewMail({
        requester: people.get(requestedBy)?.display_name ?? 'Somebody',
        subject: changeRequest.subject,
        number: changeRequest.number,
        space: space.title,
        organization: organization?.title ?? '',
        url: addresses.app(`/s/${space.id}/~/changes/${changeRequest.number}/`),
      })
      await send({ to: email, ...mail })
    },
  }
}

/** What people wrote goes into one line: it cannot pass for more of the mail. */
function reviewMail(words: {
  readonly requester: string
  readonly subject: string
  readonly number: number
  readonly space: string
  readonly organization: string
  readonly url: string
}): Pick<Mail, 'subject' | 'text'> {
  const line = (text: string): string => text.replace(/\s+/g, ' ').trim()
  const subject = line(words.subject) || `Change request #${words.number}`
  return {
    subject: `Review of "${subject}"`,
    text: [
      `${line(words.requester)} asks for your review of "${subject}", change request ${words.number} of ${line(words.space) || 'a space'} in ${line(words.organization)}:`,
      '',
      words.url,
      '',
    ].join('\n'),
  }
}
