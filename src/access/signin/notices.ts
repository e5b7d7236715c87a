/**
 * Security notices by mail: the owner of an account is notified when a way to sign in was changed or added. The
 * changing transaction writes it to the outbox, and it goes to the account's address, whoever made the change.
 */
import type { UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { enqueue } from '../../store/jobs/outbox.js'

export const sendNoticeJob = 'send-notice'

export type Notice = 'passwordSet' | 'addressProven' | 'accountLinked' | 'linkHandedOver'

/** The payload of the job. */
export interface NoticeToSend {
  readonly userId: UserId
  readonly notice: Notice
  /** When it happened, in milliseconds since 1970. */
  readonly at: number
}

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads {
    [sendNoticeJob]: NoticeToSend
  }
}

/** Enqueues a notice to the owner; repeated before it is sent, it is sent once. */
export async function notifyOwner(tx: Tx, { userId, notice, at }: NoticeToSend): Promise<void> {
  await enqueue(tx, {
    organizationId: null,
    type: sendNoticeJob,
    key: `${userId} ${notice}`,
    payload: { userId, notice, at },
    at,
  })
}
