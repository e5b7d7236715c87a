/**
 * What the owner of an account is told by mail: that a way to sign in was changed or made. It is written to the
 * outbox by the transaction that changes it, and goes to the address, whoever made the change.
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

/** Tells the owner; the same again before it was sent is told once. */
export async function tellOwner(tx: Tx, { userId, notice, at }: NoticeToSend): Promise<void> {
  await enqueue(tx, {
    organizationId: null,
    type: sendNoticeJob,
    key: `${userId} ${notice}`,
    payload: { userId, notice, at },
    at,
  })
}
