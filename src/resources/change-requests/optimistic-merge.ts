/**
 * Merging aside: what two lines become is planned while everybody else works, and written in a short transaction that
 * looks whether both still stand where they were read. When one moved on the plan is made anew, and at last while
 * the space is held, so that a merge beside writers that never rest comes to its end.
 */
import type { RevisionId } from '../../core/ids.js'
import { type MergeContext, type MergeResult, mergeSnapshots } from '../../core/merge/merge-snapshots.js'
import type { Step } from '../../core/merkle/types.js'
import type { Services } from '../../access/route/scope.js'
import { run, runYielding } from '../../store/content/objects.js'
import { type ObjectSink, createSink } from '../../store/content/sink.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ContentContext, type ContentSource, getContent } from '../content/content.js'
import { describeInto } from '../content/describe.js'
import type { SpaceRow } from '../spaces/store.js'
import type { ChangeRequestRow } from './store.js'

/** The rows that say what is merged. */
export interface MergeRows {
  readonly space: SpaceRow
  readonly changeRequest: ChangeRequestRow
}

/** Where a plan is made: outside of a transaction, or at last inside. */
export interface PlanningContext extends ContentSource {
  /** Runs a step, with pauses for others where they need not wait for its end anyway. */
  drive<Result>(step: Step<Result>, sink: ObjectSink): Promise<Result>
}

/** A verb that is planned from what `From` says, a plain value, and written when that is still so. */
export interface OptimisticOperation<From, Planned, Reply> {
  readonly services: Services
  /** As they were read when the request came in. */
  readonly rows: MergeRows
  /** Says what the plan follows from. Throws when the act may not be. */
  startOf(rows: MergeRows): From
  plan(place: PlanningContext, from: From): Promise<Planned>
  /** What the plan writes; undefined for nothing. */
  sinkOf(planned: Planned): ObjectSink | undefined
  /** Writes the outcome, with the rows as they are now and the plan that they lead to. */
  conclude(tx: Tx, rows: MergeRows, planned: Planned): Promise<Reply>
  /** Opens the transaction of the act and hands over the rows as they are in it. */
  commit(work: (tx: Tx, rows: MergeRows) => Promise<Reply>): Promise<Reply>
}

/** How often a plan is made aside. */
const maxOptimisticAttempts = 3

/** What the plan follows from is no longer so. */
class StalePlan extends Error {
  constructor(readonly rows: MergeRows) {
    super('A line moved while its merge was planned')
  }
}

/** Returns what `conclude` answers. */
export async function planAside<From, Planned, Reply>(
  aside: OptimisticOperation<From, Planned, Reply>,
): Promise<Reply> {
  const { services, startOf, plan, sinkOf, conclude, commit } = aside
  let { rows } = aside
  for (let attempt = 1; attempt <= maxOptimisticAttempts; attempt += 1) {
    const from = startOf(rows)
    const planned = await plan(placeOf(services.database.read, rows, services), from)
    await sinkOf(planned)?.stage(services.database)
    const before = keyOf(rows, from)
    try {
      return await commit(async (tx, now) => {
        if (keyOf(now, startOf(now)) !== before) throw new StalePlan(now)
        return conclude(tx, now, planned)
      })
    } catch (error) {
      if (!(error instanceof StalePlan)) throw error
      rows = error.rows
    }
  }
  return commit(async (tx, now) => conclude(tx, now, await plan(placeOf(tx, now, services), startOf(now))))
}

/** What a plan follows from: a space that changed hands has its objects elsewhere. */
function keyOf({ space }: MergeRows, from: unknown): string {
  return JSON.stringify([space.organization_id, from])
}

function placeOf(db: Db, { space }: MergeRows, services: Services): PlanningContext {
  const { organization_id: organizationId, id: spaceId } = space
  const drive = db === services.database.read ? runYielding : run
  return {
    db,
    services,
    organizationId,
    spaceId,
    drive: (step, sink) => drive(step, { db, organizationId, cache: services.objects, pending: sink }),
  }
}

export interface MergeSides {
  readonly base: RevisionId
  readonly ours: RevisionId
  readonly theirs: RevisionId
}

export interface PlannedMerge extends MergeResult {
  readonly base: ContentContext
  readonly ours: ContentContext
  readonly theirs: ContentContext
  /** Holds what the merged snapshot adds. */
  readonly sink: ObjectSink
}

/** Answers the merge of three revisions. */
export async function planMerge(
  place: PlanningContext,
  sides: MergeSides,
  prefer: NonNullable<MergeContext['prefer']>,
): Promise<PlannedMerge> {
  const base = await getContent(place, sides.base)
  const ours = await getContent(place, sides.ours)
  const theirs = await getContent(place, sides.theirs)
  const sink = createSink(place.organizationId, place.services.objects)
  const snapshots = [base.revision.snapshot, ours.revision.snapshot, theirs.revision.snapshot] as const
  const merged = await place.drive(
    mergeSnapshots(...snapshots, { sink, describe: describeInto(sink), prefer }),
    sink,
  )
  return { ...merged, base, ours, theirs, sink }
}
