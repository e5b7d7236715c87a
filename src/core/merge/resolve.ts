/**
 * Answering conflicts, also after somebody went on writing.
 *
 * An answer is not a patch to the text but a merge made again, this time knowing the answer; what changes
 * by that is then merged into the content as it stands now. So every kind of conflict is answered the same
 * way, links and indexes included, and what was written in the meantime stays.
 */
import type { Step } from '../merkle/types.js'
import type { Snapshot } from '../pages/types.js'
import type { Choices } from './conflict.js'
import { type MergeContext, type Merged, mergeSnapshots } from './snapshot.js'

/** The three snapshots of the merge that met the conflicts. */
export interface MergeInputs {
  readonly base: Snapshot
  readonly ours: Snapshot
  readonly theirs: Snapshot
}

/**
 * Answers `current`, which goes back to the merge of `inputs` with `context.choices`, with `choices` made
 * as well, and the conflicts of that merge that are still open; where an answer meets text edited since,
 * the answer wins. Spans of conflicts refer to the merged text before such edits.
 */
export function* applyChoices(
  inputs: MergeInputs,
  current: Snapshot,
  choices: Choices,
  context: MergeContext,
): Step<Merged> {
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
