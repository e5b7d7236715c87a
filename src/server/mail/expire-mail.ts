/**
 * Expiry of undeliverable mail: no mail server is set, or it accepted none. Mail is dropped after three days, since
 * its links and news are old by then, and recorded in the organization's audit log.
 */
import { recordAudit } from '../../access/audit/record.js'
import { sendInboxMailJob } from '../../resources/inbox/deliver.js'
import type { Database } from '../../store/db/database.js'
import { noLocks } from '../../store/db/lock-scope.js'
import { cancelJobs } from '../../store/jobs/outbox.js'
import { mailLife } from './mailer.js'
import { mailJobs } from './mail.js'

const mailsPerTransaction = 200

/** Drops the mails that have waited too long, also those that failed permanently; returns how many. */
export async function expireMail(database: Database, now: number, signal: AbortSignal): Promise<number> {
  let expired = 0
  for (let count = mailsPerTransaction; count === mailsPerTransaction; expired += count) {
    signal.throwIfAborted()
    count = await database.writeWithLocks(noLocks, async (tx) => {
      // A mail that is being sent at this moment is not dropped.
      const mails = await cancelJobs(tx, {
        types: mailJobs,
        before: now - mailLife,
        limit: mailsPerTransaction,
      })
      for (const { organizationId, type, payload } of mails) {
        // What an inbox mail says is in the inbox.
        if (organizationId === null || type === sendInboxMailJob) continue
        await recordAudit(tx, [organizationId], {
          action: 'mailExpired',
          resourceId: 'userId' in payload ? payload.userId : null,
          detail: `${type}: not sent within three days`,
          origin: { ip: null, userAgent: null },
          now,
        })
      }
      return mails.length
    })
  }
  return expired
}
