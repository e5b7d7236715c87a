/** The branch of a change request: its own history of revisions. */
import type { ContentContext } from '../content/content.js'
import type { ChangeRequestRow } from './store.js'

/** Returns the content as the head of the change request's branch: revisions on top of it belong to the branch, also while the head is still the space's revision. */
export function inBranch(content: ContentContext, { id }: Pick<ChangeRequestRow, 'id'>): ContentContext {
  return { ...content, changeRequestId: id }
}
