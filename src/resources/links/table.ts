/**
 * Cached link table of a revision: one row per text with the status of its links. The table of a revision is derived from
 * that of an earlier one when it is cached, at a cost proportional to the difference. It does not contain the status of
 * cross-space links, which depends on the actor.
 */
import type { PageId, RevisionId } from '../../core/ids.js'
import { type Resolved } from '../../core/links/resolve.js'
import { getMany, range } from '../../core/merkle/map.js'
import { forEachWithPauses, pause, runTogether } from '../../core/merkle/steps.js'
import type { Step } from '../../core/merkle/types.js'
import type { LinkSource } from '../../core/pages/keys.js'
import { linkIdentity } from '../../core/pages/link-items.js'
import {
  diffForLinks,
  findAffected,
  linkRowLocation,
  type RewrittenText,
} from '../../core/pages/affected-links.js'
import { joinPath } from '../../core/pages/paths.js'
import { findPages } from '../../core/pages/read.js'
import type { NameEntry, PageRecord, Snapshot } from '../../core/pages/types.js'
import type { TextLinks } from '../../core/links/text-links.js'
import type { Services } from '../../access/route/scope.js'
import type { Caches } from '../../store/cache/caches.js'
import { cacheKind } from '../../store/cache/kinds.js'
import { type PendingObjects, run } from '../../store/content/objects.js'
import { latestContentId } from '../content/expansion.js'
import { type ContentContext, findContent, expandContent } from '../content/content.js'
import { type CheckedLink, type LinkCode, type LinkingText, checkLinks } from './check-links.js'
import { readLinks } from './read-links.js'

export interface LinkTable {
  /** Sorted by `place`. */
  readonly rows: readonly LinkRow[]
}

export interface LinkRow extends LinkingText {
  /** One per link, in the order of the text. */
  readonly codes: readonly LinkCode[]
  /** The names of broken links. */
  readonly broken: readonly string[]
  readonly crossSpaceLinks: readonly CrossSpaceLink[]
}

/** A link to a page by the id of its space. */
export interface CrossSpaceLink extends Pick<Resolved & { kind: 'space' }, 'space' | 'path'> {
  readonly fragment: string | undefined
  /** Index among the links of its text. */
  readonly at: number
  readonly name: string
}

const rowWeight = 300
const tableKind = cacheKind<LinkTable>('links', ({ rows }) =>
  rows.reduce((sum, { codes, broken, crossSpaceLinks }) => {
    return sum + rowWeight + codes.length * 8 + broken.length * 100 + crossSpaceLinks.length * 200
  }, 0),
)

/** Generations of ancestors whose tables are searched. */
const maxGenerations = 16

const tablesInProgress = new WeakMap<Caches, Map<string, Promise<LinkTable>>>()

/** Returns the table of the content; concurrent callers share one computation. */
export async function getLinkTable(content: ContentContext, services: Services): Promise<LinkTable> {
  const { caches } = services
  const key = await keyOf(content, services)
  const known = caches.find(tableKind, key)
  if (known !== undefined) return known
  const shared = tablesInProgress.get(caches) ?? new Map<string, Promise<LinkTable>>()
  tablesInProgress.set(caches, shared)
  const made =
    shared.get(key) ??
    makeTable(content, services)
      .then((table) => {
        caches.put(tableKind, key, table)
        return table
      })
      .finally(() => shared.delete(key))
  shared.set(key, made)
  return made
}

/** The cache key: computed pages are link targets, so it contains the expanded id. */
async function keyOf(content: ContentContext, services: Services): Promise<string> {
  return `${content.spaceId}${await latestContentId(placeOf(content, services), content.revision)}`
}

function placeOf(content: ContentContext, services: Services) {
  return { ...content, db: services.database.read, services }
}

/** Returns the table of one page, not cached. */
export async function tableOfPage(
  content: ContentContext,
  services: Services,
  page: PageId,
): Promise<LinkTable> {
  const texts = await content.run(findLinkingTexts(content.revision.snapshot, [], [{ page }]))
  return { rows: await makeRows(content, services, texts) }
}

async function makeTable(content: ContentContext, services: Services): Promise<LinkTable> {
  const earlier = await findEarlier(content, services)
  return (
    (earlier && (await updateTable(content, services, earlier))) ?? (await makeWholeTable(content, services))
  )
}

interface EarlierTable {
  readonly table: LinkTable
  readonly content: ContentContext
}

/** Returns the nearest ancestor whose table is cached. */
async function findEarlier(content: ContentContext, services: Services): Promise<EarlierTable | undefined> {
  const { organizationId, spaceId } = content
  const place = { db: services.database.read, services, organizationId, spaceId }
  let ids = content.revision.parents
  for (let generation = 0; generation < maxGenerations && ids.length > 0; generation += 1) {
    const next: RevisionId[] = []
    for (const id of ids.slice(0, maxGenerations)) {
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

async function makeWholeTable(content: ContentContext, services: Services): Promise<LinkTable> {
  const texts = await content.run(listLinkingTexts(content.revision.snapshot))
  return { rows: await makeRows(content, services, texts) }
}

/** Returns the table derived from an earlier one, undefined when all links have to be checked. */
async function updateTable(
  content: ContentContext,
  services: Services,
  { table, content: before }: EarlierTable,
): Promise<LinkTable | undefined> {
  const affected = await findAffectedTexts(before, content, services)
  if (affected === undefined) return undefined
  const { snapshot } = content.revision
  const changed = await content.run(findLinkingTexts(snapshot, affected.locations, affected.sources))
  const gone = new Set([...affected.locations, ...changed.map(({ place }) => place)])
  const rows = await makeRows(content, services, changed)
  return {
    rows: [...table.rows.filter(({ place }) => !gone.has(place)), ...rows].toSorted((a, b) =>
      a.place < b.place ? -1 : 1,
    ),
  }
}

/**
 * Returns the tables of the texts alone whose links may differ between two contents; whole tables where the difference is
 * so large that all links have to be checked.
 */
export async function getDifferingTables(
  before: ContentContext,
  after: ContentContext,
  services: Services,
): Promise<{ readonly before: LinkTable; readonly after: LinkTable }> {
  const affected = await findAffectedTexts(before, after, services)
  if (affected === undefined)
    return { before: await getLinkTable(before, services), after: await getLinkTable(after, services) }
  const tableOf = async (content: ContentContext): Promise<LinkTable> => {
    const { locations, sources } = affected
    const texts = await content.run(findLinkingTexts(content.revision.snapshot, locations, sources))
    return { rows: await makeRows(content, services, texts) }
  }
  return { before: await tableOf(before), after: await tableOf(after) }
}

interface AffectedTexts {
  readonly locations: ReadonlySet<string>
  readonly sources: readonly LinkSource[]
}

/** Returns the texts whose links may differ; undefined where that may be any. */
async function findAffectedTexts(
  before: ContentContext,
  after: ContentContext,
  services: Services,
): Promise<AffectedTexts | undefined> {
  const was = await expandContent(placeOf(before, services), before)
  const is = await expandContent(placeOf(after, services), after)
  const both = { ...is, pending: joinPending(was.pending, is.pending) }
  const touch = await run(diffForLinks(was.revision.snapshot, is.revision.snapshot), {
    db: services.database.read,
    organizationId: after.organizationId,
    cache: services.objects,
    pending: both.pending,
  })
  if (touch === undefined) return undefined
  const { rewritten, locations } = touch
  const textLinks = await readLinks(
    both,
    services,
    rewritten.flatMap(({ before: text, after: current }) => [text, current]),
  )
  const hasNewShape = ({ before: text, after: current }: RewrittenText) =>
    shapeOf(textLinks.get(text)!) !== shapeOf(textLinks.get(current)!)
  const sources = await is.run(findAffected(is.revision.snapshot, touch, rewritten.filter(hasNewShape)))
  return { locations, sources }
}

function joinPending(one?: PendingObjects, other?: PendingObjects): PendingObjects {
  return {
    findNode: (hash) => one?.findNode(hash) ?? other?.findNode(hash),
    findText: (hash) => one?.findText(hash) ?? other?.findText(hash),
  }
}

/** Returns the key of what decides which fragments of a text are valid link targets. */
function shapeOf({ references, anchors }: TextLinks): string {
  const others = references.flatMap(({ kind, url }) =>
    kind === 'reusable-content' || kind === 'openapi' ? [`${kind} ${url}`] : [],
  )
  return JSON.stringify([anchors, others])
}

async function makeRows(
  content: ContentContext,
  services: Services,
  texts: readonly LinkingText[],
): Promise<LinkRow[]> {
  const rows = await checkLinks(content, services, texts, (links, one) => ({ ...one, ...rowOf(links) }))
  return rows.filter(({ codes }) => codes.length > 0)
}

export function rowOf(links: readonly CheckedLink[]): Omit<LinkRow, keyof LinkingText> {
  const codes: LinkCode[] = []
  const broken: string[] = []
  const crossSpaceLinks: CrossSpaceLink[] = []
  for (const [at, { code, item }] of links.entries()) {
    codes.push(code)
    if (code === 'broken') broken.push(linkIdentity(item))
    if (code !== 'cross-space' || item.reading.kind !== 'space') continue
    const { space, path, fragment } = item.reading
    crossSpaceLinks.push({ at, name: linkIdentity(item), space, path, fragment })
  }
  return { codes, broken, crossSpaceLinks }
}

/** Returns every text of a snapshot that may have links, sorted by place. */
export function* listLinkingTexts(snapshot: Snapshot): Step<LinkingText[]> {
  const [names, pages] = yield* runTogether(range(snapshot.names), range(snapshot.pages))
  yield* pause()
  const byId = new Map<string, PageRecord>()
  const found: LinkingText[] = []
  yield* forEachWithPauses(pages, ([id, page]) => {
    byId.set(id, page)
    if (page.type === 'link') found.push(...linksOfPage(page, snapshot))
  })
  yield* forEachWithPauses(names, ([path, entry]) => {
    if ('text' in entry) found.push(...linksOfTextEntry(path, entry))
    else if ('page' in entry) found.push(...linksOfPage(byId.get(entry.page), snapshot))
  })
  return found.toSorted((a, b) => (a.place < b.place ? -1 : 1))
}

/** Returns the texts at these places and those of these sources, without duplicates. */
export function* findLinkingTexts(
  snapshot: Snapshot,
  places: Iterable<string>,
  sources: readonly LinkSource[],
): Step<LinkingText[]> {
  const found = new Map<string, LinkingText>()
  const paths = new Set([...places].filter((place) => !place.startsWith('/')))
  const ids = new Set([...places].flatMap((place) => (place.startsWith('/') ? [place.slice(1)] : [])))
  for (const source of sources) {
    if ('page' in source) ids.add(source.page)
    else paths.add(source.text)
  }
  const entries = yield* findEntries(snapshot, [...paths])
  for (const [path, entry] of entries) {
    if ('page' in entry) ids.add(entry.page)
    else if ('text' in entry) for (const one of linksOfTextEntry(path, entry)) found.set(one.place, one)
  }
  for (const page of yield* findPages(snapshot, [...ids] as PageId[]))
    for (const one of linksOfPage(page, snapshot)) found.set(one.place, one)
  return [...found.values()].toSorted((a, b) => (a.place < b.place ? -1 : 1))
}

function* findEntries(snapshot: Snapshot, paths: readonly string[]): Step<[string, NameEntry][]> {
  const entries = yield* getMany(snapshot.names, paths)
  return paths.flatMap((path, at): [string, NameEntry][] =>
    entries[at] === undefined ? [] : [[path, entries[at]!]],
  )
}

/** Of texts that are no pages, only reusable contents are rendered anywhere. */
function linksOfTextEntry(
  path: string,
  entry: Extract<NameEntry, { readonly text: unknown }>,
): LinkingText[] {
  const { id, title, text } = entry
  if (id === undefined) return []
  return [
    { place: path, source: { text: path }, id, ...(title !== undefined && { title }), file: path, text },
  ]
}

function linksOfPage(page: PageRecord | undefined, { config }: Snapshot): LinkingText[] {
  if (page?.type === 'link') {
    const file = joinPath(config.root, config.summary)
    return [
      { place: linkRowLocation(page.id, page), source: { page: page.id }, file, text: { url: page.url } },
    ]
  }
  if (page?.type !== 'document' || page.text === undefined) return []
  return [{ place: page.file, source: { page: page.id }, file: page.file, text: page.text }]
}
