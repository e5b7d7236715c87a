/**
 * Optimistic concurrency for merge, update and resolve: read the rows, plan the result without locks, and commit it in a
 * short transaction unless what it was planned from has changed; then again from the current rows. After three stale
 * plans the last one is made under the lock, so that a merge beside constant writers comes to its end.
 */
import type { RevisionId } from '../../core/ids.js'
import { type MergeContext, type MergeResult, mergeSnapshots } from '../../core/merge/merge-snapshots.js'
import type { Step } from '../../core/merkle/types.js'
import type { Snapshot } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import { run, runYielding } from '../../store/content/objects.js'
import { type ObjectSink, createSink } from '../../store/content/sink.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ContentContext, type ContentSource, getContent } from '../content/content.js'
import { describeInto } from '../content/describe.js'
import type { SpaceRow } from '../spaces/store.js'
import type { ChangeRequestRow } from './store.js'

/** The rows that a merge starts from. */
export interface MergeRows {
  readonly space: SpaceRow
  readonly changeRequest: ChangeRequestRow
}

/** A request to merge in either direction, or to resolve conflicts. */
export interface MergeRequest<Reply> {
  readonly actor: Actor
  readonly now: number
  readonly services: Services
  /** As read when the request came in. */
  readonly rows: MergeRows
  /** Runs work in the transaction of the request, with the rows as they are in it. */
  commit(work: (tx: Tx, rows: MergeRows) => Promise<Reply>): Promise<Reply>
}

/** Where a plan is made: outside of a transaction, or at last inside. */
export interface PlanContext extends ContentSource {
  /** Runs a step; outside of a transaction with pauses for other requests. */
  run<Result>(step: Step<Result>, sink: ObjectSink): Promise<Result>
}

export interface OptimisticOperation<Input, Plan, Reply> {
  /** Returns what the plan depends on, as a plain value; throws when the operation is not allowed. */
  read(rows: MergeRows): Input
  plan(context: PlanContext, input: Input): Promise<Plan>
  write(tx: Tx, rows: MergeRows, plan: Plan): Promise<Reply>
}

/** Plans without locks; the next one is made under the lock. */
const maxOptimisticPlans = 3

class StalePlan extends Error {
  constructor(readonly rows: MergeRows) {
    super('The rows changed while the merge was planned')
  }
}

/** Returns what `write` returns; the objects of a plan are those in its sink. */
export async function commitOptimistically<
  Input,
  Plan extends { readonly sink?: ObjectSink; readonly snapshot?: Snapshot } | undefined,
  Reply,
>(
  { rows: initialRows, services, commit }: MergeRequest<Reply>,
  { read, plan, write }: OptimisticOperation<Input, Plan, Reply>,
): Promise<Reply> {
  let rows = initialRows
  for (let attempt = 1; attempt <= maxOptimisticPlans; attempt += 1) {
    const input = read(rows)
    const planned = await plan(planContext(services.database.read, rows, services), input)
    await planned?.sink?.stage(services.database, planned.snapshot)
    const version = versionOf(rows, input)
    try {
      return await commit(async (tx, current) => {
        if (versionOf(current, read(current)) !== version) throw new StalePlan(current)
        return write(tx, current, planned)
      })
    } catch (error) {
      if (!(error instanceof StalePlan)) throw error
      rows = error.rows
    }
  }
  return commit(async (tx, current) => {
    const planned = await plan(planContext(tx, current, services), read(current))
    return write(tx, current, planned)
  })
}

/** Contains the organization: the objects of a transferred space are stored with the new one. */
function versionOf({ space }: MergeRows, input: unknown): string {
  return JSON.stringify([space.organization_id, input])
}

/** Returns where a merge of these rows is planned. */
export function planContext(db: Db, { space }: MergeRows, services: Services): PlanContext {
  const { organization_id: organizationId, id: spaceId } = space
  const runStep = db.isTransaction ? run : runYielding
  return {
    db,
    services,
    organizationId,
    spaceId,
    run: (step, sink) => runStep(step, { db, organizationId, cache: services.objects, pending: sink }),
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
  /** The objects that the merged snapshot adds. */
  readonly sink: ObjectSink
}

/** Returns the three-way merge of revisions. */
export async function planMerge(
  context: PlanContext,
  sides: MergeSides,
  prefer: NonNullable<MergeContext['prefer']>,
): Promise<PlannedMerge> {
  const base = await getContent(context, sides.base)
  const ours = await getContent(context, sides.ours)
  const theirs = await getContent(context, sides.theirs)
  const sink = createSink(context.organizationId, context.services.objects)
  const snapshots = [base.revision.snapshot, ours.revision.snapshot, theirs.revision.snapshot] as const
  const merge = mergeSnapshots(...snapshots, { sink, describe: describeInto(sink), prefer })
  return { ...(await context.run(merge, sink)), base, ours, theirs, sink }
}
