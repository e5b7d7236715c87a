/**
 * Which revisions the readers of a site are shown: the published content, and for a few minutes what it was before, so
 * that a page that is put together of several answers is whole while somebody publishes. What was taken out of the
 * content longer ago is for those who may read its history.
 */
import type { SiteReading } from '../../access/signin/actor.js'
import type { RevisionId } from '../../core/ids.js'
import { type ContentHere, type Place, findContent } from './content.js'

/** In milliseconds. */
const shownAfterwards = 5 * 60 * 1000
/** So many revisions are looked at, however fast they follow one another. */
const mostSteps = 50

/** True for what a reader of the site is shown of a space now, or what they were given to preview. */
export async function isShown(
  { revisionId, changeRequestId, now }: SiteReading,
  space: { readonly revision_id: RevisionId },
  content: ContentHere,
  place: Place,
): Promise<boolean> {
  // What is made of specifications in it is shown with what was written.
  const { revision } = content.written ?? content
  if (revision.id === space.revision_id || revision.id === revisionId) return true
  if (revision.changeRequestId !== null) return revision.changeRequestId === changeRequestId
  let later = await findContent(place, space.revision_id)
  for (let steps = 0; steps < mostSteps && later !== undefined; steps += 1) {
    const { parents, createdAt } = later.revision
    if (createdAt < now - shownAfterwards || parents[0] === undefined) return false
    if (parents[0] === revision.id) return true
    later = await findContent(place, parents[0])
  }
  return false
}
