/**
 * Revisions that readers of a site may read: the published head, and for a few minutes its predecessors, so that a page
 * assembled from several responses stays consistent during a publish. Older revisions, with content that was removed
 * since, take permission to read the history.
 */
import type { SiteReading } from '../../access/signin/actor.js'
import type { RevisionId } from '../../core/ids.js'
import { type ContentContext, type ContentSource, findContent } from './content.js'

/** Milliseconds in which a superseded revision stays readable. */
const gracePeriod = 5 * 60 * 1000
/** Revisions that are walked back at most, however fast they follow one another. */
const maxSteps = 50

/** True when the content is a current or just superseded revision of the space, or of the reader's preview. */
export async function isPublishedRevision(
  { revisionId, changeRequestId, now }: SiteReading,
  space: { readonly revision_id: RevisionId },
  content: ContentContext,
  source: ContentSource,
): Promise<boolean> {
  // A revision with computed pages is published with the written one.
  const { writtenRevision: revision } = content
  if (revision.id === space.revision_id || revision.id === revisionId) return true
  if (revision.changeRequestId !== null) return revision.changeRequestId === changeRequestId
  let later = await findContent(source, space.revision_id)
  for (let steps = 0; steps < maxSteps && later !== undefined; steps += 1) {
    const { parents, createdAt } = later.revision
    if (createdAt < now - gracePeriod || parents[0] === undefined) return false
    if (parents[0] === revision.id) return true
    later = await findContent(source, parents[0])
  }
  return false
}
