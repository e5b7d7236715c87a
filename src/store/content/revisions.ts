/**
 * Revisions: immutable rows, each a snapshot of the content of a space or of a change request's branch.
 *
 * A revision is found within its space only. Heads are in heads.ts.
 */
import { type ExpressionBuilder, sql } from 'kysely'
import type { ChangeRequestId, OrganizationId, RevisionId, SpaceId, UserId } from '../../core/ids.js'
import type { Json } from '../../core/merkle/types.js'
import type { Snapshot } from '../../core/pages/types.js'
import type { Db, Tx } from '../db/database.js'
import { prepared } from '../db/prepared.js'
import { ContentDamaged } from './content-damaged.js'
import type { Milliseconds } from '../db/columns.js'
import { type ListPage, type PageRequest, listPage } from '../db/page.js'
import type { Row, Tables } from '../db/tables.js'

export type RevisionType = 'edits' | 'merge' | 'rollback' | 'update' | 'computed'

export interface Revision {
  readonly id: RevisionId
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
  /** The change request whose branch it is on; null for the space's own branch. */
  readonly changeRequestId: ChangeRequestId | null
  /** Its position on that branch, counted from 1. */
  readonly number: number
  /** Saves of one person that it contains. Of revisions with one number, the one with the most is in the history. */
  readonly saves: number
  readonly type: RevisionType
  readonly snapshot: Snapshot
  readonly parents: readonly RevisionId[]
  readonly createdBy: UserId
  readonly createdAt: Milliseconds
  /** The change request that a revision of type merge came from. */
  readonly mergedFrom: ChangeRequestId | null
  readonly message: string | null
  readonly git: Json
}

/** Inserts a revision; its objects must be flushed in the same transaction or before. */
export async function insertRevision(tx: Tx, revision: Revision): Promise<void> {
  await insertRow(tx, {
    id: revision.id,
    organization_id: revision.organizationId,
    space_id: revision.spaceId,
    change_request_id: revision.changeRequestId,
    number: revision.number,
    saves: revision.saves,
    type: revision.type,
    snapshot: JSON.stringify(revision.snapshot),
    parents: JSON.stringify(revision.parents),
    created_by: revision.createdBy,
    created_at: revision.createdAt,
    merged_from: revision.mergedFrom,
    message: revision.message,
    git: revision.git === null ? null : JSON.stringify(revision.git),
  })
}

const insertRow = prepared<Row<'revisions'>>()((db, row) =>
  db.insertInto('revisions').values({
    id: row.id,
    organization_id: row.organization_id,
    space_id: row.space_id,
    change_request_id: row.change_request_id,
    number: row.number,
    saves: row.saves,
    type: row.type,
    snapshot: row.snapshot,
    parents: row.parents,
    created_by: row.created_by,
    created_at: row.created_at,
    merged_from: row.merged_from,
    message: row.message,
    git: row.git,
  }),
)

/** Returns the revision, also one that was amended; undefined when the space has none with this id. */
export async function findRevision(
  db: Db,
  organizationId: OrganizationId,
  spaceId: SpaceId,
  id: RevisionId,
): Promise<Revision | undefined> {
  const row = await db
    .selectFrom('revisions')
    .selectAll()
    .where('id', '=', id)
    .where('space_id', '=', spaceId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row && toRevision(row)
}

/** The branch of a space, or of one of its change requests. */
export type RevisionBranch = Pick<Revision, 'organizationId' | 'spaceId' | 'changeRequestId'>

/** Lists the revisions of a branch, newest first, at a cost independent of the length of its history. */
export async function listRevisions(
  db: Db,
  branch: RevisionBranch,
  list: PageRequest,
): Promise<ListPage<Revision>> {
  const query = inHistory(db, branch).selectAll()
  const page = await listPage(db, query, {
    ...list,
    order: [{ column: 'revisions.number', type: 'integer', direction: 'desc' }],
    count: () => countRevisions(db, branch),
  })
  return { ...page, items: page.items.map(toRevision) }
}

/** Returns revisions of the history of a branch from a number down to another, newest first. */
export async function listRevisionsBetween(
  db: Db,
  branch: RevisionBranch,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Revision[]> {
  const rows = await inHistory(db, branch)
    .selectAll()
    .where('number', '<=', from)
    .where('number', '>=', to)
    .orderBy('number', 'desc')
    .execute()
  return rows.map(toRevision)
}

/** A position on a branch, among the amendments there. */
export type RevisionPosition = RevisionBranch & Pick<Revision, 'number' | 'saves'>

/** Returns the revisions of a branch down from a position, with those that were amended, at most `limit` of them. */
export async function listRevisionsUpTo(
  db: Db,
  { number, saves, ...branch }: RevisionPosition,
  limit: number,
): Promise<Revision[]> {
  const rows = await inBranch(db, branch)
    .selectAll()
    .where(sql<boolean>`(number, saves) <= (${number}, ${saves})`)
    .orderBy('number', 'desc')
    .orderBy('saves', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toRevision)
}

/** Returns the revision at a position of a branch; undefined beyond its ends. */
export async function findRevisionByNumber(
  db: Db,
  branch: RevisionBranch,
  number: number,
): Promise<Revision | undefined> {
  const row = await inHistory(db, branch).selectAll().where('number', '=', number).executeTakeFirst()
  return row && toRevision(row)
}

/** Returns the authors of the revisions of a branch, and of what they contain, each once. */
export async function listRevisionAuthors(db: Db, branch: RevisionBranch): Promise<UserId[]> {
  const rows = await inBranch(db, branch).select('created_by').distinct().execute()
  const { organizationId, changeRequestId } = branch
  if (changeRequestId === null) return rows.map((row) => row.created_by)
  // Also those whose suggestions somebody else applied.
  const contributions = await db
    .selectFrom('contributions')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('change_request_id', '=', changeRequestId)
    .execute()
  return [...new Set([...rows.map((row) => row.created_by), ...contributions.map((row) => row.user_id)])]
}

/** Branches have no gaps: the number of the newest revision is their length. */
async function countRevisions(db: Db, branch: RevisionBranch): Promise<number> {
  const query = inBranch(db, branch).select('number').orderBy('number', 'desc').limit(1)
  return (await query.executeTakeFirst())?.number ?? 0
}

/** The revisions of a branch without those that were amended. */
function inHistory(db: Db, branch: RevisionBranch) {
  return inBranch(db, branch).where((is) => is.not(is.exists(laterSaves(is))))
}

/** Selects the revisions by which an outer one was amended: they have its number, and more saves. */
export function laterSaves({ selectFrom }: ExpressionBuilder<Tables, 'revisions'>) {
  return selectFrom('revisions as later')
    .select('later.id')
    .whereRef('later.organization_id', '=', 'revisions.organization_id')
    .whereRef('later.space_id', '=', 'revisions.space_id')
    .where(sql<boolean>`coalesce(later.change_request_id, '') = coalesce(revisions.change_request_id, '')`)
    .whereRef('later.number', '=', 'revisions.number')
    .whereRef('later.saves', '>', 'revisions.saves')
}

export function inBranch(db: Db, { organizationId, spaceId, changeRequestId }: RevisionBranch) {
  return (
    db
      .selectFrom('revisions')
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      // The expression of the index.
      .where(sql`coalesce(change_request_id, '')`, '=', changeRequestId ?? '')
  )
}

/** Converts a row, for lists with their own queries; throws `ContentDamaged` when it is invalid. */
export function toRevision(row: Row<'revisions'>): Revision {
  try {
    return parseRevision(row)
  } catch {
    throw new ContentDamaged(row.organization_id, `revision ${row.id}`, 'cannot be read')
  }
}

function parseRevision(row: Row<'revisions'>): Revision {
  return {
    id: row.id,
    organizationId: row.organization_id,
    spaceId: row.space_id,
    changeRequestId: row.change_request_id,
    number: row.number,
    saves: row.saves,
    type: row.type as RevisionType,
    snapshot: JSON.parse(row.snapshot) as Snapshot,
    parents: JSON.parse(row.parents) as RevisionId[],
    createdBy: row.created_by,
    createdAt: row.created_at,
    mergedFrom: row.merged_from,
    message: row.message,
    git: row.git === null ? null : (JSON.parse(row.git) as Json),
  }
}

/** Returns the snapshots of all revisions of a space, including its change requests. */
export async function listSnapshots(
  db: Db,
  organizationId: OrganizationId,
  spaceId: SpaceId,
): Promise<Snapshot[]> {
  const rows = await db
    .selectFrom('revisions')
    .select('snapshot')
    .where('space_id', '=', spaceId)
    .where('organization_id', '=', organizationId)
    .execute()
  return rows.map(({ snapshot }) => JSON.parse(snapshot) as Snapshot)
}
