/**
 * How far the index of a space has come, and who may change it.
 *
 * The index follows the line of the space's heads, which are counted: what is "at or past" a head is said by its
 * number, never by a time. A small change moves the index from one revision to the next in one transaction. A large
 * one takes many; whoever makes them holds the index for a while that each step prolongs, and until the last step
 * its entries may be ahead of the revision it is known to show.
 */
import type { OrganizationId, RevisionId, SpaceId } from '../../core/ids.js'
import { acrossOrganizations } from '../db/cross-tenant.js'
import type { Db, Tx } from '../db/database.js'
import type { Milliseconds } from '../db/columns.js'
import type { IndexPlace } from './engine.js'
import { indexVersion } from './fold.js'

/** A head of a space, and which one it is on the space's line. */
export interface NumberedHead {
  readonly revisionId: RevisionId
  /** Names the versions of specifications of which its pages show something; empty where none do. */
  readonly specifications: string
  readonly headNumber: number
}

export interface IndexState {
  /** The entries show this revision or a later one; null before the first is finished. */
  readonly revisionId: RevisionId | null
  /** -1 before the first. */
  readonly headNumber: number
  /** As `NumberedHead` has it. */
  readonly specifications: string
  /** True when they show exactly that revision, and were made by this version. */
  readonly isExact: boolean
}

/** How long somebody holds the index after each step, as long as a job is held: after a kill both end together. */
const held: Milliseconds = 20_000

/** Answers what the index of the space shows, undefined when nothing of it was ever indexed. */
export async function findIndexState(
  db: Db,
  { organizationId, spaceId }: IndexPlace,
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

/** Moves an index that shows exactly `from`; answers false, having changed nothing, when it no longer does. */
export async function moveIndex(
  tx: Tx,
  { organizationId, spaceId }: IndexPlace,
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

/** Takes hold of the index to change it in several steps; answers false while somebody else holds it. */
export async function beginSteps(
  tx: Tx,
  { organizationId, spaceId }: IndexPlace,
  builder: string,
  now: Milliseconds,
): Promise<boolean> {
  const taken = await tx
    .insertInto('search_spaces')
    .values({
      organization_id: organizationId,
      space_id: spaceId,
      revision_id: null,
      head_number: -1,
      specifications: '',
      version: indexVersion,
      builder,
      builder_until: now + held,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'space_id'])
        .doUpdateSet({ builder, builder_until: now + held })
        .where((either) =>
          either.or([
            either('search_spaces.builder', 'is', null),
            either('search_spaces.builder_until', '<=', now),
          ]),
        ),
    )
    .returning('space_id')
    .executeTakeFirst()
  return taken !== undefined
}

/** Goes on holding the index; answers false when it went to somebody else, or the space is gone. */
export async function continueSteps(
  tx: Tx,
  { organizationId, spaceId }: IndexPlace,
  builder: string,
  now: Milliseconds,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('search_spaces')
    .set({ builder_until: now + held })
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('builder', '=', builder)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Lets somebody else go on at once with an index that was left half-way. */
export async function abandonSteps(
  tx: Tx,
  { organizationId, spaceId }: IndexPlace,
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

/** Lets go of the index, which shows the head now; answers false when it went to somebody else meanwhile. */
export async function finishSteps(
  tx: Tx,
  { organizationId, spaceId }: IndexPlace,
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

/** Answers spaces whose index is not what it should be, in the order of their ids: for the start of a server. */
export async function listOutdated(
  db: Db,
  { after, limit }: { readonly after: SpaceId | undefined; readonly limit: number },
): Promise<readonly IndexPlace[]> {
  let query = acrossOrganizations(db, 'a server that starts looks at the indexes of all')
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

/** Answers spaces of an organization whose indexes show more than what was written, of specifications, in the order of their ids. */
export async function listComputed(
  db: Db,
  organizationId: OrganizationId,
  { after, limit }: { readonly after: SpaceId | undefined; readonly limit: number },
): Promise<readonly SpaceId[]> {
  let query = db
    .selectFrom('search_spaces')
    .select('space_id')
    .where('organization_id', '=', organizationId)
    // Ids of revisions that were written have no hyphen.
    .where((either) =>
      either.or([either('revision_id', 'like', '%-%' as RevisionId), either('specifications', '<>', '')]),
    )
    .orderBy('space_id')
    .limit(limit)
  if (after !== undefined) query = query.where('space_id', '>', after)
  return (await query.execute()).map(({ space_id }) => space_id)
}
