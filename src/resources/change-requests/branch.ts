/** The branch of a change request: its own history of revisions. */
import type { ContentContext } from '../content/content.js'
import type { ChangeRequestRow } from './store.js'

/** Returns the content as the head of the change request's branch: revisions on top of it belong to the branch, also while the head is still the space's revision. */
export function inBranch(
  content: ContentContext,
  { id, amendable_by: by, amendable_since: since, amendable_credential: credential }: BranchRow,
): ContentContext {
  const isAmendable = by !== null && since !== null
  return { ...content, changeRequestId: id, ...(isAmendable && { amendable: { by, since, credential } }) }
}

type BranchRow = Pick<ChangeRequestRow, 'id' | 'amendable_by' | 'amendable_since' | 'amendable_credential'>
