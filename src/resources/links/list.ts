/** The links of a whole content, and in a change request those that it breaks and those that it mends. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageId } from '../../core/ids.js'
import type { BrokenContext, LinkReference, LinkStats, LinkStatus } from '../../contract/links.js'
import type { ContentHere } from '../content/content.js'
import { type Reached, encodeCursor, isBehind, resumeList } from './cursor.js'
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
  readonly rows: readonly LinkRow[]
  readonly found: ReadonlyMap<string, FoundElsewhere>
  of(row: LinkRow): RowStanding
  /** The names of broken links, by the text that they stand in. */
  readonly broken: ReadonlyMap<string, ReadonlySet<string>>
}

interface RowStanding {
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
  // Both look at every link of the space: others have their turn in between.
  await nextTurn()
  // What is mended is shown as it was.
  const wasBroken = query.brokenContext === 'mended' ? then : undefined
  const { count, items, last } = selectLinks(wasBroken ?? now, wasBroken ? now : then, query, after)
  const there = wasBroken ? { space: place.space, content: base! } : { ...place, content }
  return {
    ...(last !== undefined && { next: { page: encodeCursor(contents, last) } }),
    count,
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
  const withElsewhere = new Map(
    rows.flatMap((row) => (row.elsewhere.length > 0 ? [[row, standRow(row, found)] as const] : [])),
  )
  // What is true for everybody stands in the row.
  const of = (row: LinkRow) =>
    withElsewhere.get(row) ?? { statuses: row.codes as readonly LinkStatus[], broken: row.broken }
  const broken = new Map<string, ReadonlySet<string>>()
  for (const row of rows) {
    const names = of(row).broken
    if (names.length > 0) broken.set(nameOfText(row), new Set(names))
  }
  return { rows, found, of, broken }
}

/** Puts what was found elsewhere between what is true for everybody. */
function standRow(row: LinkRow, found: Standing['found']): RowStanding {
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
  return { statuses, broken }
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

/** Returns how many links match, and those of one page of the list; `other` is what they are compared with. */
function selectLinks(
  { rows, of }: Standing,
  other: Standing | undefined,
  { status, brokenContext, limit }: LinkQuery,
  after: Reached | undefined,
): { count: number; items: readonly Chosen[]; last: Chosen | undefined } {
  let count = 0
  const found: Chosen[] = []
  for (const row of rows) {
    const { statuses, broken } = of(row)
    const others = brokenContext && other?.broken.get(nameOfText(row))
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
      // Thousands match of which a few are shown.
      if (found.length > limit || (after !== undefined && !isBehind(row.place, at, after))) continue
      found.push({ place: row.place, at, row, status: is })
    }
  }
  const items = found.slice(0, limit)
  return { count, items, last: found.length > limit ? items.at(-1) : undefined }
}

export function countLinks(now: Standing, then: Standing | undefined): LinkStats {
  const total = now.rows.reduce((sum, { codes }) => sum + codes.length, 0)
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
  const judged = await judgeLinks(place.content, asking.services, rows, (links) => links)
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
  const { count, items, last } = selectLinks(now, undefined, query, after)
  return {
    ...(last !== undefined && { next: { page: encodeCursor(contents, last) } }),
    count,
    stats: countLinks(now, then),
    items: await show(asking, { ...place, content }, now.found, items),
  }
}
