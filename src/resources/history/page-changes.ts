/**
 * History of a page: the revisions of a branch in which the page's record differs from the one before, then those of
 * the space on which a change request began. A page is found by its id, so renames and moves do not end its history.
 *
 * Revisions share the nodes of their Merkle maps, so that a window of revisions is examined in as many round trips as the
 * map has levels. A response examines one window; its cursor continues below.
 */
import type { PageId } from '../../core/ids.js'
import { equal } from '../../core/merge/decisions.js'
import { getAcross } from '../../core/merkle/map.js'
import type { PageRecord } from '../../core/pages/types.js'
import { ApiError } from '../../contract/errors.js'
import type { PageChangeKind } from '../../contract/history.js'
import { limits } from '../../contract/limits.js'
import { type Revision, listRevisionsBetween } from '../../store/content/revisions.js'
import { type ContentContext, type ContentSource, loadRevision } from '../content/content.js'

export interface ChangedPage {
  readonly revision: Revision
  readonly kinds: readonly PageChangeKind[]
  /** As of the revision; of a deleted page, as of the one before. */
  readonly page: PageRecord
}

/** The revision that is examined next. */
interface Position {
  readonly branch: Revision['changeRequestId']
  readonly number: number
}

interface PageChangeList {
  readonly items: readonly ChangedPage[]
  readonly next?: { readonly page: string }
}

/** Returns the changes of a page in one window of revisions, newest first, and the cursor of what is below. */
export async function listPageChanges(
  source: ContentSource,
  { writtenRevision: head, run }: ContentContext,
  id: PageId,
  { page: cursor, limit }: { readonly page?: string | undefined; readonly limit: number },
): Promise<PageChangeList> {
  if (limit === 0) return { items: [] }
  let position: Position | undefined =
    cursor === undefined ? { branch: head.changeRequestId, number: head.number } : parsePosition(cursor, head)
  const items: ChangedPage[] = []
  let left: number = limits.examinedRevisions
  while (position !== undefined && left > 0) {
    const lowest = Math.max(1, position.number - left + 1)
    const revisions = await listWindow(source, head, { position, lowest })
    const records = await run(
      getAcross(
        revisions.map(({ snapshot }) => snapshot.pages),
        id,
      ),
    )
    // The last one is there to be compared with.
    const examined = position.number - lowest + 1
    for (const [at, revision] of revisions.slice(0, examined).entries()) {
      const [after, before] = [records[at], records[at + 1]]
      const kinds = changeKinds(before, after)
      if (kinds.length === 0) continue
      items.push({ revision, kinds, page: (after ?? before)! })
      if (items.length < limit) continue
      const below: Position | undefined = await positionBelow(source, revision)
      return { items, ...(below !== undefined && { next: { page: formatPosition(below) } }) }
    }
    left -= examined
    position = await positionBelow(source, revisions[examined - 1]!)
  }
  return { items, ...(position !== undefined && { next: { page: formatPosition(position) } }) }
}

/** Returns the revisions from a position down to a number of its branch, and the one before them. */
async function listWindow(
  source: ContentSource,
  head: Revision,
  { position: { branch, number }, lowest }: { readonly position: Position; readonly lowest: number },
): Promise<Revision[]> {
  const { organizationId, spaceId } = head
  const found = await listRevisionsBetween(
    source.db,
    { organizationId, spaceId, changeRequestId: branch },
    { from: number, to: Math.max(1, lowest - 1) },
  )
  if (found[0]?.number !== number) throw new ApiError('invalid_page_cursor')
  const base = lowest === 1 ? found.at(-1)!.parents[0] : undefined
  const before = base === undefined ? undefined : await loadRevision(source, base)
  return before === undefined ? found : [...found, before]
}

/** Returns the position of the revision before; a change request continues the space. */
async function positionBelow(
  source: ContentSource,
  { changeRequestId: branch, number, parents }: Revision,
): Promise<Position | undefined> {
  if (number > 1) return { branch, number: number - 1 }
  const base = parents[0] === undefined ? undefined : await loadRevision(source, parents[0])
  return base && { branch: base.changeRequestId, number: base.number }
}

/** Numbers of a change request's own branch are marked. */
const formatPosition = ({ branch, number }: Position): string => `${branch === null ? '' : 'b'}${number}`

function parsePosition(cursor: string, head: Revision): Position {
  const [, own, digits] = /^(b?)([1-9]\d{0,14})$/.exec(cursor) ?? []
  if (digits === undefined || (own === 'b' && head.changeRequestId === null))
    throw new ApiError('invalid_page_cursor')
  return { branch: own === 'b' ? head.changeRequestId : null, number: Number(digits) }
}

/** Members of a record that have a kind of their own; `updatedAt` and `size` follow from them. */
const membersWithKind: ReadonlySet<string> = new Set([
  'text',
  'size',
  'title',
  'path',
  'slug',
  'file',
  'parent',
  'position',
  'createdAt',
  'updatedAt',
  'origin',
])

function changeKinds(before: PageRecord | undefined, after: PageRecord | undefined): PageChangeKind[] {
  if (before === after) return []
  if (before === undefined) return ['created']
  if (after === undefined) return ['deleted']
  const [was, is] = [valuesOf(before), valuesOf(after)]
  const differs = (member: string) => !equal(was[member], is[member])
  const settings = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (member) => !membersWithKind.has(member),
  )
  const kinds: readonly (readonly [PageChangeKind, boolean])[] = [
    ['text', differs('text')],
    ['title', differs('title')],
    ['path', differs('path')],
    ['position', differs('parent') || differs('position')],
    ['settings', settings.some(differs)],
  ]
  return kinds.flatMap(([kind, isChanged]) => (isChanged ? [kind] : []))
}

const valuesOf = (record: PageRecord): Readonly<Record<string, unknown>> => ({ ...record })
