/** Resolving pending conflicts of the last update, also after further edits, which are preserved. */
import type { Choice, Conflict, ConflictId } from '../../core/merge/conflict.js'
import { applyChoices } from '../../core/merge/resolve-conflicts.js'
import { ApiError } from '../../contract/errors.js'
import { createSink } from '../../store/content/sink.js'
import type { Tx } from '../../store/db/database.js'
import { commit } from '../content/commit.js'
import { getContent } from '../content/content.js'
import { describeInto } from '../content/describe.js'
import { type MergeRequest, type MergeRows, commitOptimistically } from './optimistic-merge.js'
import { inBranch } from './branch.js'
import { type PendingConflicts, parsePendingConflicts, formatPendingConflicts } from './pending-conflicts.js'
import { requireChangeable } from './status.js'
import { type ChangeRequestRow, recordContribution, updateChangeRequestRow } from './store.js'

/** Applies the choices and returns what `present` makes of the updated rows. */
export function resolveConflicts<Reply>(
  request: MergeRequest<Reply>,
  choices: ReadonlyMap<ConflictId, Choice>,
  present: (tx: Tx, rows: MergeRows) => Promise<Reply>,
): Promise<Reply> {
  const { actor, now } = request
  return commitOptimistically(request, {
    read: ({ changeRequest }) => ({
      pending: requirePending(changeRequest, choices),
      head: changeRequest.revision_id,
    }),

    async plan(context, { pending, head }) {
      const base = await getContent(context, pending.base)
      const ours = await getContent(context, pending.ours)
      const theirs = await getContent(context, pending.theirs)
      const current = await getContent(context, head)
      const sink = createSink(context.organizationId, context.services.objects)
      const sides = {
        base: base.revision.snapshot,
        ours: ours.revision.snapshot,
        theirs: theirs.revision.snapshot,
      }
      const resolution = applyChoices(sides, current.revision.snapshot, choices, {
        sink,
        describe: describeInto(sink),
        prefer: 'ours',
        choices: new Map(pending.choices),
      })
      return { ...(await context.run(resolution, sink)), pending, current, sink }
    },

    async write(tx, { space, changeRequest }, { pending, current, snapshot, conflicts, sink }) {
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
          choices: [...pending.choices, ...choices],
          conflicts,
        }),
      })
      return present(tx, { space, changeRequest: row })
    },
  })
}

/** Returns the pending conflicts; throws when one of the choices is for another conflict, or is not allowed. */
function requirePending(
  changeRequest: ChangeRequestRow,
  choices: ReadonlyMap<ConflictId, Choice>,
): PendingConflicts {
  requireChangeable(changeRequest)
  const pending = parsePendingConflicts(changeRequest)
  const conflicts = new Map(pending?.conflicts.map((conflict) => [conflict.id, conflict]))
  for (const [id, choice] of choices) {
    const conflict = conflicts.get(id)
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
  return (
    conflict.kind === 'block' ||
    (conflict.kind === 'member' && ['title', 'linkTitle'].includes(conflict.member))
  )
}
