/** Finds the two contents of a comparison by their names: revisions of the space, and current contents of change requests. */
import type { RevisionId } from '../../core/ids.js'
import { ApiError } from '../../contract/errors.js'
import { type ComparedContents, findPinned } from '../content/comparison-cursor.js'
import { type ContentContext, type ContentSource, asWritten, getContent } from '../content/content.js'
import type { SpaceKey } from '../spaces/store.js'
import { inBranch } from './branch.js'
import { findChangeRequest } from './store.js'

const prefix = 'change-request:'

/** Returns both contents as written; `to` is the space's `current` one when it is absent. Throws 400 for unknown names. */
export async function findCompared(
  source: ContentSource,
  space: SpaceKey,
  { from, to }: { readonly from: string; readonly to?: string | undefined },
  current: ContentContext,
): Promise<ComparedContents & { readonly before: ContentContext }> {
  const [before, after] = await Promise.all([
    find('from', from),
    to === undefined ? asWritten(current) : find('to', to),
  ])
  return { before, after }

  async function find(member: 'from' | 'to', name: string): Promise<ContentContext> {
    if (!name.startsWith(prefix)) {
      const content = await findPinned(source, name as RevisionId)
      if (content !== undefined) return content
      throw new ApiError('invalid_reference', { member, thing: 'a revision of this space' })
    }
    const changeRequest = await findChangeRequest(source.db, space, name.slice(prefix.length))
    if (changeRequest === undefined)
      throw new ApiError('invalid_reference', { member, thing: 'a change request of this space' })
    return inBranch(await getContent(source, changeRequest.revision_id), changeRequest)
  }
}
