/**
 * Cursor of a comparison listed in parts: the ids of the two revisions and the number of changes before the part. All
 * parts are of the same two revisions, whatever is edited in the meantime.
 */
import type { RevisionId } from '../../core/ids.js'
import { ApiError } from '../../contract/errors.js'
import { type ContentContext, type ContentSource, asWritten, findContent } from './content.js'

/** Two contents; without `before` the later one is compared with nothing. */
export interface ComparedContents {
  readonly before: ContentContext | undefined
  readonly after: ContentContext
}

export interface ComparisonPart extends ComparedContents {
  /** Number of changes before the part. */
  readonly start: number
}

export function formatCursor({ before, after, start }: ComparisonPart): string {
  return `${before?.revision.id ?? ''}.${after.revision.id}.${start}`
}

/**
 * Returns the part that a cursor names, and without one the first part of the `current` contents. Throws
 * `invalid_page_cursor` when a revision is gone: one that a later save has amended is deleted after an hour.
 */
export async function findPart(
  source: ContentSource,
  page: string | undefined,
  current: () => Promise<ComparedContents>,
): Promise<ComparisonPart> {
  if (page === undefined) return { ...(await current()), start: 0 }
  const [, from, to, start] = /^([\w-]*)\.([\w-]+)\.(\d{1,9})$/.exec(page) ?? []
  if (to === undefined) throw new ApiError('invalid_page_cursor')
  const [before, after] = await Promise.all([
    from === '' ? undefined : findPinned(source, from as RevisionId),
    findPinned(source, to as RevisionId),
  ])
  if (after === undefined || (before === undefined && from !== '')) throw new ApiError('invalid_page_cursor')
  return { before, after, start: Number(start) }
}

/** Returns a revision as written, pinned: its files are addressed by its id. */
export async function findPinned(source: ContentSource, id: RevisionId): Promise<ContentContext | undefined> {
  const content = await findContent(source, id)
  return content && { ...asWritten(content), isPinned: true }
}
