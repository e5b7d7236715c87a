/** Audit entries about a user's own account, such as signing in. */
import type { Tx } from '../../store/db/database.js'
import { type AuditEntry, recordAudit } from '../audit/record.js'
import type { Actor } from './actor.js'
import { listJoined } from './memberships.js'

/**
 * Writes an entry into the audit logs of all organizations that the user joined, or of the only one that the credential
 * opens.
 */
export async function recordPersonalAudit(
  tx: Tx,
  { userId, onlyIn }: Pick<Actor, 'userId' | 'onlyIn'>,
  entry: AuditEntry,
): Promise<void> {
  const organizations = onlyIn === null ? await listJoined(tx, userId) : [onlyIn]
  await recordAudit(tx, organizations, { actorId: userId, ...entry })
}
