/** Deciding conflicts of the last update, also after somebody wrote on: what was written since then stays. */
import type { Choice, Conflict, ConflictId } from '../../core/merge/conflict.js'
import { applyChoices } from '../../core/merge/resolve-conflicts.js'
import { ApiError } from '../../contract/errors.js'
import { createSink } from '../../store/content/sink.js'
import type { Tx } from '../../store/db/database.js'
import { commit } from '../content/commit.js'
import { getContent } from '../content/content.js'
import { describeInto } from '../content/describe.js'
import { type MergeRows, planAside } from './optimistic-merge.js'
import { inBranch } from './branch.js'
import type { MergeRequest } from './merge.js'
import { type PendingConflicts, parsePendingConflicts, formatPendingConflicts } from './pending-conflicts.js'
import { requireChangeable } from './status.js'
import { type ChangeRequestRow, recordContribution, updateChangeRequestRow } from './store.js'

interface ResolveRequest<Reply> extends MergeRequest<Reply> {
  readonly decided: ReadonlyMap<ConflictId, Choice>
  /** Makes the answer, with the rows as they are then. */
  present(tx: Tx, rows: MergeRows): Promise<Reply>
}

/** Decides these conflicts; answers what `present` makes of the change request with what still waits. */
export function resolveConflicts<Reply>({
  actor,
  now,
  decided,
  present,
  ...resolving
}: ResolveRequest<Reply>): Promise<Reply> {
  return planAside({
    ...resolving,
    startOf: ({ changeRequest }) => ({
      pending: requirePending(changeRequest, decided),
      current: changeRequest.revision_id,
    }),
    async plan(place, { pending, current: head }) {
      const [base, ours, theirs, current] = [
        await getContent(place, pending.base),
        await getContent(place, pending.ours),
        await getContent(place, pending.theirs),
        await getContent(place, head),
      ]
      const sink = createSink(place.organizationId, place.services.objects)
      const inputs = {
        base: base.revision.snapshot,
        ours: ours.revision.snapshot,
        theirs: theirs.revision.snapshot,
      }
      const context = {
        sink,
        describe: describeInto(sink),
        prefer: 'ours',
        choices: new Map(pending.choices),
      } as const
      const merged = await place.drive(
        applyChoices(inputs, current.revision.snapshot, decided, context),
        sink,
      )
      return { ...merged, pending, current, sink }
    },
    sinkOf: ({ sink }) => sink,
    async conclude(tx, { space, changeRequest }, { pending, current, snapshot, conflicts, sink }) {
      await commit(tx, inBranch(current, changeRequest), {
        type: 'edits',
        snapshot,
        sink,
        userId: actor.userId,
        now,
      })
      await recordContribution(tx, changeRequest, actor.userId, now)
      const row = await updateChangeRequestRow(tx, changeRequest, {
        conflicts: formatPendingConflicts({
          ...pending,
          choices: [...pending.choices, ...decided],
          conflicts,
        }),
      })
      return present(tx, { space, changeRequest: row })
    },
  })
}

/** Returns what waits; throws when one of the decisions is about something else, or cannot be taken. */
function requirePending(
  changeRequest: ChangeRequestRow,
  decided: ReadonlyMap<ConflictId, Choice>,
): PendingConflicts {
  requireChangeable(changeRequest)
  const pending = parsePendingConflicts(changeRequest)
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
  return pending!
}

function takesText(conflict: Conflict): boolean {
  return conflict.kind === 'block' || (conflict.kind === 'member' && conflict.member === 'title')
}
