/**
 * Links that a change breaks: those that are broken after it and were not before, in the texts that it changes and in those
 * that lead to what it changes. The cost follows the change, unless it is so large that all links are checked.
 */
import type { Hash, PageId } from '../../core/ids.js'
import { cacheKind } from '../../store/cache/kinds.js'
import { latestContentId } from '../content/expansion.js'
import type { ContentContext } from '../content/content.js'
import { checkLinks } from './check-links.js'
import type { LinkRequestContext } from './cross-space-links.js'
import { findBroken } from './list.js'
import { type LinkTable, getDifferingTables } from './table.js'

/** A broken link in a text: a page, or a reusable content. */
export interface BrokenLink {
  readonly page?: PageId
  /** Path of the text, and the title of a reusable content. */
  readonly file: string
  readonly title?: string
  /** Hash of the text; absent for a link page. */
  readonly text?: Hash
  /** As it is written. */
  readonly url: string
}

interface DifferingTables {
  readonly before: LinkTable
  readonly after: LinkTable
}

/** Approximate bytes of a row of a table. */
const rowWeight = 500
const tablesKind = cacheKind<DifferingTables>(
  'links of a change',
  ({ before, after }) => (before.rows.length + after.rows.length) * rowWeight,
)

/** Returns the links that are broken in the later content and were not in the earlier one, by text. */
export async function findLinksBrokenBy(
  context: LinkRequestContext,
  before: ContentContext,
  after: ContentContext,
): Promise<BrokenLink[]> {
  const { services } = context
  const tables = await cachedTables(before, after, context)
  const selected = await findBroken(context, { before, after }, tables)
  const rows = [...new Set(selected.map(({ row }) => row))]
  const links = await checkLinks(after, services, rows, (all) => all.map(({ item }) => item.url))
  const urlsOf = new Map(rows.map((row, at) => [row, links[at]!]))
  return selected.map(({ row, at }) => ({
    ...('page' in row.source && { page: row.source.page }),
    ...(row.title !== undefined && { title: row.title }),
    file: row.file,
    ...(typeof row.text === 'string' && { text: row.text }),
    url: urlsOf.get(row)![at]!,
  }))
}

/** Their keys contain the versions of specifications, of which computed pages are generated. */
async function cachedTables(
  before: ContentContext,
  after: ContentContext,
  { services }: LinkRequestContext,
): Promise<DifferingTables> {
  const { caches, database } = services
  const source = { db: database.read, services, organizationId: after.organizationId }
  const ids = [await latestContentId(source, before.revision), await latestContentId(source, after.revision)]
  const key = `${after.spaceId}${ids.join(' ')}`
  const known = caches.find(tablesKind, key)
  if (known !== undefined) return known
  const tables = await getDifferingTables(before, after, services)
  caches.put(tablesKind, key, tables)
  return tables
}
