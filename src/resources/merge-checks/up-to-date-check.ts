/** Whether a change request has taken in what changed in its space, and what an update would bring. */
import { urlViewerOf } from '../../access/signin/actor.js'
import type { MergeCheckItem } from '../../contract/merge-checks.js'
import type { SemanticChange } from '../../contract/semantic-changes.js'
import { contentAtRevision } from '../content/content.js'
import { listChanges } from '../content/semantic-changes.js'
import { evaluateMergeRules } from '../reviews/check-merge-rules.js'
import { type CheckContext, type CheckOutcome, countOf, nextOf, passed } from './check.js'

export async function checkUpToDate(context: CheckContext): Promise<CheckOutcome> {
  const { db, services, space, changeRequest, content, actor, now, start } = context
  const ancestor = changeRequest.revision_merged_ancestor_id
  if (changeRequest.status === 'merged' || ancestor === space.row.revision_id)
    return passed('It has everything that changed in the space.')
  const before = await contentAtRevision(db, content, ancestor, services)
  const after = await contentAtRevision(db, content, space.row.revision_id, services)
  const comparing = { before, after, services, urlViewer: urlViewerOf(actor, now) }
  const { more: count = 0 } = await listChanges(comparing, { limit: 0 })
  const { rules, isBypassable } = await evaluateMergeRules(db, { space: space.row, changeRequest }, actor)
  const isRequired = !isBypassable && rules.some(({ rule }) => rule === 'require_up_to_date_change_request')
  return {
    status: isRequired ? 'failed' : 'warning',
    isBlocking: isRequired,
    summary:
      count === 0
        ? 'The space has a new revision that changes nothing.'
        : `${countOf(count, 'change')} of the space ${count === 1 ? 'is' : 'are'} not in it yet.`,
    count,
    async list(limit) {
      const { changes } = await listChanges(comparing, { limit, start })
      return { items: changes.map(itemOf), ...nextOf(context, count, limit) }
    },
  }
}

function itemOf(change: SemanticChange): MergeCheckItem {
  if (!('page' in change)) return { message: change.summary }
  const { id, title, path } = change.page
  return { message: change.summary, page: { id, title, ...(path !== undefined && { path }) } }
}
