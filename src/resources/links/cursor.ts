/**
 * Cursors of link lists: the revision of the first page, and the last listed link. A list is walked to its end in that
 * revision, whatever is written meanwhile.
 */
import type { RevisionId } from '../../core/ids.js'
import { ApiError } from '../../contract/errors.js'
import type { Services } from '../../access/route/scope.js'
import { type ContentContext, findContent } from '../content/content.js'

/** Position in a list: the link with index `at` of the text at `place`. */
export interface ListPosition {
  readonly place: string
  readonly at: number
}

interface LinkCursor extends ListPosition {
  readonly revisions: readonly RevisionId[]
}

/** Returns the contents as of the first page of the list, and the position of the cursor; throws 400 for an invalid one. */
export async function resumeList(
  page: string | undefined,
  contents: readonly ContentContext[],
  services: Services,
): Promise<{ contents: readonly ContentContext[]; after: ListPosition | undefined }> {
  if (page === undefined) return { contents, after: undefined }
  const { revisions, place, at } = decode(page)
  if (revisions.length !== contents.length) throw new ApiError('invalid_page_cursor')
  const pinned: ContentContext[] = []
  for (const [index, content] of contents.entries()) {
    const id = revisions[index]!
    const { organizationId, spaceId, changeRequestId } = content
    const found =
      id === content.revision.id
        ? content
        : await findContent({ db: services.database.read, services, organizationId, spaceId }, id)
    if (found === undefined) throw new ApiError('invalid_page_cursor')
    pinned.push({ ...found, changeRequestId })
  }
  return { contents: pinned, after: { place, at } }
}

export function encodeCursor(contents: readonly ContentContext[], { place, at }: ListPosition): string {
  const revisions = contents.map(({ revision }) => revision.id)
  return Buffer.from(JSON.stringify([revisions, place, at])).toString('base64url')
}

function decode(page: string): LinkCursor {
  const [revisions, place, at] = parseList(Buffer.from(page, 'base64url').toString())
  if (
    !Array.isArray(revisions) ||
    !revisions.every((id) => typeof id === 'string' && /^[\w-]{1,64}$/.test(id)) ||
    typeof place !== 'string' ||
    !Number.isSafeInteger(at)
  )
    throw new ApiError('invalid_page_cursor')
  return { revisions: revisions as RevisionId[], place, at: at as number }
}

function parseList(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** Returns the page after the cursor, and its last item when there are more. */
export function cutPage<Item extends ListPosition>(
  items: readonly Item[],
  after: ListPosition | undefined,
  limit: number,
): { items: readonly Item[]; last: Item | undefined } {
  const from = after === undefined ? 0 : items.findIndex(({ place, at }) => isAfter(place, at, after))
  const following = from < 0 ? [] : items.slice(from, from + limit + 1)
  const page = following.slice(0, limit)
  return { items: page, last: following.length > limit ? page.at(-1) : undefined }
}

/** True for items after the position, in the order of the list. */
export function isAfter(place: string, at: number, reached: ListPosition): boolean {
  return place > reached.place || (place === reached.place && at > reached.at)
}
