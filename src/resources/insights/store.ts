/** Tables of page feedback and page views. */
import { sql } from 'kysely'
import type { PageId, SpaceId } from '../../core/ids.js'
import type { Rating } from '../../contract/site-insights.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row } from '../../store/db/tables.js'
import type { SiteKey } from '../sites/structure-store.js'

export type FeedbackRow = Row<'page_feedback'>

/** Ratings stored per page: beyond them no one reads each, and their shares hardly change. */
export const maxRatingsPerPage = 10_000

/** Lists the feedback on the pages of a site, the latest first. */
export function listFeedback(
  db: Db,
  { organization_id: organizationId, id }: SiteKey,
  {
    page,
    limit,
    rating,
    commented,
  }: PageRequest & { readonly rating?: Rating | undefined; readonly commented?: boolean | undefined },
): Promise<ListPage<FeedbackRow>> {
  let query = db
    .selectFrom('page_feedback')
    .selectAll()
    .where('page_feedback.organization_id', '=', organizationId)
    .where('page_feedback.site_id', '=', id)
  if (rating !== undefined) query = query.where('page_feedback.rating', '=', rating)
  if (commented === true) query = query.where('page_feedback.comment', 'is not', null)
  if (commented === false) query = query.where('page_feedback.comment', 'is', null)
  return listPage(db, query, {
    page,
    limit,
    order: [{ column: 'page_feedback.created_at', type: 'integer', direction: 'desc' }],
    id: 'page_feedback.id',
  })
}

/** Stores a reader's feedback on a page, replacing their previous one; ignored on a page at the limit. */
export async function putFeedback(tx: Tx, row: NewRow<'page_feedback'>): Promise<void> {
  const { rating, comment, created_at } = row
  const ofPage = tx
    .selectFrom('page_feedback')
    .where('organization_id', '=', row.organization_id)
    .where('site_id', '=', row.site_id)
    .where('space_id', '=', row.space_id)
    .where('page_id', '=', row.page_id)
  const [known, one] = [
    await tx
      .selectFrom('page_feedback')
      .select('id')
      .where('organization_id', '=', row.organization_id)
      .where('id', '=', row.id)
      .executeTakeFirst(),
    await ofPage
      .select('id')
      .offset(maxRatingsPerPage - 1)
      .limit(1)
      .executeTakeFirst(),
  ]
  if (known === undefined && one !== undefined) return
  await tx
    .insertInto('page_feedback')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'id']).doUpdateSet({ rating, comment, created_at }),
    )
    .execute()
}

/** Views of a page on a day, to be added to the stored ones. */
export type AddedViews = NewRow<'page_views'>

/** Adds views of pages of one organization's existing sites, and deletes those before `oldest`. */
export async function addViews(tx: Tx, added: readonly AddedViews[], oldest: number): Promise<void> {
  const organizationId = added[0]!.organization_id
  const sites = await tx
    .selectFrom('sites')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...new Set(added.map(({ site_id }) => site_id))])
    .execute()
  const existing = new Set(sites.map(({ id }) => id))
  const rows = added.filter(({ site_id }) => existing.has(site_id))
  if (rows.length === 0) return
  await tx
    .insertInto('page_views')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'site_id', 'day', 'space_id', 'page_id'])
        .doUpdateSet({ views: sql`page_views.views + excluded.views` }),
    )
    .execute()
  await tx
    .deleteFrom('page_views')
    .where('organization_id', '=', organizationId)
    .where('site_id', 'in', [...existing])
    .where('day', '<', oldest)
    .execute()
}

export interface PageFigures {
  readonly space_id: SpaceId
  readonly page_id: PageId
  readonly views: number
  readonly good: number
  readonly ok: number
  readonly bad: number
}

/** Lists the pages of a site that were read or rated in a span of days, both ends included, the most read first. */
export function listFigures(
  db: Db,
  { organization_id: organizationId, id }: SiteKey,
  { first, last, ...request }: PageRequest & { readonly first: number; readonly last: number },
): Promise<ListPage<PageFigures>> {
  const none = sql<number>`0`
  const views = db
    .selectFrom('page_views')
    .select(['space_id', 'page_id', 'views', none.as('good'), none.as('ok'), none.as('bad')])
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', id)
    .where('day', '>=', first)
    .where('day', '<=', last)
  const is = (rating: Rating) => sql<number>`case when rating = ${rating} then 1 else 0 end`
  const rated = db
    .selectFrom('page_feedback')
    .select(['space_id', 'page_id', none.as('views')])
    .select([is('good').as('good'), is('ok').as('ok'), is('bad').as('bad')])
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', id)
    .where('created_at', '>=', first * millisPerDay)
    .where('created_at', '<', (last + 1) * millisPerDay)
  const sum = (column: string) => sql<number>`cast(sum(${sql.ref(column)}) as bigint)`
  const pages = db
    .selectFrom(views.unionAll(rated).as('counted'))
    .select(['space_id', 'page_id', sql<string>`space_id || ' ' || page_id`.as('name')])
    .select([sum('views').as('views'), sum('good').as('good'), sum('ok').as('ok'), sum('bad').as('bad')])
    .groupBy(['space_id', 'page_id'])
  return listPage(db, db.selectFrom(pages.as('pages')).selectAll(), {
    ...request,
    order: [{ column: 'pages.views', type: 'integer', direction: 'desc' }],
    id: 'pages.name',
  })
}

export const millisPerDay = 24 * 60 * 60 * 1000
