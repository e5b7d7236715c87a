/**
 * Conflict resolution, also after later edits.
 *
 * A choice is not a patch to the text: the merge is run again with the choice, and its difference is merged into the
 * current content. So every kind of conflict is resolved the same way, links and indexes included, and edits made in
 * the meantime remain.
 */
import type { Step } from '../merkle/types.js'
import type { Snapshot } from '../pages/types.js'
import type { Choices } from './conflict.js'
import { type MergeContext, type MergeResult, mergeSnapshots } from './merge-snapshots.js'

/** The three snapshots of the merge that had the conflicts. */
export interface MergeInputs {
  readonly base: Snapshot
  readonly ours: Snapshot
  readonly theirs: Snapshot
}

/**
 * Returns `current`, which descends from the merge of `inputs` with `context.choices`, with `choices` applied
 * as well, and the conflicts of that merge that are still open; where a choice overlaps text edited since,
 * the choice wins. Spans of conflicts refer to the merged text before such edits.
 */
export function* applyChoices(
  inputs: MergeInputs,
  current: Snapshot,
  choices: Choices,
  context: MergeContext,
): Step<MergeResult> {
  const { base, ours, theirs } = inputs
  const before = yield* mergeSnapshots(base, ours, theirs, context)
  const all = new Map([...(context.choices ?? []), ...choices])
  const after = yield* mergeSnapshots(base, ours, theirs, { ...context, choices: all })
  const { sink, describe } = context
  const { snapshot } = yield* mergeSnapshots(before.snapshot, current, after.snapshot, {
    sink,
    describe,
    prefer: 'theirs',
  })
  return { snapshot, conflicts: after.conflicts }
}
