/**
 * Amended revisions: a person's saves to a change request in some minutes are one revision of its history. Each save writes
 * a row with the same number and one save more, and only the last of them is listed. The others are found by their id for
 * the clients that were given it, and are deleted after a while.
 */
import type { RevisionId } from '../../core/ids.js'
import type { Milliseconds } from '../db/columns.js'
import type { Db, Tx } from '../db/database.js'
import { type RevisionBranch, inBranch, laterSaves } from './revisions.js'

/** How long after its first save a revision can be amended. */
export const amendWindow: Milliseconds = 10 * 60 * 1000
/** How long a revision is found by its id after it was amended. */
export const amendedRetention: Milliseconds = 60 * 60 * 1000

/** Deletes revisions that were amended before a time, at most `limit` of them; returns their number. */
export async function deleteAmended(
  tx: Tx,
  branch: RevisionBranch,
  { limit, ...filter }: AmendedFilter & { readonly limit: number },
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('revisions')
    .where('organization_id', '=', branch.organizationId)
    .where('id', 'in', amended(tx, branch, filter).limit(limit))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Returns whether revisions of a branch were amended. */
export async function hasAmended(
  db: Db,
  branch: RevisionBranch,
  except: readonly RevisionId[],
): Promise<boolean> {
  return (await amended(db, branch, { except }).limit(1).executeTakeFirst()) !== undefined
}

interface AmendedFilter {
  /** Amended before this time, which is when the first later save was written. */
  readonly before?: Milliseconds | undefined
  /** Revisions that something refers to. */
  readonly except: readonly RevisionId[]
}

function amended(db: Db, branch: RevisionBranch, { before, except }: AmendedFilter) {
  return inBranch(db, branch)
    .select('revisions.id')
    .where((is) => {
      const later = laterSaves(is)
      return is.exists(before === undefined ? later : later.where('later.created_at', '<', before))
    })
    .$if(except.length > 0, (query) => query.where('revisions.id', 'not in', except))
}
