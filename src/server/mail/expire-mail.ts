/**
 * Mail that nobody could send: where no server for mail is set, or it took none. It is given up after three days, since
 * its links and news are old by then, and an organization's audit log says so.
 */
import { recordAudit } from '../../access/audit/record.js'
import type { Database } from '../../store/db/database.js'
import { nothing } from '../../store/db/hold.js'
import { withdrawJobs } from '../../store/jobs/outbox.js'
import { mailLife } from './letter.js'
import { mailJobs } from './mail.js'

const mailsPerStep = 200

/** Gives up the mails that have waited too long, those that failed for good among them; answers how many. */
export async function expireMail(database: Database, now: number, signal: AbortSignal): Promise<number> {
  let expired = 0
  for (let count = mailsPerStep; count === mailsPerStep; expired += count) {
    signal.throwIfAborted()
    count = await database.writeHolding(nothing, async (tx) => {
      // One that is being sent at this moment is not given up.
      const mails = await withdrawJobs(tx, { types: mailJobs, before: now - mailLife, limit: mailsPerStep })
      for (const { organizationId, type, payload } of mails) {
        if (organizationId === null) continue
        const { userId } = payload as { userId?: string }
        await recordAudit(tx, [organizationId], {
          action: 'mailExpired',
          thing: userId ?? null,
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
