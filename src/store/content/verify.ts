/** Consistency checks of the whole store, for `octavo doctor`: what should exist, and what is missing. */
import type { Hash, OrganizationId, RevisionId, SpaceId } from '../../core/ids.js'
import { acrossOrganizations } from '../db/cross-tenant.js'
import type { Db, Tx } from '../db/database.js'
import type { Row } from '../db/tables.js'
import { ContentDamaged } from './content-damaged.js'
import { type ObjectRow, findStored, withBases } from './object-rows.js'
import { storeWhole } from './stored-form.js'

const wholeStore = 'maintenance checks the whole store'

export interface Head {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
  readonly revisionId: RevisionId
  /** For people: "space …" or "change request … of space …". */
  readonly name: string
}

/** Returns all heads. */
export async function listHeads(db: Db): Promise<Head[]> {
  const all = acrossOrganizations(db, wholeStore)
  const spaces = await all
    .selectFrom('spaces')
    .select(['id', 'organization_id', 'revision_id', 'title'])
    .execute()
  const changes = await all
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

/** Returns the hashes without an object in the organization. */
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

/** Returns the hash and size in bytes of every file that must exist in the file storage. */
export function listBlobs(db: Db): Promise<{ hash: Hash; size: number }[]> {
  return acrossOrganizations(db, wholeStore)
    .selectFrom('blobs')
    .select(['hash', 'size'])
    .distinct()
    .orderBy('hash')
    .execute()
}

/** Returns the jobs that were given up, oldest first. */
export function listDeadJobs(db: Db): Promise<DeadJob[]> {
  return db
    .selectFrom('jobs')
    .select(['type', 'key', 'error', 'created_at'])
    .where('due_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs as later')
            .select('later.id')
            .whereRef('later.type', '=', 'jobs.type')
            .whereRef('later.key', '=', 'jobs.key')
            .where(({ eb, or, and }) =>
              or([
                eb('later.due_at', 'is not', null),
                eb('later.created_at', '>', eb.ref('jobs.created_at')),
                and([
                  eb('later.created_at', '=', eb.ref('jobs.created_at')),
                  eb('later.id', '>', eb.ref('jobs.id')),
                ]),
              ]),
            ),
        ),
      ),
    )
    .orderBy('created_at')
    .execute()
}

export interface DeadJob {
  readonly type: string
  readonly key: string | null
  readonly error: string | null
  readonly created_at: number
}

/** Returns the number of jobs that were given up. */
export async function countDeadJobs(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('due_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Rows per batch of a traversal: one batch is in memory at a time. */
const objectsPerBatch = 100
const revisionsPerBatch = 200

export interface CheckedObject {
  readonly organizationId: OrganizationId
  readonly hash: Hash
  /** Whether its bytes have its hash; those of a delta together with its base. */
  readonly isIntact: boolean
}

/** Returns the number of objects, for progress bars. */
export async function countObjects(db: Db): Promise<number> {
  const { count } = await acrossOrganizations(db, wholeStore)
    .selectFrom('objects')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Yields all objects in batches. */
export async function* walkObjects(db: Db): AsyncGenerator<readonly CheckedObject[]> {
  const organizations = await db.selectFrom('organizations').select('id').orderBy('id').execute()
  for (const { id: organizationId } of organizations) {
    for (let after = '' as Hash; ;) {
      const rows = await db
        .selectFrom('objects')
        .select(['hash', 'bytes', 'encoding', 'base'])
        .where('organization_id', '=', organizationId)
        .where('hash', '>', after)
        .orderBy('hash')
        .limit(objectsPerBatch)
        .execute()
      if (rows.length === 0) break
      const all = await withBases(db, organizationId, rows)
      yield rows.map(({ hash }) => {
        return { organizationId, hash, isIntact: findIntact(all, organizationId, hash) !== undefined }
      })
      after = rows.at(-1)!.hash
    }
  }
}

/** Yields the rows of all revisions of a space, including its change requests, in batches, in no chronological order. */
export async function* walkRevisions(
  db: Db,
  { organizationId, spaceId }: Pick<Head, 'organizationId' | 'spaceId'>,
): AsyncGenerator<readonly Row<'revisions'>[]> {
  for (let after = '' as RevisionId; ;) {
    const rows = await db
      .selectFrom('revisions')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(revisionsPerBatch)
      .execute()
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)!.id
  }
}

/** Returns the revisions that the change requests of a space reference, with their role. */
export async function listReferencedRevisions(
  db: Db,
  { organizationId, spaceId }: Pick<Head, 'organizationId' | 'spaceId'>,
): Promise<{ readonly id: RevisionId; readonly as: string }[]> {
  const rows = await db
    .selectFrom('change_requests')
    .select(['id', 'revision_initial_id', 'revision_merged_ancestor_id', 'revision_merged_id'])
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .execute()
  return rows.flatMap((row) => [
    { id: row.revision_initial_id, as: `where change request ${row.id} branched off` },
    { id: row.revision_merged_ancestor_id, as: `the base of the next merge of change request ${row.id}` },
    ...(row.revision_merged_id === null
      ? []
      : [{ id: row.revision_merged_id, as: `what change request ${row.id} was merged into` }]),
  ])
}

/** Returns the bytes with the hash, from any organization that has them undamaged. */
export async function findIntactBytes(db: Db, hash: Hash): Promise<Uint8Array | undefined> {
  const rows = await acrossOrganizations(db, wholeStore)
    .selectFrom('objects')
    .select(['organization_id', 'hash', 'bytes', 'encoding', 'base'])
    .where('hash', '=', hash)
    .execute()
  for (const { organization_id: organizationId, ...row } of rows) {
    const bytes = findIntact(await withBases(db, organizationId, [row]), organizationId, hash)
    if (bytes !== undefined) return bytes
  }
  return undefined
}

/** Replaces a damaged or missing object; returns false when it was intact. */
export async function repairObject(
  tx: Tx,
  organizationId: OrganizationId,
  hash: Hash,
  bytes: Uint8Array,
): Promise<boolean> {
  const rows = await tx
    .selectFrom('objects')
    .select(['hash', 'bytes', 'encoding', 'base'])
    .where('organization_id', '=', organizationId)
    .where('hash', '=', hash)
    .execute()
  if (findIntact(await withBases(tx, organizationId, rows), organizationId, hash) !== undefined) return false
  const form = storeWhole(bytes)
  await tx
    .insertInto('objects')
    .values({ organization_id: organizationId, hash, ...form })
    .onConflict((conflict) => conflict.columns(['organization_id', 'hash']).doUpdateSet(form))
    .execute()
  return true
}

function findIntact(
  rows: ReadonlyMap<Hash, ObjectRow>,
  organizationId: OrganizationId,
  hash: Hash,
): Uint8Array | undefined {
  try {
    return findStored(rows, organizationId, hash)?.bytes
  } catch (error) {
    if (error instanceof ContentDamaged) return undefined
    throw error
  }
}
