/**
 * Mail about entries of an inbox: each at once, or those of a day together, as its person prefers by kind.
 *
 * An entry that was read, or whose space they may not read any more, is not mailed. Delivery is at least once: when the
 * process is killed between the mail server's answer and the commit, the mail is sent again.
 */
import type { Services } from '../../access/route/scope.js'
import type { Reader } from '../../access/rules/levels.js'
import type { InboxEntry, InboxKind } from '../../contract/inbox.js'
import type { MailKind } from '../../contract/preferences.js'
import type { InboxEntryId, UserId } from '../../core/ids.js'
import { type InboxMail, sendInboxMailJob } from '../../resources/inbox/deliver.js'
import { findReadersOf } from '../../resources/inbox/readers.js'
import { showEntries } from '../../resources/inbox/show.js'
import { type InboxEntryRow, findEntry, listEntries, markEntry } from '../../resources/inbox/store.js'
import { findChangeRequest } from '../../resources/change-requests/store.js'
import { findRequestsTo, findReviewers } from '../../resources/reviews/store.js'
import { findPreferences } from '../../resources/users/preferences.js'
import { findUser } from '../../resources/users/store.js'
import { html } from '../../site/html.js'
import type { Allowance } from '../../store/db/attempts.js'
import { noLocks } from '../../store/db/lock-scope.js'
import { enqueue } from '../../store/jobs/outbox.js'
import type { JobHandlers } from '../../store/jobs/worker.js'
import { type Mail, mailLife } from './mailer.js'
import { nameInMail, quotedInMail } from './name-in-mail.js'
import { unsubscribeUrl } from './unsubscribe-link.js'

/** Mails the unread entries of a day. */
export const sendInboxDigestJob = 'send-inbox-digest'

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads {
    [sendInboxDigestJob]: { readonly userId: UserId }
  }
}

/** What exceeds it comes with the mail of the day. */
const mailsPerPerson: Allowance = { limit: 30, window: 3_600_000 }
/** When the mail of the day is sent, in milliseconds after midnight UTC. */
const digestTime = 7 * 3_600_000
const day = 24 * 3_600_000
/** Entries that are read for a mail of the day, and listed in it. */
const maxDigest = 200
const maxListed = 50
/** Characters of a comment in a mail. */
const excerptLength = 160

const mailKindOf: Readonly<Record<InboxKind, MailKind>> = {
  'review-requested': 'reviewRequested',
  mentioned: 'mention',
  replied: 'reply',
  merged: 'merge',
  assigned: 'assignment',
}

export function inboxMailHandlers(
  send: (mail: Mail) => Promise<void>,
  { database, addresses }: Pick<Services, 'database' | 'addresses'>,
  now: () => number,
): JobHandlers {
  const db = database.read
  const readersOf = (userId: UserId): Promise<readonly Reader[]> =>
    findReadersOf(db, { userId, onlyIn: null })

  /** False once a review is not requested any more, or may not be given. */
  async function isStillWanted(row: InboxEntryRow, isOpen: boolean): Promise<boolean> {
    if (row.kind !== 'review-requested' && row.kind !== 'assigned') return true
    const { organization_id, space_id, user_id: userId } = row
    const space = { organization_id, id: space_id }
    const changeRequest = await findChangeRequest(db, space, row.change_request_id!)
    if (changeRequest?.status !== 'open') return false
    if (!(await findReviewers(db, organization_id, space_id, [userId])).has(userId)) return false
    return isOpen || (await findRequestsTo(db, changeRequest, userId)).length > 0
  }

  async function enqueueDigest(userId: UserId): Promise<void> {
    const at = now()
    const runAt = (Math.floor((at - digestTime) / day) + 1) * day + digestTime
    await database.writeWithLocks(noLocks, (tx) =>
      enqueue(tx, {
        organizationId: null,
        type: sendInboxDigestJob,
        key: userId,
        payload: { userId },
        at,
        runAt,
      }),
    )
  }

  async function markMailed(rows: readonly InboxEntryRow[]): Promise<void> {
    await database.writeWithLocks(noLocks, async (tx) => {
      for (const row of rows) await markEntry(tx, row, { mailed_at: now() })
    })
  }

  async function mailEntry({ organizationId, userId, entryId, isOpen = false }: InboxMail): Promise<void> {
    const readers = (await readersOf(userId)).filter((reader) => reader.organizationId === organizationId)
    const row = await findEntry(db, readers, entryId as InboxEntryId)
    if (row === undefined || row.read_at !== null || row.mailed_at !== null) return
    if (now() - row.at > mailLife || !(await isStillWanted(row, isOpen))) return
    const kind = mailKindOf[row.kind as InboxKind]
    const frequency = (await findPreferences(db, userId)).mail[kind]
    const email = (await findUser(db, userId))?.email
    if (frequency === 'never' || !email) return
    const isAtOnce =
      frequency === 'at-once' &&
      (await database.attempts.take(`inbox mail ${userId}`, mailsPerPerson)).isWithin
    if (!isAtOnce) return enqueueDigest(userId)
    const [entry] = await showEntries(db, addresses, [row])
    await send(entryMail(email, entry!, unsubscribeUrl(addresses, userId, kind)))
    await markMailed([row])
  }

  async function mailDigest(userId: UserId): Promise<void> {
    const { mail } = await findPreferences(db, userId)
    const email = (await findUser(db, userId))?.email
    if (!email) return
    const { items } = await listEntries(db, await readersOf(userId), { read: false }, { limit: maxDigest })
    const due: InboxEntryRow[] = []
    for (const row of items) {
      const isFresh = row.mailed_at === null && now() - row.at <= mailLife
      // What exceeded the number of mails in an hour is among them.
      const isWanted = isFresh && mail[mailKindOf[row.kind as InboxKind]] !== 'never'
      if (isWanted && (await isStillWanted(row, true))) due.push(row)
    }
    if (due.length === 0) return
    const entries = await showEntries(db, addresses, due)
    const inbox = addresses.app('/inbox')
    await send(digestMail(email, entries, inbox, unsubscribeUrl(addresses, userId, 'daily')))
    await markMailed(due)
  }

  return {
    [sendInboxMailJob]: mailEntry,
    [sendInboxDigestJob]: ({ userId }) => mailDigest(userId),
  }
}

interface Sentence {
  readonly subject: string
  readonly sentence: string
  readonly excerpt: string | undefined
}

/** Returns what happened in words; everything that people wrote is a name on one line, without addresses. */
function describeEntry(entry: InboxEntry): Sentence {
  const { actor, changeRequest, comment, review, team } = entry
  const who = nameInMail(actor?.displayName ?? '', 'Somebody')
  const space = quotedInMail(entry.space.title, 'a space')
  const organization = quotedInMail(entry.organization.title, 'an organization')
  const title =
    changeRequest === undefined
      ? space
      : quotedInMail(changeRequest.subject, `Change request #${changeRequest.number}`)
  const place =
    changeRequest === undefined
      ? `${space} in ${organization}`
      : `${title}, change request ${changeRequest.number} of ${space} in ${organization}`
  const excerpt =
    comment === undefined || comment.excerpt === ''
      ? undefined
      : quotedInMail(comment.excerpt, 'a comment', excerptLength)
  const asks = (whom: string) => `${who} asks ${whom} of ${place}`
  switch (entry.kind) {
    case 'review-requested':
      return { subject: `Review of ${title}`, sentence: asks('for your review'), excerpt }
    case 'assigned': {
      const name = quotedInMail(team?.title ?? '', 'your team')
      return { subject: `Review of ${title}`, sentence: asks(`${name} for a review`), excerpt }
    }
    case 'mentioned': {
      const where = comment === undefined ? 'in the description of' : 'in a comment on'
      return {
        subject: `${who} mentions you in ${title}`,
        sentence: `${who} mentions you ${where} ${place}`,
        excerpt,
      }
    }
    case 'replied': {
      const verb =
        review?.status === 'approved'
          ? 'approves'
          : review !== undefined
            ? 'asks for changes to'
            : comment?.reply === undefined
              ? 'comments on'
              : 'replies in'
      return { subject: `${who} ${verb} ${title}`, sentence: `${who} ${verb} ${place}`, excerpt }
    }
    case 'merged':
      return { subject: `Merged: ${title}`, sentence: `${who} merged ${place}`, excerpt }
  }
}

function entryMail(to: string, entry: InboxEntry, unsubscribe: string): Mail {
  const { subject, sentence, excerpt } = describeEntry(entry)
  return {
    to,
    subject,
    text: [
      `${sentence}:`,
      ...(excerpt === undefined ? [] : ['', excerpt]),
      '',
      entry.urls.app,
      '',
      ...footerText(unsubscribe, 'No more mail of this kind:'),
    ].join('\n'),
    html: mailDocument(
      html`<p>${sentence}:</p>
        ${excerpt !== undefined && html`<p style="${quoteStyle}">${excerpt}</p>`}
        <p><a href="${entry.urls.app}">Open in Octavo</a></p>`,
      unsubscribe,
      'No more mail of this kind',
    ),
    headers: listHeaders(unsubscribe),
  }
}

function digestMail(to: string, entries: readonly InboxEntry[], inbox: string, unsubscribe: string): Mail {
  const listed = entries
    .slice(0, maxListed)
    .map((entry) => ({ ...describeEntry(entry), url: entry.urls.app }))
  const rest = entries.length - listed.length
  const more = rest === 0 ? [] : [`And ${rest} more.`]
  const title = entries.length === 1 ? 'One unread notification' : `${entries.length} unread notifications`
  return {
    to,
    subject: title,
    text: [
      ...listed.flatMap(({ sentence, excerpt, url }) => [
        `${sentence}:`,
        ...(excerpt === undefined ? [] : [excerpt]),
        url,
        '',
      ]),
      ...more.flatMap((line) => [line, '']),
      `Your inbox: ${inbox}`,
      '',
      ...footerText(unsubscribe, 'No more daily mail:'),
    ].join('\n'),
    html: mailDocument(
      html`${listed.map(
        ({ sentence, excerpt, url }) =>
          html`<p><a href="${url}">${sentence}</a></p>
              ${excerpt !== undefined && html`<p style="${quoteStyle}">${excerpt}</p>`}`,
      )}
        ${more.map((line) => html`<p>${line}</p>`)}
        <p><a href="${inbox}">Your inbox</a></p>`,
      unsubscribe,
      'No more daily mail',
    ),
    headers: listHeaders(unsubscribe),
  }
}

const quoteStyle = 'margin:0 0 16px;padding-left:12px;border-left:2px solid #ccc;color:#555'

function mailDocument(content: ReturnType<typeof html>, unsubscribe: string, label: string): string {
  return html`<!doctype html>
    <html lang="en"><body style="font:15px/1.5 system-ui,sans-serif;max-width:600px">
    ${content}
    <p style="font-size:12px;color:#666"><a href="${unsubscribe}" style="color:#666">${label}</a></p>
    </body></html>`.toString()
}

const footerText = (unsubscribe: string, label: string): readonly string[] => ['-- ', label, unsubscribe, '']

/** Of RFC 8058: the mail program offers a button that works without opening a page. */
const listHeaders = (unsubscribe: string): Readonly<Record<string, string>> => ({
  'List-Unsubscribe': `<${unsubscribe}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})
