/** Comments of a change request that are not resolved. */
import type { MergeCheckItem } from '../../contract/merge-checks.js'
import { listComments } from '../comments/store.js'
import { type CheckContext, type CheckOutcome, countOf, namePages, passed } from './check.js'

/** Characters of a comment in the list. */
const maxExcerpt = 140

export async function checkComments(context: CheckContext): Promise<CheckOutcome> {
  const { db, content, changeRequest, page } = context
  const { organizationId, spaceId } = content
  const parent = { organizationId, spaceId, changeRequestId: changeRequest.id }
  const open = (limit: number) =>
    listComments(db, parent, { status: 'open', order: 'asc' }, { limit, ...(page !== undefined && { page }) })
  const { count = 0 } = await open(1)
  if (count === 0) return passed('Every comment is resolved.')
  return {
    status: 'warning',
    isBlocking: false,
    summary: `${countOf(count, 'comment is', 'comments are')} not resolved.`,
    count,
    async list(limit) {
      if (limit === 0) return { items: [] }
      const { items: rows, next } = await open(limit)
      const pages = await namePages(
        content,
        rows.map((row) => row.page_id ?? undefined),
      )
      const items = rows.map((row): MergeCheckItem => {
        const target = row.page_id === null ? undefined : pages.get(row.page_id)
        return {
          comment: row.id,
          message: excerptOf(row.body),
          ...(target !== undefined && { page: target }),
        }
      })
      return { items, ...(next && { next }) }
    },
  }
}

/** Returns the beginning of the first line. */
function excerptOf(markdown: string): string {
  const [line = ''] = markdown.trim().split('\n', 1)
  const points = Array.from(line.slice(0, maxExcerpt * 2))
  return points.length <= maxExcerpt ? line : `${points.slice(0, maxExcerpt - 1).join('')}…`
}
