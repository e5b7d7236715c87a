/**
 * Cursors of lists of links: the revision that the list was begun in, and the last link that was shown. A list is walked
 * to its end in that revision, whatever is written meanwhile.
 */
import type { RevisionId } from '../../core/ids.js'
import { ApiError } from '../../contract/errors.js'
import type { Services } from '../../access/route/scope.js'
import { type ContentHere, findContent } from '../content/content.js'

/** Where a list has come: behind the link `at` of the text at `place`, counted as the list counts. */
export interface Reached {
  readonly place: string
  readonly at: number
}

interface LinkCursor extends Reached {
  readonly revisions: readonly RevisionId[]
}

/** Returns the contents as they were when the list was begun, and how far it has come. */
export async function resumeList(
  page: string | undefined,
  contents: readonly ContentHere[],
  services: Services,
): Promise<{ contents: readonly ContentHere[]; after: Reached | undefined }> {
  if (page === undefined) return { contents, after: undefined }
  const { revisions, place, at } = decode(page)
  if (revisions.length !== contents.length) throw new ApiError('invalid_page_cursor')
  const begun: ContentHere[] = []
  for (const [index, content] of contents.entries()) {
    const id = revisions[index]!
    const { organizationId, spaceId, changeRequestId } = content
    const found =
      id === content.revision.id
        ? content
        : await findContent({ db: services.database.read, services, organizationId, spaceId }, id)
    if (found === undefined) throw new ApiError('invalid_page_cursor')
    begun.push({ ...found, changeRequestId })
  }
  return { contents: begun, after: { place, at } }
}

export function encodeCursor(contents: readonly ContentHere[], { place, at }: Reached): string {
  const revisions = contents.map(({ revision }) => revision.id)
  return Buffer.from(JSON.stringify([revisions, place, at])).toString('base64url')
}

function decode(page: string): LinkCursor {
  const [revisions, place, at] = parseList(Buffer.from(page, 'base64url').toString())
  if (
    !Array.isArray(revisions) ||
    !revisions.every((id) => typeof id === 'string' && /^\w{1,64}$/.test(id)) ||
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

/** Returns one page of what follows the cursor, and the last of it when there is more. */
export function cutPage<Item extends Reached>(
  items: readonly Item[],
  after: Reached | undefined,
  limit: number,
): { items: readonly Item[]; last: Item | undefined } {
  const from = after === undefined ? 0 : items.findIndex(({ place, at }) => isBehind(place, at, after))
  const rest = from < 0 ? [] : items.slice(from, from + limit + 1)
  const shown = rest.slice(0, limit)
  return { items: shown, last: rest.length > limit ? shown.at(-1) : undefined }
}

/** True for what comes after what was reached, in the order of the list. */
export function isBehind(place: string, at: number, reached: Reached): boolean {
  return place > reached.place || (place === reached.place && at > reached.at)
}
