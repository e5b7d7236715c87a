/**
 * Invitations by e-mail address, rate limited: each is an unsolicited mail. The membership is pending until the user
 * accepts; for unclaimed accounts the inviter also gets a sign-in link, which gives access to this organization only.
 */
import type { OrganizationId, UserId } from '../../core/ids.js'
import { foldEmail } from '../../core/email.js'
import { newId } from '../../access/ids.js'
import type { Actor } from '../../access/signin/actor.js'
import { takeAttempt } from '../../access/signin/rate-limit.js'
import { isClaimed } from '../../access/signin/memberships.js'
import { insertHandedLink } from '../../access/signin/sessions.js'
import { ApiError } from '../../contract/errors.js'
import type { Role } from '../../contract/shapes.js'
import type { Allowance, Attempts } from '../../store/db/attempts.js'
import type { Tx } from '../../store/db/database.js'
import { enqueue } from '../../store/jobs/outbox.js'
import { changeRole } from '../members/change.js'
import { findMember, updateMemberRow } from '../members/store.js'
import { type OrganizationRow, insertInvitedMember } from '../organizations/store.js'
import { findUserByEmail, insertUser } from '../users/store.js'
import { countPending } from './store.js'

/** Sends the invitation mail; the mailer creates the sign-in link, so that the job queue holds no secret. */
export const sendInvitationJob = 'send-invitation'

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads {
    [sendInvitationJob]: {
      readonly organizationId: OrganizationId
      readonly userId: UserId
      readonly invitedBy: UserId
    }
  }
}

const hour = 60 * 60 * 1000
/** Per organization, and per inviter in all organizations, because anyone may create organizations. */
export const invitationsPerHour: Allowance = { limit: 300, window: hour }
/** To one address, from all inviters. */
const mailsPerAddress: Allowance = { limit: 5, window: 24 * hour }
/** Pending invitations per organization. */
export const maxPendingInvitations = 1000

export interface InvitedUsers {
  readonly users: UserId[]
  /** Sign-in secrets for unclaimed accounts, limited to the organization. */
  readonly links: { readonly userId: UserId; readonly email: string; readonly secret: string }[]
}

export interface Invitation {
  readonly email: string
  readonly role: Role | null
}

interface InvitationContext {
  readonly actor: Actor
  readonly attempts: Attempts
  readonly sso: boolean
  readonly now: number
}

/**
 * Invites users, creating missing accounts. Members are skipped; who is pending already gets the new role and another
 * mail.
 */
export async function inviteByEmail(
  tx: Tx,
  organization: OrganizationRow,
  invitations: readonly Invitation[],
  { actor, attempts, sso, now }: InvitationContext,
): Promise<InvitedUsers> {
  const { id: organizationId } = organization
  for (const key of [`invitations of ${organizationId}`, `invitations by ${actor.userId}`]) {
    await takeAttempt({ attempts }, key, invitationsPerHour, { now, weight: invitations.length })
  }
  const count = await countPending(tx, organizationId)
  let places = maxPendingInvitations - count
  const invited: InvitedUsers = { users: [], links: [] }
  for (const { email, role } of invitations) {
    const { userId, knownAs } = await accountOf(tx, email, now)
    const member = await findMember(tx, organizationId, userId)
    if (member === undefined) {
      // Thrown in the transaction: none of them is invited.
      if (--places < 0) throw new ApiError('too_many_invitations', { count, limit: maxPendingInvitations })
      await insertInvitedMember(tx, { organizationId, userId, role, knownAs, sso, now })
    } else {
      if (member.accepted_at !== null || member.disabled === 1) continue
      if (member.role !== role) await changeRole(tx, member, role)
      if (sso && member.sso === 0) await updateMemberRow(tx, member, { sso: 1 })
      // An address that is in the list twice is invited once, with its last role.
      if (invited.users.includes(userId)) continue
    }
    invited.users.push(userId)
    if (!(await isClaimed(tx, userId))) {
      const secret = await insertHandedLink(tx, userId, now, { organizationId, madeBy: actor.userId })
      invited.links.push({ userId, email, secret })
    }
    if (await mayMail(attempts, email)) await sendInvitation(tx, { organizationId, userId, actor, now })
  }
  return invited
}

/** Returns the account of an address, created if necessary, and the name for the invitation. */
async function accountOf(
  tx: Tx,
  email: string,
  now: number,
): Promise<{ readonly userId: UserId; readonly knownAs: string }> {
  const knownAs = email.split('@')[0]!.slice(0, 64)
  const existing = await findUserByEmail(tx, email)
  if (existing !== undefined) return { userId: existing.id, knownAs }
  const userId = newId<UserId>()
  await insertUser(tx, { id: userId, displayName: knownAs, email, now })
  return { userId, knownAs }
}

/** Over the limit of an address no mail is sent; the invitation is still listed on the user's start page. */
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
