/** The links of a whole content, and in a change request those that it breaks and those that it mends. */
import type { PageId } from '../../core/ids.js'
import type { BrokenContext, LinkReference, LinkStats, LinkStatus } from '../../contract/links.js'
import type { ContentHere } from '../content/content.js'
import { cutPage, encodeCursor, resumeList } from './cursor.js'
import { type Asking, type FoundElsewhere, judgeElsewhere, nameElsewhere } from './elsewhere.js'
import { judgeLinks } from './judge.js'
import { type ShownPlace, showLinks } from './show.js'
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

/** The rows of a content, as they are for one who asks. */
export interface Standing {
  readonly rows: readonly StandingRow[]
  readonly found: ReadonlyMap<string, FoundElsewhere>
  /** The names of broken links, by the text that they stand in. */
  readonly broken: ReadonlyMap<string, ReadonlySet<string>>
}

interface StandingRow {
  readonly row: LinkRow
  readonly statuses: readonly LinkStatus[]
  /** The names of the broken ones, in their order. */
  readonly broken: readonly string[]
}

/** `before` is what the content of a change request began with. */
export async function listLinks(
  asking: Asking,
  place: ShownPlace,
  query: LinkQuery,
  before?: ContentHere,
): Promise<LinkList> {
  const { services } = asking
  const given = before === undefined ? [place.content] : [place.content, before]
  const { contents, after } = await resumeList(query.page, given, services)
  const [content, base] = contents as [ContentHere, ContentHere | undefined]
  const now = await standingOf(asking, content, await getLinkTable(content, services))
  const then = base && (await standingOf(asking, base, await getLinkTable(base, services)))
  // What is mended is shown as it was.
  const wasBroken = query.brokenContext === 'mended' ? then : undefined
  const matching = filterLinks(wasBroken ?? now, wasBroken ? now : then, query)
  const { items, last } = cutPage(matching, after, query.limit)
  const there = wasBroken ? { space: place.space, content: base! } : { ...place, content }
  return {
    ...(last !== undefined && { next: { page: encodeCursor(contents, last) } }),
    count: matching.length,
    stats: countLinks(now, then),
    items: await show(asking, there, (wasBroken ?? now).found, items),
  }
}

/** Returns what is true of the rows for who asks. */
export async function standingOf(
  asking: Asking,
  content: ContentHere,
  { rows }: LinkTable,
): Promise<Standing> {
  const found = await judgeElsewhere(
    asking,
    content,
    rows.flatMap(({ elsewhere }) => elsewhere),
  )
  const standing = rows.map((row) => standRow(row, found))
  const broken = new Map<string, ReadonlySet<string>>()
  for (const { row, broken: names } of standing)
    if (names.length > 0) broken.set(nameOfText(row), new Set(names))
  return { rows: standing, found, broken }
}

/** Puts what was found elsewhere between what is true for everybody. */
function standRow(row: LinkRow, found: Standing['found']): StandingRow {
  if (row.elsewhere.length === 0) return { row, statuses: row.codes as LinkStatus[], broken: row.broken }
  const [statuses, broken] = [[] as LinkStatus[], [] as string[]]
  let [own, others] = [0, 0]
  for (const code of row.codes) {
    if (code !== 'elsewhere') {
      statuses.push(code)
      if (code === 'broken') broken.push(row.broken[own++]!)
      continue
    }
    const named = row.elsewhere[others++]!
    const { status } = found.get(nameElsewhere(named))!
    statuses.push(status)
    if (status === 'broken') broken.push(named.name)
  }
  return { row, statuses, broken }
}

/** What a text is called in every revision. */
function nameOfText({ source, id }: Pick<LinkRow, 'source' | 'id'>): string {
  return 'page' in source ? source.page : `/${id}`
}

interface Chosen {
  readonly place: string
  readonly at: number
  readonly row: LinkRow
  readonly status: LinkStatus
}

/** Returns the links of the list that are asked for; `other` is what they are compared with. */
function filterLinks(
  { rows }: Standing,
  other: Standing | undefined,
  { status, brokenContext }: Pick<LinkQuery, 'status' | 'brokenContext'>,
): Chosen[] {
  const chosen: Chosen[] = []
  for (const { row, statuses, broken } of rows) {
    const others = brokenContext && other?.broken.get(nameOfText(row))
    let nth = -1
    for (const [at, is] of statuses.entries()) {
      if (is === 'broken') nth += 1
      if (status !== undefined && is !== status) continue
      if (brokenContext !== undefined) {
        const isInOther = is === 'broken' && (others?.has(broken[nth]!) ?? false)
        if (is !== 'broken' || isInOther !== (brokenContext === 'space')) continue
      }
      chosen.push({ place: row.place, at, row, status: is })
    }
  }
  return chosen
}

export function countLinks(now: Standing, then: Standing | undefined): LinkStats {
  const total = now.rows.reduce((sum, { statuses }) => sum + statuses.length, 0)
  const broken = countNames(now.broken)
  if (then === undefined) return { total, broken: { total: broken } }
  return {
    total,
    broken: { total: broken, changeRequest: countNames(now.broken, then.broken) },
    mended: countNames(then.broken, now.broken),
  }
}

/** How many names there are that the others have not. */
function countNames(names: Standing['broken'], others?: Standing['broken']): number {
  let count = 0
  for (const [text, ofText] of names) {
    const known = others?.get(text)
    for (const name of ofText) if (!known?.has(name)) count += 1
  }
  return count
}

async function show(
  asking: Asking,
  place: ShownPlace,
  found: Standing['found'],
  chosen: readonly Chosen[],
): Promise<LinkReference[]> {
  const rows = [...new Set(chosen.map(({ row }) => row))]
  const judged = await judgeLinks(place.content, asking.services, rows)
  const linksOf = new Map(rows.map((row, index) => [row, judged[index]!]))
  const links = chosen.map(({ row, at, status }) => ({ linking: row, link: linksOf.get(row)![at]!, status }))
  return showLinks(asking, place, found, links)
}

/** The links of one page; in a change request with what it breaks and mends there. */
export async function listLinksOfPage(
  asking: Asking,
  place: ShownPlace,
  page: PageId,
  query: LinkQuery,
  before?: ContentHere,
): Promise<LinkList> {
  const given = before === undefined ? [place.content] : [place.content, before]
  const { contents, after } = await resumeList(query.page, given, asking.services)
  const [content, base] = contents as [ContentHere, ContentHere | undefined]
  const now = await standingOf(asking, content, await tableOfPage(content, asking.services, page))
  const then = base && (await standingOf(asking, base, await tableOfPage(base, asking.services, page)))
  const matching = filterLinks(now, undefined, query)
  const { items, last } = cutPage(matching, after, query.limit)
  return {
    ...(last !== undefined && { next: { page: encodeCursor(contents, last) } }),
    count: matching.length,
    stats: countLinks(now, then),
    items: await show(asking, { ...place, content }, now.found, items),
  }
}
