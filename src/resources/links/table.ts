/**
 * What is true of all links of a revision: a row for each text, kept under the revision. The table of a revision is made
 * from that of an earlier one where there is one, at a cost that follows the difference; it says nothing of what only
 * those who ask can be told.
 */
import type { PageId, RevisionId } from '../../core/ids.js'
import { type Resolved } from '../../core/links/resolve.js'
import { getMany, range } from '../../core/merkle/map.js'
import { inPieces, pause, together } from '../../core/merkle/steps.js'
import type { Step } from '../../core/merkle/types.js'
import type { LinkSource } from '../../core/pages/keys.js'
import { nameItem } from '../../core/pages/link-items.js'
import { compareForLinks, findTouched, placeOfRow, type Rewritten } from '../../core/pages/link-touch.js'
import { joinPath } from '../../core/pages/paths.js'
import { findPages } from '../../core/pages/read.js'
import type { NameEntry, PageRecord, Snapshot } from '../../core/pages/types.js'
import type { TextLinks } from '../../core/links/text-links.js'
import type { Services } from '../../access/route/scope.js'
import type { Caches } from '../../store/cache/caches.js'
import { kindOf } from '../../store/cache/kinds.js'
import { type PendingObjects, run } from '../../store/content/objects.js'
import { shownId } from '../content/computed.js'
import { type ContentHere, findContent, shownContent } from '../content/content.js'
import { type JudgedLink, type LinkCode, type Linking, judgeLinks } from './judge.js'
import { readLinks } from './read-links.js'

export interface LinkTable {
  /** In the order of their places. */
  readonly rows: readonly LinkRow[]
}

export interface LinkRow extends Linking {
  /** Of its links, in the order of the text. */
  readonly codes: readonly LinkCode[]
  /** The names of those that are broken. */
  readonly broken: readonly string[]
  readonly elsewhere: readonly Elsewhere[]
}

/** A link that leads to a page by the id of its space. */
export interface Elsewhere extends Pick<Resolved & { kind: 'space' }, 'space' | 'path'> {
  readonly fragment: string | undefined
  /** Among the links of its text. */
  readonly at: number
  readonly name: string
}

const rowWeight = 300
const tableKind = kindOf<LinkTable>('links', ({ rows }) =>
  rows.reduce((sum, { codes, broken, elsewhere }) => {
    return sum + rowWeight + codes.length * 8 + broken.length * 100 + elsewhere.length * 200
  }, 0),
)

/** Revisions above one whose tables are looked for. */
const mostGenerations = 16

const making = new WeakMap<Caches, Map<string, Promise<LinkTable>>>()

/** Returns the table of the content; those who wait for the same share one. */
export async function getLinkTable(content: ContentHere, services: Services): Promise<LinkTable> {
  const { caches } = services
  const key = await keyOf(content, services)
  const known = caches.find(tableKind, key)
  if (known !== undefined) return known
  const shared = making.get(caches) ?? new Map<string, Promise<LinkTable>>()
  making.set(caches, shared)
  const made =
    shared.get(key) ??
    makeTable(content, services)
      .then((table) => {
        caches.keep(tableKind, key, table)
        return table
      })
      .finally(() => shared.delete(key))
  shared.set(key, made)
  return made
}

/** What is true of links follows from the pages that are made of specifications, too. */
async function keyOf(content: ContentHere, services: Services): Promise<string> {
  return `${content.spaceId}${await shownId(placeOf(content, services), content.revision)}`
}

function placeOf(content: ContentHere, services: Services) {
  return { ...content, db: services.database.read, services }
}

/** Returns the same of one page alone, which is looked at each time. */
export async function tableOfPage(
  content: ContentHere,
  services: Services,
  page: PageId,
): Promise<LinkTable> {
  const linking = await content.run(findLinking(content.revision.snapshot, [], [{ page }]))
  return { rows: await makeRows(content, services, linking) }
}

async function makeTable(content: ContentHere, services: Services): Promise<LinkTable> {
  const earlier = await findEarlier(content, services)
  return (earlier && (await carryOver(content, services, earlier))) ?? (await readAll(content, services))
}

interface Earlier {
  readonly table: LinkTable
  readonly content: ContentHere
}

/** The nearest revision above whose table is kept. */
async function findEarlier(content: ContentHere, services: Services): Promise<Earlier | undefined> {
  const { organizationId, spaceId } = content
  const place = { db: services.database.read, services, organizationId, spaceId }
  let ids = content.revision.parents
  for (let generation = 0; generation < mostGenerations && ids.length > 0; generation += 1) {
    const next: RevisionId[] = []
    for (const id of ids.slice(0, mostGenerations)) {
      const above = await findContent(place, id)
      if (above === undefined) continue
      const table = services.caches.find(tableKind, await keyOf(above, services))
      if (table !== undefined) return { table, content: above }
      next.push(...above.revision.parents)
    }
    ids = [...new Set(next)]
  }
  return undefined
}

async function readAll(content: ContentHere, services: Services): Promise<LinkTable> {
  const linking = await content.run(listLinking(content.revision.snapshot))
  return { rows: await makeRows(content, services, linking) }
}

/** The table of the content by an earlier one, undefined where everything has to be looked at. */
async function carryOver(
  content: ContentHere,
  services: Services,
  { table, content: before }: Earlier,
): Promise<LinkTable | undefined> {
  const { snapshot } = content.revision
  const was = await shownContent(placeOf(before, services), before)
  const is = await shownContent(placeOf(content, services), content)
  const both = { ...is, pending: joinPending(was.pending, is.pending) }
  const touch = await run(compareForLinks(was.revision.snapshot, is.revision.snapshot), {
    db: services.database.read,
    organizationId: content.organizationId,
    cache: services.objects,
    pending: both.pending,
  })
  if (touch === undefined) return undefined
  const { rewritten } = touch
  const said = await readLinks(
    both,
    services,
    rewritten.flatMap(({ before: was, after: is }) => [was, is]),
  )
  const isReshaped = ({ before: was, after: is }: Rewritten) =>
    shapeOf(said.get(was)!) !== shapeOf(said.get(is)!)
  const sources = await is.run(findTouched(is.revision.snapshot, touch, rewritten.filter(isReshaped)))
  const changed = await content.run(findLinking(snapshot, touch.places, sources))
  const gone = new Set([...touch.places, ...changed.map(({ place }) => place)])
  const rows = await makeRows(content, services, changed)
  return {
    rows: [...table.rows.filter(({ place }) => !gone.has(place)), ...rows].toSorted((a, b) =>
      a.place < b.place ? -1 : 1,
    ),
  }
}

function joinPending(one?: PendingObjects, other?: PendingObjects): PendingObjects {
  return {
    findNode: (hash) => one?.findNode(hash) ?? other?.findNode(hash),
    findText: (hash) => one?.findText(hash) ?? other?.findText(hash),
  }
}

/** What decides which fragments lead into a text. */
function shapeOf({ references, anchors }: TextLinks): string {
  const others = references.flatMap(({ kind, url }) =>
    kind === 'reusable-content' || kind === 'openapi' ? [`${kind} ${url}`] : [],
  )
  return JSON.stringify([anchors, others])
}

async function makeRows(
  content: ContentHere,
  services: Services,
  linking: readonly Linking[],
): Promise<LinkRow[]> {
  const rows = await judgeLinks(content, services, linking, (links, one) => ({ ...one, ...rowOf(links) }))
  return rows.filter(({ codes }) => codes.length > 0)
}

export function rowOf(links: readonly JudgedLink[]): Omit<LinkRow, keyof Linking> {
  const codes: LinkCode[] = []
  const broken: string[] = []
  const elsewhere: Elsewhere[] = []
  for (const [at, { code, item }] of links.entries()) {
    codes.push(code)
    if (code === 'broken') broken.push(nameItem(item))
    if (code !== 'elsewhere' || item.reading.kind !== 'space') continue
    const { space, path, fragment } = item.reading
    elsewhere.push({ at, name: nameItem(item), space, path, fragment })
  }
  return { codes, broken, elsewhere }
}

/** Answers every text of a snapshot that may have links, in the order of their places. */
export function* listLinking(snapshot: Snapshot): Step<Linking[]> {
  const [names, pages] = yield* together(range(snapshot.names), range(snapshot.pages))
  yield* pause()
  const byId = new Map<string, PageRecord>()
  const found: Linking[] = []
  yield* inPieces(pages, ([id, value]) => {
    const page = value as unknown as PageRecord
    byId.set(id, page)
    if (page.type === 'link') found.push(...linkingOfPage(page, snapshot))
  })
  yield* inPieces(names, ([path, value]) => {
    const entry = value as unknown as NameEntry
    if ('text' in entry) found.push(...linkingOfText(path, entry))
    else if ('page' in entry) found.push(...linkingOfPage(byId.get(entry.page), snapshot))
  })
  return found.toSorted((a, b) => (a.place < b.place ? -1 : 1))
}

/** Answers the texts at these places and those of these sources, each once. */
export function* findLinking(
  snapshot: Snapshot,
  places: Iterable<string>,
  sources: readonly LinkSource[],
): Step<Linking[]> {
  const found = new Map<string, Linking>()
  const paths = new Set([...places].filter((place) => !place.startsWith('/')))
  const ids = new Set([...places].flatMap((place) => (place.startsWith('/') ? [place.slice(1)] : [])))
  for (const source of sources) {
    if ('page' in source) ids.add(source.page)
    else paths.add(source.text)
  }
  const entries = yield* findEntries(snapshot, [...paths])
  for (const [path, entry] of entries) {
    if ('page' in entry) ids.add(entry.page)
    else if ('text' in entry) for (const one of linkingOfText(path, entry)) found.set(one.place, one)
  }
  for (const page of yield* findPages(snapshot, [...ids] as PageId[]))
    for (const one of linkingOfPage(page, snapshot)) found.set(one.place, one)
  return [...found.values()].toSorted((a, b) => (a.place < b.place ? -1 : 1))
}

function* findEntries(snapshot: Snapshot, paths: readonly string[]): Step<[string, NameEntry][]> {
  const entries = yield* getMany(snapshot.names, paths)
  return paths.flatMap((path, at): [string, NameEntry][] =>
    entries[at] === undefined ? [] : [[path, entries[at] as unknown as NameEntry]],
  )
}

/** Readers see reusable contents; other texts that are no pages are seen by nobody. */
function linkingOfText(path: string, entry: Extract<NameEntry, { readonly text: unknown }>): Linking[] {
  return entry.id === undefined
    ? []
    : [{ place: path, source: { text: path }, id: entry.id, file: path, text: entry.text }]
}

function linkingOfPage(page: PageRecord | undefined, { config }: Snapshot): Linking[] {
  if (page?.type === 'link') {
    const file = joinPath(config.root, config.summary)
    return [{ place: placeOfRow(page.id, page), source: { page: page.id }, file, text: { url: page.url } }]
  }
  if (page?.type !== 'document' || page.text === undefined) return []
  return [{ place: page.file, source: { page: page.id }, file: page.file, text: page.text }]
}
