/** Questions about the whole store, for those who look after it: what should be there, and what is not. */
import type { Hash, OrganizationId, RevisionId, SpaceId } from '../../core/ids.js'
import type { Db } from '../db/database.js'

export interface Head {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
  readonly revisionId: RevisionId
  /** For people: "space …" or "change request … of space …". */
  readonly name: string
}

/** Answers every head there is. */
export async function listHeads(db: Db): Promise<Head[]> {
  const spaces = await db
    .selectFrom('spaces')
    .select(['id', 'organization_id', 'revision_id', 'title'])
    .execute()
  const changes = await db
    .selectFrom('change_requests')
    .select(['id', 'organization_id', 'space_id', 'revision_id'])
    .execute()
  return [
    ...spaces.map((row) => ({
      organizationId: row.organization_id,
      spaceId: row.id,
      revisionId: row.revision_id,
      name: `space ${row.id} (${row.title})`,
    })),
    ...changes.map((row) => ({
      organizationId: row.organization_id,
      spaceId: row.space_id,
      revisionId: row.revision_id,
      name: `change request ${row.id} of space ${row.space_id}`,
    })),
  ]
}

/** Answers those of the hashes under which the organization has no object. */
export async function findMissingObjects(
  db: Db,
  organizationId: OrganizationId,
  hashes: readonly Hash[],
): Promise<Hash[]> {
  const missing = new Set(hashes)
  for (let at = 0; at < hashes.length; at += 500) {
    const rows = await db
      .selectFrom('objects')
      .select('hash')
      .where('organization_id', '=', organizationId)
      .where('hash', 'in', hashes.slice(at, at + 500))
      .execute()
    for (const { hash } of rows) missing.delete(hash)
  }
  return [...missing]
}

/** Answers the name and size in bytes of everything that the file storage must hold. */
export function listBlobs(db: Db): Promise<{ hash: Hash; size: number }[]> {
  return db.selectFrom('blobs').select(['hash', 'size']).distinct().orderBy('hash').execute()
}

/** Answers the jobs that were given up, oldest first. */
export function listDeadJobs(db: Db): Promise<{ type: string; error: string | null; created_at: number }[]> {
  return db
    .selectFrom('jobs')
    .select(['type', 'error', 'created_at'])
    .where('due_at', 'is', null)
    .orderBy('created_at')
    .execute()
}
