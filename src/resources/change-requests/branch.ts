/** The line of revisions of a change request. */
import type { ContentHere } from '../content/content.js'
import type { ChangeRequestRow } from './store.js'

/** A change request that nobody wrote in yet stands on the space's revision; what is written on top is its own. */
export function inBranch(content: ContentHere, { id }: Pick<ChangeRequestRow, 'id'>): ContentHere {
  return { ...content, changeRequestId: id }
}
