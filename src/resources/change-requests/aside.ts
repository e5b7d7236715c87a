/**
 * Merging aside: what two lines become is planned while everybody else works, and written in a short transaction that
 * looks whether both still stand where they were read. When one moved on the plan is made anew, and at last while
 * the space is held, so that a merge beside writers that never rest comes to its end.
 */
import type { RevisionId } from '../../core/ids.js'
import { type MergeContext, type Merged, mergeSnapshots } from '../../core/merge/snapshot.js'
import type { Services } from '../../access/route/scope.js'
import { run, runAside } from '../../store/content/objects.js'
import { type ObjectSink, createSink } from '../../store/content/sink.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ContentHere, getContent } from '../content/content.js'
import { describe } from '../content/describe.js'
import type { SpaceRow } from '../spaces/store.js'
import type { ChangeRequestRow } from './store.js'

/** The rows that say what is merged. */
export interface Rows {
  readonly space: SpaceRow
  readonly changeRequest: ChangeRequestRow
}

export interface Sides {
  readonly base: RevisionId
  readonly ours: RevisionId
  readonly theirs: RevisionId
}

export interface PlannedMerge extends Merged {
  readonly base: ContentHere
  readonly ours: ContentHere
  readonly theirs: ContentHere
  /** Holds what the merged snapshot adds. */
  readonly sink: ObjectSink
}

export interface Merging<Reply> {
  readonly services: Services
  /** As they were read when the request came in. */
  readonly rows: Rows
  readonly prefer?: MergeContext['prefer']
  /** Whether a plan is written although it has conflicts. */
  readonly keepsConflicts: boolean
  /** Says what to merge; undefined when there is nothing to. Throws when it may not be. */
  sidesOf(rows: Rows): Sides | undefined
  /** Writes the outcome, with the rows as they are now and the plan of their sides. */
  conclude(tx: Tx, rows: Rows, planned: PlannedMerge | undefined): Promise<Reply>
  /** Opens the transaction of the act and hands over the rows as they are in it. */
  commit(work: (tx: Tx, rows: Rows) => Promise<Reply>): Promise<Reply>
}

/** How often a plan is made aside. */
const attemptsAside = 3

/** One of the lines moved on since the plan was made. */
class Moved extends Error {
  constructor(readonly rows: Rows) {
    super('A line moved while its merge was planned')
  }
}

/** Returns what `conclude` answers. */
export async function mergeAside<Reply>(merging: Merging<Reply>): Promise<Reply> {
  const { services, keepsConflicts, sidesOf, conclude, commit } = merging
  let { rows } = merging
  for (let attempt = 1; attempt <= attemptsAside; attempt += 1) {
    const sides = sidesOf(rows)
    const planned = sides && (await plan(services.database.read, rows, sides, merging))
    const isWritten = planned !== undefined && (keepsConflicts || planned.conflicts.length === 0)
    if (isWritten) await planned.sink.stage(services.database)
    const before = keyOf(rows, sides)
    try {
      return await commit(async (tx, now) => {
        if (keyOf(now, sidesOf(now)) !== before) throw new Moved(now)
        return conclude(tx, now, planned)
      })
    } catch (error) {
      if (!(error instanceof Moved)) throw error
      rows = error.rows
    }
  }
  return commit(async (tx, now) => {
    const sides = sidesOf(now)
    return conclude(tx, now, sides && (await plan(tx, now, sides, merging)))
  })
}

/** What a plan follows from: a space that changed hands has its objects elsewhere. */
function keyOf({ space }: Rows, sides: Sides | undefined): string {
  return JSON.stringify([space.organization_id, sides])
}

async function plan<Reply>(
  db: Db,
  { space }: Rows,
  sides: Sides,
  { services, prefer = 'ours' }: Merging<Reply>,
): Promise<PlannedMerge> {
  const { organization_id: organizationId, id: spaceId } = space
  const place = { db, services, organizationId, spaceId }
  const base = await getContent(place, sides.base)
  const ours = await getContent(place, sides.ours)
  const theirs = await getContent(place, sides.theirs)
  const sink = createSink(organizationId, services.objects)
  const snapshots = [base.revision.snapshot, ours.revision.snapshot, theirs.revision.snapshot] as const
  const step = mergeSnapshots(...snapshots, { sink, describe, prefer })
  const source = { db, organizationId, cache: services.objects, pending: sink }
  // Within a transaction everybody waits for its end, not for its breath.
  const merged = await (db === services.database.read ? runAside(step, source) : run(step, source))
  return { ...merged, base, ours, theirs, sink }
}
