/** A merge check: what each returns, and what it is given. */
import type { MergeCheck, MergeCheckId, MergeCheckItem } from '../../contract/merge-checks.js'
import type { PageId } from '../../core/ids.js'
import { findPages } from '../../core/pages/read.js'
import { formatCursor } from '../content/comparison-cursor.js'
import type { ContentContext } from '../content/content.js'
import type { ChangeRequestRow } from '../change-requests/store.js'
import type { LinkRequestContext } from '../links/cross-space-links.js'
import type { SpaceContext } from '../spaces/scope.js'

export interface CheckContext extends LinkRequestContext {
  readonly space: SpaceContext
  readonly changeRequest: ChangeRequestRow
  /** The content of the change request, and that of the space which it was last updated from. */
  readonly content: ContentContext
  readonly base: ContentContext
  /** What a list of items goes on with: a cursor of the check, and the number of items before it. */
  readonly page: string | undefined
  readonly start: number
}

export type ItemPage = Pick<MergeCheck, 'items' | 'next'>

export interface CheckOutcome {
  readonly status: MergeCheck['status']
  /** Whether the merge is refused unless it passes. */
  readonly isBlocking: boolean
  readonly summary: string
  /** Number of items. */
  readonly count: number
  /** Returns the items of one page. */
  list(limit: number): Promise<ItemPage> | ItemPage
}

export type RunCheck = (context: CheckContext) => Promise<CheckOutcome>

export const titles: Readonly<Record<MergeCheckId, string>> = {
  changes: 'Changes',
  'merge-rules': 'Merge rules',
  conflicts: 'Conflicts with the space',
  'up-to-date': 'Up to date with the space',
  links: 'Links',
  'alternative-texts': 'Alternative texts of images',
  texts: 'Readable texts',
  comments: 'Comments',
}

export const passed = (summary: string): CheckOutcome => ({
  status: 'passed',
  isBlocking: false,
  summary,
  count: 0,
  list: () => ({ items: [] }),
})

/** Returns pages by their ids, as items name them; those that a content does not have are missing. */
export async function namePages(
  content: ContentContext,
  ids: readonly (PageId | undefined)[],
): Promise<ReadonlyMap<string, NonNullable<MergeCheckItem['page']>>> {
  const wanted = [...new Set(ids)].filter((id): id is PageId => id !== undefined)
  const pages = await content.run(findPages(content.revision.snapshot, wanted))
  return new Map(
    pages.flatMap((page) => (page === undefined ? [] : [[page.id as string, namePage(page)] as const])),
  )
}

export function namePage(page: { readonly id: PageId; readonly title: string }): {
  id: string
  title: string
  path?: string
} {
  return { id: page.id, title: page.title, ...('path' in page && { path: page.path as string }) }
}

/** Returns the items of the requested part. */
export const partOf = <Item>(
  { start }: CheckContext,
  items: readonly Item[],
  limit: number,
): readonly Item[] => items.slice(start, start + limit)

/** Returns the cursor of the next part, which is of the same two contents. */
export function nextOf(
  { base, content, start }: CheckContext,
  count: number,
  limit: number,
): Pick<ItemPage, 'next'> {
  const end = start + limit
  return limit > 0 && count > end
    ? { next: { page: formatCursor({ before: base, after: content, start: end }) } }
    : {}
}

/** Returns "1 thing" or "3 things". */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
