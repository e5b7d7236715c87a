/**
 * Updating: what happened in the space since comes into the change request. Where both changed the
 * same thing the change request keeps its own side, and the conflict waits to be decided.
 */
import type { Choice, Conflict, ConflictId } from '../../core/merge/conflict.js'
import { applyChoices } from '../../core/merge/resolve.js'
import { ApiError } from '../../contract/errors.js'
import { createSink } from '../../store/content/sink.js'
import type { Tx } from '../../store/db/database.js'
import { commit } from '../content/commit.js'
import { getContent, runWith } from '../content/content.js'
import { describe } from '../content/describe.js'
import type { SpaceRow } from '../spaces/store.js'
import { inBranch } from './branch.js'
import { mergeAside } from './aside.js'
import type { Circumstances, MergeOutcome } from './merge.js'
import { openConflicts, readPending, writePending } from './pending.js'
import { requireChangeable } from './status.js'
import { type ChangeRequestRow, updateChangeRequestRow } from './store.js'

/** Brings the space's content in. A strategy settles every conflict at once for one side. */
export function updateFromSpace({
  actor,
  now,
  strategy,
  ...merging
}: Circumstances & { readonly strategy?: 'changes' | 'primary' | undefined }): Promise<MergeOutcome> {
  return mergeAside({
    ...merging,
    keepsConflicts: true,
    prefer: strategy === 'primary' ? 'theirs' : 'ours',
    sidesOf({ space, changeRequest }) {
      requireChangeable(changeRequest)
      const waiting = openConflicts(changeRequest)
      if (waiting.length > 0) throw new ApiError('change_request_unresolved', { count: waiting.length })
      const base = changeRequest.revision_merged_ancestor_id
      if (base === space.revision_id) return undefined
      return { base, ours: changeRequest.revision_id, theirs: space.revision_id }
    },
    async conclude(tx, { changeRequest }, planned) {
      if (planned === undefined) return { revision: changeRequest.revision_id, conflicts: [] }
      const { base, ours, theirs, snapshot, sink } = planned
      const [conflicts, settled] = strategy === undefined ? [planned.conflicts, []] : [[], planned.conflicts]
      const revision = await commit(tx, inBranch(ours, changeRequest), {
        type: 'update',
        snapshot,
        sink,
        userId: actor.userId,
        now,
        otherParents: [theirs.revision],
      })
      await updateChangeRequestRow(tx, changeRequest, {
        revision_merged_ancestor_id: theirs.revision.id,
        conflicts: writePending({
          base: base.revision.id,
          ours: ours.revision.id,
          theirs: theirs.revision.id,
          choices: [],
          conflicts,
        }),
      })
      return { revision: revision.id, conflicts, settled }
    },
  })
}

/** Decides conflicts of the last update; what was written since then stays. */
export async function resolveConflicts(
  tx: Tx,
  { id: spaceId, organization_id: organizationId }: SpaceRow,
  changeRequest: ChangeRequestRow,
  decided: ReadonlyMap<ConflictId, Choice>,
  { actor, now, services }: Pick<Circumstances, 'actor' | 'now' | 'services'>,
): Promise<ChangeRequestRow> {
  requireChangeable(changeRequest)
  const pending = readPending(changeRequest)
  const waiting = new Map(pending?.conflicts.map((conflict) => [conflict.id, conflict]))
  for (const [id, choice] of decided) {
    const conflict = waiting.get(id)
    if (!conflict)
      throw new ApiError('invalid_reference', { member: 'resolutions', thing: `a conflict ${id}` })
    if ('text' in choice && !takesText(conflict)) {
      throw new ApiError('invalid_request', {
        problem: `The conflict ${id} takes "ours" or "theirs": only blocks and titles take a text of your own.`,
      })
    }
  }
  const place = { db: tx, services, organizationId, spaceId }
  const [base, ours, theirs] = [
    await getContent(place, pending!.base),
    await getContent(place, pending!.ours),
    await getContent(place, pending!.theirs),
  ]
  const current = await getContent(place, changeRequest.revision_id)
  const sink = createSink(organizationId, services.objects)
  const merged = await runWith(
    place,
    sink,
    applyChoices(
      { base: base.revision.snapshot, ours: ours.revision.snapshot, theirs: theirs.revision.snapshot },
      current.revision.snapshot,
      decided,
      { sink, describe, prefer: 'ours', choices: new Map(pending!.choices) },
    ),
  )
  await commit(tx, inBranch(current, changeRequest), {
    type: 'edits',
    snapshot: merged.snapshot,
    sink,
    userId: actor.userId,
    now,
  })
  return updateChangeRequestRow(tx, changeRequest, {
    conflicts: writePending({
      ...pending!,
      choices: [...pending!.choices, ...decided],
      conflicts: merged.conflicts,
    }),
  })
}

function takesText(conflict: Conflict): boolean {
  return conflict.kind === 'block' || (conflict.kind === 'member' && conflict.member === 'title')
}
