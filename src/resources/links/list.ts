/** Lists the links of a content, and for a change request those that it breaks and mends. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageId } from '../../core/ids.js'
import type { BrokenContext, LinkReference, LinkStats, LinkStatus } from '../../contract/links.js'
import type { ContentContext } from '../content/content.js'
import { type ListPosition, encodeCursor, isAfter, resumeList } from './cursor.js'
import {
  type LinkRequestContext,
  type CrossSpaceTarget,
  checkCrossSpaceLinks,
  crossSpaceKey,
} from './cross-space-links.js'
import { checkLinks } from './check-links.js'
import { type LinkedContent, showLinks } from './show.js'
import { type LinkRow, type LinkTable, getLinkTable, tableOfPage } from './table.js'

export interface LinkQuery {
  readonly page?: string
  readonly limit: number
  readonly status?: LinkStatus
  readonly brokenContext?: BrokenContext
}

export interface LinkList {
  next?: { page: string }
  count: number
  stats: LinkStats
  items: LinkReference[]
}

/** The rows of a content with the statuses for one actor. */
export interface LinkStatuses {
  readonly rows: readonly LinkRow[]
  readonly found: ReadonlyMap<string, CrossSpaceTarget>
  of(row: LinkRow): RowStatuses
  /** The names of broken links, by text. */
  readonly broken: ReadonlyMap<string, ReadonlySet<string>>
}

interface RowStatuses {
  readonly statuses: readonly LinkStatus[]
  /** The names of broken links, in order. */
  readonly broken: readonly string[]
}

/** Lists one page of links; `before` is the base content of a change request. */
export async function listLinks(
  context: LinkRequestContext,
  linked: LinkedContent,
  query: LinkQuery,
  before?: ContentContext,
): Promise<LinkList> {
  const { services } = context
  const initial = before === undefined ? [linked.content] : [linked.content, before]
  const { contents, after } = await resumeList(query.page, initial, services)
  const [content, base] = contents as [ContentContext, ContentContext | undefined]
  const now = await statusesOf(context, content, await getLinkTable(content, services))
  const then = base && (await statusesOf(context, base, await getLinkTable(base, services)))
  // Both visit every link of the space: yield to the event loop in between.
  await nextTurn()
  // A mended link is listed as of the base.
  const wasBroken = query.brokenContext === 'mended' ? then : undefined
  const { count, items, last } = selectLinks(wasBroken ?? now, wasBroken ? now : then, query, after)
  const subject = wasBroken ? { space: linked.space, content: base! } : { ...linked, content }
  return {
    ...(last !== undefined && { next: { page: encodeCursor(contents, last) } }),
    count,
    stats: countLinks(now, then),
    items: await show(context, subject, (wasBroken ?? now).found, items),
  }
}

/** Returns the links that are broken after a change and were not before, in the order of their texts. */
export async function findBroken(
  context: LinkRequestContext,
  contents: { readonly before: ContentContext; readonly after: ContentContext },
  tables: { readonly before: LinkTable; readonly after: LinkTable },
): Promise<readonly Pick<SelectedLink, 'row' | 'at'>[]> {
  const now = await statusesOf(context, contents.after, tables.after)
  const then = await statusesOf(context, contents.before, tables.before)
  const query = { brokenContext: 'change-request', limit: Infinity } as const
  return selectLinks(now, then, query, undefined).items
}

/** Returns the statuses of the rows for the actor. */
export async function statusesOf(
  context: LinkRequestContext,
  content: ContentContext,
  { rows }: LinkTable,
): Promise<LinkStatuses> {
  const found = await checkCrossSpaceLinks(
    context,
    content,
    rows.flatMap(({ crossSpaceLinks }) => crossSpaceLinks),
  )
  const withCrossSpaceLinks = new Map(
    rows.flatMap((row) =>
      row.crossSpaceLinks.length > 0 ? [[row, rowStatusesOf(row, found)] as const] : [],
    ),
  )
  // Statuses that do not depend on the actor are in the row.
  const of = (row: LinkRow) =>
    withCrossSpaceLinks.get(row) ?? { statuses: row.codes as readonly LinkStatus[], broken: row.broken }
  const broken = new Map<string, ReadonlySet<string>>()
  for (const row of rows) {
    const names = of(row).broken
    if (names.length > 0) broken.set(textKey(row), new Set(names))
  }
  return { rows, found, of, broken }
}

/** Merges the statuses of cross-space links into those of the row. */
function rowStatusesOf(row: LinkRow, found: LinkStatuses['found']): RowStatuses {
  const [statuses, broken] = [[] as LinkStatus[], [] as string[]]
  let [own, others] = [0, 0]
  for (const code of row.codes) {
    if (code !== 'cross-space') {
      statuses.push(code)
      if (code === 'broken') broken.push(row.broken[own++]!)
      continue
    }
    const named = row.crossSpaceLinks[others++]!
    const { status } = found.get(crossSpaceKey(named))!
    statuses.push(status)
    if (status === 'broken') broken.push(named.name)
  }
  return { statuses, broken }
}

/** Returns the key of a text, which is the same in every revision. */
function textKey({ source, id }: Pick<LinkRow, 'source' | 'id'>): string {
  return 'page' in source ? source.page : `/${id}`
}

interface SelectedLink {
  readonly place: string
  readonly at: number
  readonly row: LinkRow
  readonly status: LinkStatus
}

/** Returns the number of matching links, and those of one page of the list; `other` is compared with. */
function selectLinks(
  { rows, of }: LinkStatuses,
  other: LinkStatuses | undefined,
  { status, brokenContext, limit }: LinkQuery,
  after: ListPosition | undefined,
): { count: number; items: readonly SelectedLink[]; last: SelectedLink | undefined } {
  let count = 0
  const found: SelectedLink[] = []
  for (const row of rows) {
    const { statuses, broken } = of(row)
    const others = brokenContext && other?.broken.get(textKey(row))
    let nth = -1
    for (let at = 0; at < statuses.length; at += 1) {
      const is = statuses[at]!
      if (is === 'broken') nth += 1
      if (status !== undefined && is !== status) continue
      if (brokenContext !== undefined) {
        const isInOther = is === 'broken' && (others?.has(broken[nth]!) ?? false)
        if (is !== 'broken' || isInOther !== (brokenContext === 'space')) continue
      }
      count += 1
      // Thousands may match of which few are listed.
      if (found.length > limit || (after !== undefined && !isAfter(row.place, at, after))) continue
      found.push({ place: row.place, at, row, status: is })
    }
  }
  const items = found.slice(0, limit)
  return { count, items, last: found.length > limit ? items.at(-1) : undefined }
}

export function countLinks(now: LinkStatuses, then: LinkStatuses | undefined): LinkStats {
  const total = now.rows.reduce((sum, { codes }) => sum + codes.length, 0)
  const broken = countNames(now.broken)
  if (then === undefined) return { total, broken: { total: broken } }
  return {
    total,
    broken: { total: broken, changeRequest: countNames(now.broken, then.broken) },
    mended: countNames(then.broken, now.broken),
  }
}

/** Returns the number of names that the others lack. */
function countNames(names: LinkStatuses['broken'], others?: LinkStatuses['broken']): number {
  let count = 0
  for (const [text, ofText] of names) {
    const known = others?.get(text)
    for (const name of ofText) if (!known?.has(name)) count += 1
  }
  return count
}

async function show(
  context: LinkRequestContext,
  linked: LinkedContent,
  found: LinkStatuses['found'],
  chosen: readonly SelectedLink[],
): Promise<LinkReference[]> {
  const rows = [...new Set(chosen.map(({ row }) => row))]
  const checked = await checkLinks(linked.content, context.services, rows, (links) => links)
  const linksOf = new Map(rows.map((row, index) => [row, checked[index]!]))
  const links = chosen.map(({ row, at, status }) => ({
    linkingText: row,
    link: linksOf.get(row)![at]!,
    status,
  }))
  return showLinks(context, linked, found, links)
}

/** Lists the links of one page; in a change request with counts of those it breaks and mends. */
export async function listLinksOfPage(
  context: LinkRequestContext,
  linked: LinkedContent,
  page: PageId,
  query: LinkQuery,
  before?: ContentContext,
): Promise<LinkList> {
  const initial = before === undefined ? [linked.content] : [linked.content, before]
  const { contents, after } = await resumeList(query.page, initial, context.services)
  const [content, base] = contents as [ContentContext, ContentContext | undefined]
  const now = await statusesOf(context, content, await tableOfPage(content, context.services, page))
  const then = base && (await statusesOf(context, base, await tableOfPage(base, context.services, page)))
  const { count, items, last } = selectLinks(now, undefined, query, after)
  return {
    ...(last !== undefined && { next: { page: encodeCursor(contents, last) } }),
    count,
    stats: countLinks(now, then),
    items: await show(context, { ...linked, content }, now.found, items),
  }
}
