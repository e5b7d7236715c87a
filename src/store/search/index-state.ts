/**
 * State of a space's index: the revision that it has reached, and a lease for changing it.
 *
 * The index follows the heads of the space, which are numbered: whether it is "at or past" a head is decided by number,
 * never by time. A small change moves the index from one revision to the next in one transaction. A large one takes many
 * under a lease that each step extends, and until the last step its entries may be ahead of its recorded revision.
 */
import type { OrganizationId, RevisionId, SpaceId } from '../../core/ids.js'
import { acrossOrganizations } from '../db/cross-tenant.js'
import type { Db, Tx } from '../db/database.js'
import type { Milliseconds } from '../db/columns.js'
import type { IndexedSpace } from './engine.js'
import { indexVersion } from './fold.js'

/** A head of a space, and its number on the space's branch. */
export interface NumberedHead {
  readonly revisionId: RevisionId
  /** Identifies the versions of specifications that its pages include; empty without any. */
  readonly specifications: string
  readonly headNumber: number
}

export interface IndexState {
  /** The entries show this revision or a later one; null before the first is finished. */
  readonly revisionId: RevisionId | null
  /** -1 before the first. */
  readonly headNumber: number
  /** As in `NumberedHead`. */
  readonly specifications: string
  /** True when they show exactly that revision, and were made by this version. */
  readonly isExact: boolean
}

/** Duration of the lease after each step, the same as that of a job: after a kill both end together. */
const leaseDuration: Milliseconds = 20_000

/** Returns the state of the space's index, undefined when it was never indexed. */
export async function findIndexState(
  db: Db,
  { organizationId, spaceId }: IndexedSpace,
): Promise<IndexState | undefined> {
  const row = await db
    .selectFrom('search_spaces')
    .select(['revision_id', 'head_number', 'specifications', 'version', 'builder'])
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .executeTakeFirst()
  return (
    row && {
      revisionId: row.revision_id,
      headNumber: row.head_number,
      specifications: row.specifications,
      isExact: row.builder === null && row.revision_id !== null && row.version === indexVersion,
    }
  )
}

/** Moves an index that is exactly at `from`; returns false, without a change, when it no longer is. */
export async function moveIndex(
  tx: Tx,
  { organizationId, spaceId }: IndexedSpace,
  {
    from,
    to,
  }: { readonly from: Pick<NumberedHead, 'revisionId' | 'specifications'>; readonly to: NumberedHead },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('search_spaces')
    .set({ revision_id: to.revisionId, head_number: to.headNumber, specifications: to.specifications })
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('revision_id', '=', from.revisionId)
    .where('specifications', '=', from.specifications)
    .where('version', '=', indexVersion)
    .where('builder', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Acquires the lease of the index, to change it in several steps; returns false while another builder has it. */
export async function acquireIndexLease(
  tx: Tx,
  { organizationId, spaceId }: IndexedSpace,
  builder: string,
  now: Milliseconds,
): Promise<boolean> {
  const acquired = await tx
    .insertInto('search_spaces')
    .values({
      organization_id: organizationId,
      space_id: spaceId,
      revision_id: null,
      head_number: -1,
      specifications: '',
      version: indexVersion,
      builder,
      builder_until: now + leaseDuration,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'space_id'])
        .doUpdateSet({ builder, builder_until: now + leaseDuration })
        .where((either) =>
          either.or([
            either('search_spaces.builder', 'is', null),
            either('search_spaces.builder_until', '<=', now),
          ]),
        ),
    )
    .returning('space_id')
    .executeTakeFirst()
  return acquired !== undefined
}

/** Extends the lease; returns false when another builder has it, or the space is gone. */
export async function extendIndexLease(
  tx: Tx,
  { organizationId, spaceId }: IndexedSpace,
  builder: string,
  now: Milliseconds,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('search_spaces')
    .set({ builder_until: now + leaseDuration })
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('builder', '=', builder)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Releases the lease of an unfinished index, so that another builder can continue immediately. */
export async function releaseIndexLease(
  tx: Tx,
  { organizationId, spaceId }: IndexedSpace,
  builder: string,
): Promise<void> {
  await tx
    .updateTable('search_spaces')
    .set({ builder_until: 0 })
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('builder', '=', builder)
    .execute()
}

/** Releases the lease of an index that has reached the head; returns false when another builder has it. */
export async function finishIndexing(
  tx: Tx,
  { organizationId, spaceId }: IndexedSpace,
  builder: string,
  { revisionId, headNumber, specifications }: NumberedHead,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('search_spaces')
    .set({
      revision_id: revisionId,
      head_number: headNumber,
      specifications,
      version: indexVersion,
      builder: null,
      builder_until: null,
    })
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('builder', '=', builder)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns spaces with an outdated index, in the order of their ids: for the start of a server. */
export async function listOutdated(
  db: Db,
  { after, limit }: { readonly after: SpaceId | undefined; readonly limit: number },
): Promise<readonly IndexedSpace[]> {
  let query = acrossOrganizations(db, 'a starting server checks the indexes of all spaces')
    .selectFrom('spaces')
    .leftJoin('search_spaces', (join) =>
      join
        .onRef('search_spaces.organization_id', '=', 'spaces.organization_id')
        .onRef('search_spaces.space_id', '=', 'spaces.id'),
    )
    .select(['spaces.organization_id as organizationId', 'spaces.id as spaceId'])
    .where((either) =>
      either.or([
        either('search_spaces.revision_id', 'is', null),
        either('search_spaces.builder', 'is not', null),
        either('search_spaces.version', '<>', indexVersion),
        either('search_spaces.head_number', '<', either.ref('spaces.head_number')),
      ]),
    )
    .orderBy('spaces.id')
    .limit(limit)
  if (after !== undefined) query = query.where('spaces.id', '>', after)
  return query.execute()
}

/** Returns spaces of an organization whose indexes include computed pages of specifications, in the order of their ids. */
export async function listSpacesWithComputedPages(
  db: Db,
  organizationId: OrganizationId,
  { after, limit }: { readonly after: SpaceId | undefined; readonly limit: number },
): Promise<readonly SpaceId[]> {
  let query = db
    .selectFrom('search_spaces')
    .select('space_id')
    .where('organization_id', '=', organizationId)
    // Ids of stored revisions have no hyphen.
    .where((either) =>
      either.or([either('revision_id', 'like', '%-%' as RevisionId), either('specifications', '<>', '')]),
    )
    .orderBy('space_id')
    .limit(limit)
  if (after !== undefined) query = query.where('space_id', '>', after)
  return (await query.execute()).map(({ space_id }) => space_id)
}
