/** What somebody did as a person, such as signing in, for the audit log. */
import type { Tx } from '../../store/db/database.js'
import { type AuditEntry, recordAudit } from '../audit/record.js'
import type { Actor } from './actor.js'
import { listJoined } from './memberships.js'

/** Writes what somebody did into the logs of all organizations they joined. */
export async function recordPersonal(
  tx: Tx,
  { userId, onlyIn }: Pick<Actor, 'userId' | 'onlyIn'>,
  entry: AuditEntry,
): Promise<void> {
  const organizations = onlyIn === null ? await listJoined(tx, userId) : [onlyIn]
  await recordAudit(tx, organizations, { actorId: userId, ...entry })
}
