/**
 * Mail through SMTP, and the jobs that send it. The outbox stores an address and what a mail is about; a sign-in
 * link is created when its mail is sent, so the outbox contains no secrets.
 */
import { type Notice, type NoticeToSend, sendNoticeJob } from '../../access/signin/notices.js'
import { insertMailedLink, linkLifetime } from '../../access/signin/sessions.js'
import type { Services } from '../../access/route/scope.js'
import { sendInvitationJob } from '../../resources/invites/invite.js'
import { findMember } from '../../resources/members/store.js'
import { findOrganization } from '../../resources/organizations/store.js'
import { findPeopleOf, findUserByEmail, findUsers } from '../../resources/users/store.js'
import { peopleLock } from '../../store/db/lock-scope.js'
import type { JobHandlers } from '../../store/jobs/worker.js'
import type { JobType } from '../../store/jobs/payloads.js'
import { sendInboxMailJob } from '../../resources/inbox/deliver.js'
import { sendWebhookDisabledJob } from '../../resources/webhooks/deliver.js'
import type { Settings } from '../settings/settings.js'
import { inboxMailHandlers, sendInboxDigestJob } from './inbox-mail.js'
import { type Mail, type Mailer, mailLife } from './mailer.js'
import { nameInMail, quotedInMail } from './name-in-mail.js'
import { webhookDisabledHandler } from './webhook-mail.js'

/** Sends a sign-in link to the user with this address, if there is one. */
export const sendSignInLinkJob = 'send-sign-in-link'

export interface SignInLinkToSend {
  readonly email: string
  /** Set when the link is for setting a new password. */
  readonly purpose?: 'password' | undefined
  /** Path to open after the sign-in. */
  readonly returnTo?: string | undefined
}

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads {
    [sendSignInLinkJob]: SignInLinkToSend
  }
}

/** Every job that sends mail. */
export const mailJobs = [
  sendSignInLinkJob,
  sendNoticeJob,
  sendInvitationJob,
  sendWebhookDisabledJob,
  sendInboxMailJob,
  sendInboxDigestJob,
] as const satisfies readonly JobType[]

/** Returns the SMTP mailer; undefined when the settings name no mail server. */
export function createMailer(
  { smtpUrl, mailFrom }: Pick<Settings, 'smtpUrl' | 'mailFrom'>,
  baseUrl: string,
): Mailer | undefined {
  if (smtpUrl === undefined) return undefined
  // Loaded only where mail is sent at all.
  const transport = import('nodemailer').then(({ createTransport }) => createTransport(smtpUrl))
  const from = mailFrom ?? `Octavo <octavo@${new URL(baseUrl).hostname}>`
  return { send: async (mail) => void (await (await transport).sendMail({ ...mail, from })) }
}

/** Returns the handlers of the mail jobs; none without a mailer, so that jobs wait until there is one. */
export function mailHandlers(
  mailer: Mailer | undefined,
  { database, addresses }: Pick<Services, 'database' | 'addresses'>,
  now: () => number,
): JobHandlers {
  if (mailer === undefined) return {}
  return {
    ...inboxMailHandlers((mail) => mailer.send(mail), { database, addresses }, now),
    [sendWebhookDisabledJob]: webhookDisabledHandler(mailer.send, { database }),
    async [sendSignInLinkJob]({ email, purpose, returnTo }) {
      const user = await findUserByEmail(database.read, email)
      if (user === undefined) return
      const link = await database.writeWithLocks(peopleLock, (tx) => insertMailedLink(tx, user.id, now()))
      const path = purpose === 'password' ? passwordPath : returnTo
      const query = new URLSearchParams({ link, ...(path !== undefined && { return: path }) })
      const url = addresses.app(`/~octavo/sign-in?${query.toString()}`)
      await mailer.send(purpose === 'password' ? passwordMail(email, url) : signInMail(email, url))
    },
    async [sendNoticeJob]({ userId, notice, at }) {
      const email = (await findUsers(database.read, [userId])).get(userId)?.email
      if (!email || now() - at > mailLife) return
      await mailer.send(noticeMail(email, { notice, at, signInUrl: addresses.app('/~octavo/sign-in') }))
    },
    async [sendInvitationJob]({ organizationId, userId, invitedBy }) {
      const organization = await findOrganization(database.read, organizationId)
      const member = await findMember(database.read, organizationId, userId)
      const people = await findPeopleOf(database.read, organizationId, [userId, invitedBy])
      const email = people.get(userId)?.email
      // The invited member may have been removed since, or have accepted.
      if (organization === undefined || member?.accepted_at !== null || !email) return
      const link = await database.writeWithLocks(peopleLock, (tx) =>
        insertMailedLink(tx, userId, now(), organizationId),
      )
      const url = addresses.app(`/~octavo/sign-in?link=${link}`)
      const inviter = people.get(invitedBy)?.display_name ?? 'An admin'
      await mailer.send(invitationMail(email, { title: organization.title, inviter, url }))
    },
  }
}

function invitationMail(
  to: string,
  { title, inviter, url }: { readonly title: string; readonly inviter: string; readonly url: string },
): Mail {
  const organization = quotedInMail(title, 'an organization')
  return {
    to,
    subject: `Invitation to ${organization}`,
    text: [
      `${nameInMail(inviter, 'An admin')} invites you to ${organization}. Open this link to accept and come in:`,
      '',
      url,
      '',
      `It works once, within ${linkLifetime / 3_600_000} hours; the sign-in page sends you another one.`,
      '',
    ].join('\n'),
  }
}

const notices: Readonly<Record<Notice, { readonly subject: string; readonly happened: string }>> = {
  passwordSet: {
    subject: 'Your password was set',
    happened:
      'The password of your account was set. All other browsers were signed out, and your API tokens were revoked.',
  },
  addressProven: {
    subject: 'Your account is yours alone now',
    happened:
      'You have shown for the first time that this address is yours. What others had set up in its name before has ended: the password, all sessions and all API tokens.',
  },
  linkHandedOver: {
    subject: 'An admin made a sign-in link for you',
    happened:
      'An admin of an organization that you belong to made a link that signs in as you, once, in that organization alone.',
  },
  accountLinked: {
    subject: 'A new way to sign in',
    happened: 'Your account was linked to an account at the sign-in provider of this server.',
  },
}

function noticeMail(
  to: string,
  { notice, at, signInUrl }: Pick<NoticeToSend, 'notice' | 'at'> & { readonly signInUrl: string },
): Mail {
  const { subject, happened } = notices[notice]
  const time = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  return {
    to,
    subject,
    text: [
      happened,
      '',
      `That was on ${time} UTC. If it was not you, open ${signInUrl}, ask for a sign-in link and set a password:`,
      'it ends every session and token but your own.',
      '',
    ].join('\n'),
  }
}

/** The page on which people set their password. */
const passwordPath = '/~octavo/password'

function passwordMail(to: string, url: string): Mail {
  return {
    to,
    subject: 'Set a new password',
    text: [
      'Open this link to sign in and set a new password:',
      '',
      url,
      '',
      `It works once, within ${linkLifetime / 3_600_000} hours. If you did not ask for it, there is nothing to do: your password stays as it is.`,
      '',
    ].join('\n'),
  }
}

function signInMail(to: string, url: string): Mail {
  return {
    to,
    subject: 'Your sign-in link',
    text: [
      'Open this link to sign in:',
      '',
      url,
      '',
      `It works once, within ${linkLifetime / 3_600_000} hours. If you did not ask for it, there is nothing to do.`,
      '',
    ].join('\n'),
  }
}
