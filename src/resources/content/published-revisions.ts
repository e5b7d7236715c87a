/**
 * Revisions that readers of a site may read with a content token: those that were published since the token was made.
 *
 * A renderer caches the id of a space's revision by the token, so a revision stays readable for as long as the tokens
 * of its time. Earlier ones, with content that was removed before, take permission to read the history. After something
 * of the site was closed to readers, earlier tokens read the current revisions alone: what was published meanwhile may
 * not have been for these readers.
 */
import { contentTokenStep } from '../../access/signin/content-tokens.js'
import type { SiteReading } from '../../access/signin/actor.js'
import type { RevisionId, SpaceId } from '../../core/ids.js'
import { type ContentContext, type ContentSource, findContent } from './content.js'

/** A space, its published revision, and how often its head has moved. */
interface PublishedSpace {
  readonly id: SpaceId
  readonly revision_id: RevisionId
  readonly head_number: number
}

/** Former revisions among which something is searched at most, however fast they follow one another. */
const maxFormerRevisions = 200

/** True when the content is a revision that was published since the token was made, or of the reader's preview. */
export async function isPublishedRevision(
  reading: Pick<SiteReading, 'revisionId' | 'changeRequestId' | 'heads'>,
  space: PublishedSpace,
  content: ContentContext,
  source: ContentSource,
): Promise<boolean> {
  // A revision with computed pages is published with the written one.
  const { writtenRevision: revision } = content
  if (revision.id === space.revision_id || revision.id === reading.revisionId) return true
  if (revision.changeRequestId !== null) return revision.changeRequestId === reading.changeRequestId
  const moves = movesSince(reading, space)
  if (moves === 0) return false
  const head = await findContent(source, space.revision_id)
  if (head === undefined) return false
  // Each revision of a space was its head, and they are numbered without gaps.
  const age = head.revision.number - revision.number
  return age > 0 && age <= moves
}

/** Yields the former revisions of a space that are readable, the latest first. */
export async function* formerRevisions(
  reading: Pick<SiteReading, 'heads'>,
  space: PublishedSpace,
  source: ContentSource,
): AsyncGenerator<ContentContext> {
  let content = await findContent(source, space.revision_id)
  for (let left = Math.min(movesSince(reading, space), maxFormerRevisions); left > 0; left -= 1) {
    const before = content?.revision.parents[0]
    content = before && (await findContent(source, before))
    if (content === undefined) return
    yield content
  }
}

/**
 * Yields the former revisions of a space that were replaced within the life of a content token, the latest first. Files
 * of their pages are still requested: by renderers, and by browsers in which such a page is open.
 */
export async function* recentRevisions(
  { revision_id: head }: Pick<PublishedSpace, 'revision_id'>,
  source: ContentSource,
  now: number,
): AsyncGenerator<ContentContext> {
  let content = await findContent(source, head)
  for (let left = maxFormerRevisions; left > 0; left -= 1) {
    if (content === undefined || content.revision.createdAt <= now - 2 * contentTokenStep) return
    const before = content.revision.parents[0]
    content = before && (await findContent(source, before))
    if (content !== undefined) yield content
  }
}

/** Returns how often the head of a space has moved since the reader was admitted. */
function movesSince({ heads }: Pick<SiteReading, 'heads'>, { id, head_number: now }: PublishedSpace): number {
  return now - (heads.get(id) ?? now)
}
