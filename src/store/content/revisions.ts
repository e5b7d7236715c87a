/**
 * Revisions: immutable rows, each the content of a space (or of a change request's branch) at one moment.
 *
 * A revision is found inside its space only. Which one is the head is told in heads.ts.
 */
import { sql } from 'kysely'
import type { ChangeRequestId, OrganizationId, RevisionId, SpaceId, UserId } from '../../core/ids.js'
import type { Json } from '../../core/merkle/types.js'
import type { Snapshot } from '../../core/pages/types.js'
import type { Db, Tx } from '../db/database.js'
import { ContentDamaged } from './damaged.js'
import type { Milliseconds } from '../db/columns.js'
import { type ListPage, type PageRequest, listPage } from '../db/page.js'
import type { Row } from '../db/tables.js'

export type RevisionType = 'edits' | 'merge' | 'rollback' | 'update' | 'computed'

export interface Revision {
  readonly id: RevisionId
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
  /** Whose branch it is on; null for the space's own line. */
  readonly changeRequestId: ChangeRequestId | null
  /** Its place on that line, counted from 1. */
  readonly number: number
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
  await tx
    .insertInto('revisions')
    .values({
      id: revision.id,
      organization_id: revision.organizationId,
      space_id: revision.spaceId,
      change_request_id: revision.changeRequestId,
      number: revision.number,
      type: revision.type,
      snapshot: JSON.stringify(revision.snapshot),
      parents: JSON.stringify(revision.parents),
      created_by: revision.createdBy,
      created_at: revision.createdAt,
      merged_from: revision.mergedFrom,
      message: revision.message,
      git: revision.git === null ? null : JSON.stringify(revision.git),
    })
    .execute()
}

/** Answers the revision, undefined when the space has none of this id. */
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

/** A line of revisions: a space's own, or that of one of its change requests. */
export type Line = Pick<Revision, 'organizationId' | 'spaceId' | 'changeRequestId'>

/** Lists the revisions of a line, newest first. What is asked of a history costs the same however long it is. */
export async function listRevisions(db: Db, line: Line, list: PageRequest): Promise<ListPage<Revision>> {
  const query = onLine(db, line).selectAll()
  const page = await listPage(db, query, {
    ...list,
    order: [{ column: 'revisions.number', type: 'integer', direction: 'desc' }],
    count: () => countRevisions(db, line),
  })
  return { ...page, items: page.items.map(toRevision) }
}

/** Nothing leaves the middle of a line: the newest knows how many there are. */
async function countRevisions(db: Db, line: Line): Promise<number> {
  const query = onLine(db, line).select('number').orderBy('number', 'desc').limit(1)
  return (await query.executeTakeFirst())?.number ?? 0
}

function onLine(db: Db, { organizationId, spaceId, changeRequestId }: Line) {
  return (
    db
      .selectFrom('revisions')
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      // As the index says it.
      .where(sql`coalesce(change_request_id, '')`, '=', changeRequestId ?? '')
  )
}

/** Answers the value of a row, for lists that select rows of their own; throws `ContentDamaged` when it is none. */
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

/** Answers the snapshots of all revisions of a space, of its branches too. */
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
