/**
 * Mail through SMTP, and the jobs that send it. The outbox holds an address and what a mail is about; a link
 * that signs somebody in is made when its mail is sent, so no secret lies in the outbox.
 */
import { insertMailedLink, linkLife } from '../access/signin/sessions.js'
import type { Services } from '../access/route/scope.js'
import type { OrganizationId, UserId } from '../core/ids.js'
import { sendInvitationJob } from '../resources/invites/join.js'
import { findOrganization } from '../resources/organizations/store.js'
import { findUserByEmail, findUsers } from '../resources/users/store.js'
import type { JobHandler } from '../store/jobs/worker.js'
import type { Settings } from './settings.js'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mailer {
  /** Hands a mail in; throws when it was not taken. */
  send(mail: Mail): Promise<void>
}

/** A mail whose whole text is known: `{ to, subject, text }`. */
export const sendMailJob = 'send-mail'
/** A sign-in link for whoever has the address, if anybody: `{ email }`. */
export const sendSignInLinkJob = 'send-sign-in-link'

/** Returns what sends mail; undefined when the settings name no server for it. */
export function createMailer(
  { smtpUrl, mailFrom }: Pick<Settings, 'smtpUrl' | 'mailFrom'>,
  baseUrl: string,
): Mailer | undefined {
  if (smtpUrl === undefined) return undefined
  // Loaded where mail is sent at all.
  const transport = import('nodemailer').then(({ createTransport }) => createTransport(smtpUrl))
  const from = mailFrom ?? `Octavo <octavo@${new URL(baseUrl).hostname}>`
  return { send: async (mail) => void (await (await transport).sendMail({ ...mail, from })) }
}

/** Returns the handlers of the mail jobs; none without a mailer, so that jobs wait until there is one. */
export function mailHandlers(
  mailer: Mailer | undefined,
  { database, addresses }: Pick<Services, 'database' | 'addresses'>,
  now: () => number,
): Readonly<Record<string, JobHandler>> {
  if (mailer === undefined) return {}
  return {
    [sendMailJob]: (payload) => mailer.send(payload as unknown as Mail),
    async [sendSignInLinkJob](payload) {
      const { email } = payload as { email: string }
      const user = await findUserByEmail(database.read, email)
      if (user === undefined) return
      const link = await database.write((tx) => insertMailedLink(tx, user.id, now()))
      await mailer.send(signInMail(email, addresses.app(`/~octavo/sign-in?link=${link}`)))
    },
    async [sendInvitationJob](payload) {
      const { organizationId, userId, invitedBy } = payload as unknown as Invitation
      const organization = await findOrganization(database.read, organizationId)
      const people = await findUsers(database.read, [userId, invitedBy])
      const email = people.get(userId)?.email
      // Whoever was invited may have been removed since.
      if (organization === undefined || !email) return
      const link = await database.write((tx) => insertMailedLink(tx, userId, now()))
      const url = addresses.app(`/~octavo/sign-in?link=${link}`)
      const inviter = people.get(invitedBy)?.display_name ?? 'An admin'
      await mailer.send(invitationMail(email, { title: organization.title, inviter, url }))
    },
  }
}

interface Invitation {
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly invitedBy: UserId
}

/** A title is text of people: without its line breaks it cannot pass for more of the mail. */
function invitationMail(
  to: string,
  { title, inviter, url }: { readonly title: string; readonly inviter: string; readonly url: string },
): Mail {
  const [place, name] = [title, inviter].map((text) => text.replace(/\s+/g, ' '))
  return {
    to,
    subject: `Invitation to ${place}`,
    text: [
      `${name} invites you to ${place}. Open this link to come in:`,
      '',
      url,
      '',
      `It works once, within ${linkLife / 3_600_000} hours; the sign-in page sends you another one.`,
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
      `It works once, within ${linkLife / 3_600_000} hours. If you did not ask for it, there is nothing to do.`,
      '',
    ].join('\n'),
  }
}
