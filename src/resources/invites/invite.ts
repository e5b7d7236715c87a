/**
 * Inviting people by e-mail address. The membership waits until its person accepts; whoever invites is handed a link
 * for accounts that are nobody's yet, and it opens the organization alone. How many may be invited is limited: each
 * invitation is a mail to somebody who did not ask for it.
 */
import type { OrganizationId, UserId } from '../../core/ids.js'
import { foldEmail } from '../../core/email.js'
import { newId } from '../../access/ids.js'
import type { Actor } from '../../access/signin/actor.js'
import { takeAttempt } from '../../access/signin/attempts.js'
import { isClaimed } from '../../access/signin/memberships.js'
import { insertHandedLink } from '../../access/signin/sessions.js'
import { ApiError } from '../../contract/errors.js'
import type { Role } from '../../contract/shapes.js'
import type { Allowance, Attempts } from '../../store/db/attempts.js'
import type { Tx } from '../../store/db/database.js'
import { enqueue } from '../../store/jobs/outbox.js'
import { findMember } from '../members/store.js'
import { type OrganizationRow, insertInvitedMember } from '../organizations/store.js'
import { findUserByEmail, insertUser } from '../users/store.js'
import { countPending } from './store.js'

/** Tells somebody by mail that they were invited; who mails makes the sign-in link, so that no secret waits here. */
export const sendInvitationJob = 'send-invitation'

const hour = 60 * 60 * 1000
/** Of one organization, and of one person in all organizations, because anybody may make any number of those. */
export const invitationsPerHour: Allowance = { limit: 300, window: hour }
/** To one address, from whomever. */
const mailsPerAddress: Allowance = { limit: 5, window: 24 * hour }
/** Invitations of an organization that nobody has accepted. */
export const mostPending = 1000

export interface Invited {
  readonly users: UserId[]
  /** Secrets that open the organization in the name of people whose account is nobody's yet. */
  readonly links: { readonly userId: UserId; readonly email: string; readonly secret: string }[]
}

export interface Invitation {
  readonly email: string
  readonly role: Role | null
}

interface Inviting {
  readonly actor: Actor
  readonly attempts: Attempts
  readonly sso: boolean
  readonly now: number
}

/** Invites people, and makes accounts for those who have none; members and those invited before are left alone. */
export async function inviteByEmail(
  tx: Tx,
  organization: OrganizationRow,
  invitations: readonly Invitation[],
  { actor, attempts, sso, now }: Inviting,
): Promise<Invited> {
  const { id: organizationId } = organization
  for (const key of [`invitations of ${organizationId}`, `invitations by ${actor.userId}`]) {
    await takeAttempt({ attempts }, key, invitationsPerHour, { now, weight: invitations.length })
  }
  const pending = await countPending(tx, organizationId)
  if (pending + invitations.length > mostPending) {
    throw new ApiError('too_many_invitations', { count: pending, limit: mostPending })
  }
  const invited: Invited = { users: [], links: [] }
  for (const { email, role } of invitations) {
    const { userId, knownAs } = await accountOf(tx, email, now)
    if (await findMember(tx, organizationId, userId)) continue
    await insertInvitedMember(tx, { organizationId, userId, role, knownAs, sso, now })
    invited.users.push(userId)
    if (!(await isClaimed(tx, userId))) {
      const secret = await insertHandedLink(tx, userId, now, { organizationId, madeBy: actor.userId })
      invited.links.push({ userId, email, secret })
    }
    if (await mayMail(attempts, email)) await sendInvitation(tx, { organizationId, userId, actor, now })
  }
  return invited
}

/** Returns the account of an address, made if need be, and the name under which it is invited. */
async function accountOf(
  tx: Tx,
  email: string,
  now: number,
): Promise<{ readonly userId: UserId; readonly knownAs: string }> {
  const knownAs = email.split('@')[0]!.slice(0, 64)
  const known = await findUserByEmail(tx, email)
  if (known !== undefined) return { userId: known.id, knownAs }
  const userId = newId<UserId>()
  await insertUser(tx, { id: userId, displayName: knownAs, email, now })
  return { userId, knownAs }
}

/** Beyond what one address may get, the invitation stands on the person's first page and no mail is sent. */
async function mayMail(attempts: Attempts, email: string): Promise<boolean> {
  const { isWithin } = await attempts.take(`invitation to ${foldEmail(email)}`, mailsPerAddress)
  return isWithin
}

async function sendInvitation(
  tx: Tx,
  {
    organizationId,
    userId,
    actor,
    now,
  }: { organizationId: OrganizationId; userId: UserId; actor: Actor; now: number },
): Promise<void> {
  await enqueue(tx, {
    organizationId,
    type: sendInvitationJob,
    key: `${organizationId} ${userId}`,
    payload: { organizationId, userId, invitedBy: actor.userId },
    at: now,
  })
}
