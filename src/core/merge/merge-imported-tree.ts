/**
 * Upsert of an imported tree into existing content: what has the same path is updated, what is new is added, and nothing
 * is removed. The cost follows the imported tree and the siblings of new pages.
 *
 * A page is found by the file from which it was imported, also where it has moved since: then it stays where it is, and
 * the links of the tree follow it. Existing pages keep their ids, positions and parents; a new page is placed beside those that are its neighbours in the
 * imported tree. The settings of the content stay: of an imported `.gitbook.yaml` only redirects are taken, and variables
 * and tags are merged by name. An imported table of contents is stored; an export writes it again where it says less than
 * the tree.
 */
import { byteLength } from '../bytes.js'
import type { ContentConfig } from '../config.js'
import { groupBy } from '../group.js'
import type { Hash, PageId } from '../ids.js'
import { replaceDestinations } from '../links/replace.js'
import type { RedirectChange } from '../markdown/gitbook-yaml.js'
import { formatSpaceTags, parseSpaceTags } from '../markdown/space-tags.js'
import { get, getMany, range, sameJson } from '../merkle/map.js'
import { loadTexts, pause, runTogether } from '../merkle/steps.js'
import type { Sink, Step } from '../merkle/types.js'
import { maxPositionLength, spread, spreadBetween } from '../order/position.js'
import type { DescribedText, SnapshotPlan } from '../pages/build.js'
import { type Describe, withDescription } from '../pages/describe.js'
import {
  type Draft,
  cacheText,
  draftDescription,
  draftName,
  draftOf,
  draftPage,
  draftText,
  finishDraft,
  isLinked,
  placeText,
  putFile,
  putPage,
  putTextFile,
  removeTextFile,
  writeText,
} from '../pages/draft.js'
import { EditError } from '../pages/edit-error.js'
import { findFreeNumber } from '../pages/free-numbers.js'
import { childrenPrefix, linksPrefix, pathKey, readLinkKey, readOrderKey } from '../pages/keys.js'
import { isFree, movedToFile, pathsOfFile } from '../pages/page-paths.js'
import {
  configFile,
  depthOf,
  isReservedFile,
  joinPath,
  maxFolderDepth,
  maxPathBytes,
  nameOf,
  pathOfFile,
  summaryFile,
} from '../pages/paths.js'
import { type InsertTarget, insertPlan, recordsInFolder } from '../pages/insert-subtree.js'
import { changeRedirects, followRedirectTargets, redirectOf } from '../pages/redirect-targets.js'
import { redirectUrl, redirectsFile } from '../pages/redirects.js'
import { destinationsAfterMoves, relocate } from '../pages/relocate.js'
import { entryAfterEdit, withTitles } from '../pages/titles.js'
import type { DocumentPage, FileRecord, PageOrigin, PageRecord, Snapshot } from '../pages/types.js'
import { mergeKeys } from './merge-yaml.js'

interface UpsertContext {
  readonly sink: Sink
  readonly describe: Describe
  /** Milliseconds since 1970, for pages that change. */
  readonly now: number
  /** Other paths for files of the tree. */
  readonly fileMoves?: ReadonlyMap<string, string>
}

/** Pages that are put between two pauses: some milliseconds. */
const pagesPerPause = 32

/**
 * Inserts a tree beside the content, or updates what an earlier insertion from the same source made; throws `EditError`
 * where a page cannot be inserted.
 */
export function* insertOrUpdatePlan(
  snapshot: Snapshot,
  target: InsertTarget,
  plan: SnapshotPlan,
  context: UpsertContext,
): Step<Snapshot> {
  const { source, parent } = target
  const earlier = source === undefined ? [] : yield* insertedPages(snapshot, source)
  const folder = earlier[0]?.origin?.folder
  if (folder === undefined) return yield* insertPlan(snapshot, target, plan, context)
  const placed = recordsInFolder({ folder, source }, plan, snapshot.config)
  const pages = placed.pages.map((page) => ({ ...page, parent: page.parent ?? parent }))
  const inserted = { ...plan, ...placed, pages, config: snapshot.config }
  const fileMoves = yield* numberedFiles(snapshot, placed.files, new Set(earlier.map(({ id }) => id)))
  return yield* mergeImportedTree(snapshot, inserted, { ...context, fileMoves })
}

/** Returns free paths for those files whose path holds another file, which not only these pages use. */
function* numberedFiles(
  snapshot: Snapshot,
  files: readonly FileRecord[],
  own: ReadonlySet<PageId>,
): Step<ReadonlyMap<string, string>> {
  const moves = new Map<string, string>()
  const taken = new Set(files.map(({ path }) => path))
  const entries = yield* getMany(
    snapshot.names,
    files.map(({ path }) => path),
  )
  for (const [at, { path, hash }] of files.entries()) {
    const entry = entries[at]
    if (entry === undefined) continue
    if ('file' in entry && (yield* get(snapshot.files, entry.file))?.hash === hash) continue
    const links = yield* range(snapshot.links, { prefix: linksPrefix(path) })
    const sources = links.map(([key]) => readLinkKey(key).source)
    const isOwn = sources.length > 0 && sources.every((source) => 'page' in source && own.has(source.page))
    if ('file' in entry && isOwn) continue
    const dot = path.lastIndexOf('.') > path.lastIndexOf('/') + 1 ? path.lastIndexOf('.') : path.length
    const numbered = (number: number) => `${path.slice(0, dot)}-${number}${path.slice(dot)}`
    const number = yield* findFreeNumber(function* (one) {
      return one > 0 && !taken.has(numbered(one)) && (yield* get(snapshot.names, numbered(one))) === undefined
    })
    taken.add(numbered(number))
    moves.set(path, numbered(number))
  }
  return moves
}

function* insertedPages(snapshot: Snapshot, source: string): Step<readonly DocumentPage[]> {
  const pages = yield* range(snapshot.pages)
  return pages.flatMap(([, page]) =>
    page.type === 'document' && page.origin?.source === source ? [page] : [],
  )
}

/** Returns the content with the planned tree in it; throws `EditError` where a page would be too deep. */
export function* mergeImportedTree(
  snapshot: Snapshot,
  plan: SnapshotPlan,
  context: UpsertContext,
): Step<Snapshot> {
  const draft = draftOf(snapshot, context)
  for (const [hash, description] of plan.descriptions) draft.descriptions.set(hash, description)
  const { ids, moves } = yield* matchPages(snapshot, plan.pages)
  const placed = yield* positionNewPages(snapshot, plan.pages, ids)
  const { fileMoves = new Map<string, string>() } = context
  const relink = relinker(plan, new Map([...moves, ...fileMoves]))
  for (const [index, planned] of plan.pages.entries()) {
    if (index % pagesPerPause === 0) yield* pause()
    const page = yield* relink.page(draft, planned)
    const known = ids.get(page.id)
    if (known !== undefined) yield* updatePage(draft, known, page, context.now)
    else yield* insertPage(draft, page, { plan, parent: parentOf(page, ids), position: placed.get(page.id)! })
  }
  for (const page of placed.moved)
    yield* putPage(draft, { ...(yield* draftPage(draft, page.id))!, position: page.position })
  for (const planned of plan.files) {
    const path = fileMoves.get(planned.path) ?? planned.path
    const file = { ...planned, path, name: nameOf(path) }
    const entry = yield* draftName(draft, file.path)
    if (entry === undefined) yield* putFile(draft, file)
    else if ('file' in entry) yield* putFile(draft, { ...file, id: entry.file })
  }
  const hasSameSettings = sameSettings(plan.config, draft.config)
  if (hasSameSettings)
    draft.config = { ...draft.config, redirects: { ...draft.config.redirects, ...plan.config.redirects } }
  for (const one of plan.texts) {
    const isSetting = one.path === configFile || one.path === summaryFile(plan.config)
    if (!isSetting) yield* upsertText(draft, { ...one, text: yield* relink.text(draft, one) }, context.now)
    else if (hasSameSettings) yield* upsertText(draft, one, context.now)
  }
  if (hasSameSettings) yield* changeRedirects(draft, relink.redirects())
  yield* followRedirectTargets(draft, snapshot)
  return yield* finishDraft(draft)
}

/** Returns the plan with what stays beside it in the content: what the links of the plan may lead to. */
export function* planWithExisting(snapshot: Snapshot, plan: SnapshotPlan): Step<SnapshotPlan> {
  const [pages, files, names] = yield* runTogether(
    range(snapshot.pages),
    range(snapshot.files),
    range(snapshot.names),
  )
  const planned = new Set<string>()
  for (const page of plan.pages) if (page.type === 'document') planned.add(page.file)
  for (const { path } of [...plan.files, ...plan.texts]) planned.add(path)
  const description = { metadata: {}, references: [] }
  return {
    ...plan,
    pages: [
      ...plan.pages,
      ...pages.map(([, page]) => page).filter((page) => page.type !== 'document' || !planned.has(page.file)),
    ],
    files: [...plan.files, ...files.map(([, file]) => file).filter(({ path }) => !planned.has(path))],
    texts: [
      ...plan.texts,
      ...names.flatMap(([path, entry]) =>
        'text' in entry && !planned.has(path)
          ? [{ path, text: { hash: entry.text, size: entry.size, description } }]
          : [],
      ),
    ],
  }
}

/** Whether two contents agree on where things are; else the settings of an imported one are not taken. */
export function sameSettings(one: ContentConfig, other: ContentConfig): boolean {
  return one.root === other.root && one.readme === other.readme && one.summary === other.summary
}

type PageIds = ReadonlyMap<PageId, PageId>

const parentOf = ({ parent }: PageRecord, ids: PageIds): PageId | null =>
  parent === null ? null : (ids.get(parent) ?? parent)

interface PageMatches {
  /** The existing pages by the ids of the planned ones. */
  readonly ids: PageIds
  /** The files of pages that moved since they were imported, by those in the tree. */
  readonly moves: ReadonlyMap<string, string>
}

/** Matches pages by the file from which they were imported, else by the same file, else by the same path. */
function* matchPages(snapshot: Snapshot, planned: readonly PageRecord[]): Step<PageMatches> {
  const { config } = snapshot
  const files = planned.map((page) => (page.type === 'document' ? page.file : ''))
  const paths = planned.map((page) => (page.type === 'link' ? '' : pathKey(pathIn(config, page))))
  const names = yield* getMany(snapshot.names, files)
  const atPaths = yield* getMany(snapshot.paths, paths)
  const inFiles = names.map((entry) => (entry && 'page' in entry ? entry.page : undefined))
  const wanted = [...new Set([...inFiles, ...atPaths].filter((id) => id !== undefined))]
  const records = yield* getMany(snapshot.pages, wanted)
  const known = new Map(wanted.map((id, at) => [id, records[at]]))
  const links = yield* existingLinks(snapshot, planned)
  const ids = new Map<PageId, PageId>()
  const used = new Set<PageId>()
  const match = (page: PageRecord, id: PageId | undefined): void => {
    if (id === undefined || used.has(id) || ids.has(page.id) || known.get(id)?.type !== page.type) return
    ids.set(page.id, id)
    used.add(id)
  }
  const moved = yield* findMovedPages(
    snapshot,
    planned,
    inFiles.map((id) => (id === undefined ? undefined : known.get(id))),
  )
  const moves = new Map<string, string>()
  for (const page of planned) {
    const found = page.type === 'document' ? moved.get(page) : undefined
    if (found === undefined) continue
    known.set(found.id, found)
    match(page, found.id)
    moves.set((page as DocumentPage).file, found.file)
  }
  // A page that stayed in its file is matched before one at the same path.
  for (const [at, page] of planned.entries()) match(page, inFiles[at])
  for (const [at, page] of planned.entries()) {
    if (page.type !== 'link') match(page, atPaths[at])
    else {
      const id = links.get(page.url)?.find((one) => !used.has(one))
      if (id === undefined) continue
      ids.set(page.id, id)
      used.add(id)
    }
  }
  return { ids, moves }
}

/**
 * Returns the pages that moved since they were imported, by the planned ones. Those that another import would find in
 * their present file are left out. Reads all pages, unless every planned one is still in its file.
 */
function* findMovedPages(
  snapshot: Snapshot,
  planned: readonly PageRecord[],
  inFiles: readonly (PageRecord | undefined)[],
): Step<ReadonlyMap<PageRecord, DocumentPage>> {
  const isInPlace = planned.every((page, at) => {
    const there = inFiles[at]
    return page.type !== 'document' || page.text === undefined || sameOrigin(page, there)
  })
  if (isInPlace) return new Map()
  const files = new Set(planned.map((page) => (page.type === 'document' ? page.file : '')))
  const byOrigin = new Map<string, DocumentPage>()
  for (const [, page] of yield* range(snapshot.pages))
    if (page.type === 'document' && page.origin !== undefined && !files.has(page.file))
      byOrigin.set(originKey(page.origin), page)
  const moved = new Map<PageRecord, DocumentPage>()
  for (const page of planned) {
    const found = page.type === 'document' && page.origin && byOrigin.get(originKey(page.origin))
    if (found) moved.set(page, found)
  }
  return moved
}

function sameOrigin(page: DocumentPage, other: PageRecord | undefined): boolean {
  if (other?.type !== 'document' || page.origin === undefined || other.origin === undefined) return false
  return originKey(page.origin) === originKey(other.origin)
}

const originKey = ({ file, source = '' }: PageOrigin): string => `${source}\n${file}`

/** Returns functions that point the links of a tree to where its pages have moved. */
function relinker(plan: SnapshotPlan, moves: ReadonlyMap<string, string>) {
  const { config } = plan
  const existed = new Set([
    ...plan.pages.flatMap((page) => (page.type === 'document' ? [page.file] : [])),
    ...[...plan.files, ...plan.texts].map(({ path }) => path),
  ])
  const destinations = (urls: readonly string[], file: string) =>
    destinationsAfterMoves(urls, {
      fromBefore: file,
      fromAfter: moves.get(file) ?? file,
      config,
      existed,
      moves,
    })
  function* rewrite(draft: Draft, hash: Hash, file: string): Step<string | undefined> {
    const { references } = yield* draftDescription(draft, hash)
    const urls = destinations(
      references.map(({ url }) => url),
      file,
    )
    const replacements = references.flatMap(({ span, syntax }, at) => {
      const url = urls[at]
      return url === undefined ? [] : [{ span, syntax, url }]
    })
    if (replacements.length === 0) return undefined
    return replaceDestinations(yield* draftText(draft, hash), replacements)
  }
  return {
    redirects(): ReadonlyMap<string, RedirectChange> {
      const all = Object.entries(config.redirects)
      const urls = destinations(
        all.map(([, to]) => redirectUrl(to)),
        redirectsFile(config),
      )
      return new Map(
        all.flatMap(([from, to], at): [string, RedirectChange][] => {
          const after = urls[at] === undefined ? undefined : redirectOf(urls[at])
          return after === undefined ? [] : [[from, { before: [to], after }]]
        }),
      )
    },
    *page(draft: Draft, page: PageRecord): Step<PageRecord> {
      if (moves.size === 0) return page
      if (page.type === 'link') {
        const [url] = destinations([page.url], summaryFile(config))
        return url === undefined ? page : { ...page, url }
      }
      if (page.type !== 'document' || page.text === undefined) return page
      const text = yield* rewrite(draft, page.text, page.file)
      const moved = { ...page, file: moves.get(page.file) ?? page.file }
      return text === undefined ? moved : writeText(draft, moved, text)
    },
    *text(draft: Draft, { path, text }: SnapshotPlan['texts'][number]): Step<DescribedText> {
      if (moves.size === 0 || !isLinked(path, config)) return text
      draft.descriptions.set(text.hash, text.description)
      const rewritten = yield* rewrite(draft, text.hash, path)
      if (rewritten === undefined) return text
      const hash = cacheText(draft, rewritten)
      return { hash, size: byteLength(rewritten), description: yield* draftDescription(draft, hash) }
    },
  }
}

/** Returns the existing link pages by URL; they have no path. */
function* existingLinks(
  snapshot: Snapshot,
  planned: readonly PageRecord[],
): Step<ReadonlyMap<string, readonly PageId[]>> {
  if (!planned.some((page) => page.type === 'link')) return new Map()
  const pages = yield* range(snapshot.pages)
  const links = pages.flatMap(([, page]) => (page.type === 'link' ? [page] : []))
  return new Map(
    [...groupBy(links, ({ url }) => url)].map(([url, found]) => [url, found.map(({ id }) => id)]),
  )
}

/** Returns the path that a planned page has in this content, before it gets a number. */
function pathIn(config: ContentConfig, page: Exclude<PageRecord, { type: 'link' }>): string {
  return page.type === 'document' ? pathOfFile(page.file, config) : page.path
}

interface Positions {
  get(id: PageId): string | undefined
  /** Existing siblings that had to move, because there was no short position between them. */
  readonly moved: readonly { readonly id: PageId; readonly position: string }[]
}

/** Returns the positions of the new pages among the children of their parents. */
function* positionNewPages(
  snapshot: Snapshot,
  planned: readonly PageRecord[],
  ids: PageIds,
): Step<Positions> {
  const positions = new Map<PageId, string>()
  const moved: { id: PageId; position: string }[] = []
  for (const [parent, list] of groupBy(planned, (page) => parentOf(page, ids))) {
    if (list.every((page) => ids.has(page.id))) continue
    const keys = yield* range(snapshot.order, { prefix: childrenPrefix(parent) })
    const existing = keys.map(([key]) => readOrderKey(key))
    // Groups are at the top level only.
    const records =
      parent === null
        ? yield* getMany(
            snapshot.pages,
            existing.map(({ id }) => id),
          )
        : []
    const order = orderWith(
      existing.map((one, at) => ({ ...one, isGroup: records[at]?.type === 'group' })),
      list,
      ids,
    )
    for (const { id, position, isNew } of assignPositions(order)) {
      if (isNew) positions.set(id, position)
      else if (order.positions.get(id) !== position) moved.push({ id, position })
    }
  }
  return { get: (id) => positions.get(id), moved }
}

interface SiblingOrder {
  /** New pages have no position yet. */
  readonly ids: readonly PageId[]
  readonly positions: ReadonlyMap<PageId, string>
}

interface Sibling {
  readonly id: PageId
  readonly position: string
  readonly isGroup: boolean
}

/**
 * Returns the siblings with the new ones after those that they follow in the imported tree, else before the first of
 * these, else at the end. Pages and groups are placed each among their own: in a table of contents, a page after a group
 * belongs to it.
 */
function orderWith(existing: readonly Sibling[], list: readonly PageRecord[], ids: PageIds): SiblingOrder {
  const before = new Map<PageId, PageId[]>()
  const after = new Map<PageId, PageId[]>()
  const [atStart, atEnd]: [PageId[], PageId[]] = [[], []]
  for (const isGroup of [false, true]) {
    const own = new Set(existing.flatMap((one) => (one.isGroup === isGroup ? [one.id] : [])))
    let last: PageId | undefined
    let leading: PageId[] = []
    for (const page of list) {
      if ((page.type === 'group') !== isGroup) continue
      const known = ids.get(page.id)
      if (known === undefined) {
        if (last === undefined) leading.push(page.id)
        else listAt(after, last).push(page.id)
      } else if (own.has(known)) {
        if (last === undefined) before.set(known, leading)
        if (last === undefined) leading = []
        last = known
      }
    }
    const end = isGroup ? undefined : [...own].at(-1)
    if (end !== undefined) listAt(after, end).push(...leading)
    else (isGroup ? atEnd : atStart).push(...leading)
  }
  return {
    ids: [
      ...atStart,
      ...existing.flatMap(({ id }) => [...(before.get(id) ?? []), id, ...(after.get(id) ?? [])]),
      ...atEnd,
    ],
    positions: new Map(existing.map(({ id, position }) => [id, position])),
  }
}

function listAt(lists: Map<PageId, PageId[]>, id: PageId): PageId[] {
  const list = lists.get(id) ?? []
  lists.set(id, list)
  return list
}

/** Returns every sibling with its position: new ones between their neighbours, or all anew where there is no room. */
function assignPositions({ ids, positions }: SiblingOrder) {
  const assigned: { id: PageId; position: string; isNew: boolean }[] = []
  let before: string | null = null
  let pending: PageId[] = []
  let hasRoom = true
  const place = (after: string | null): void => {
    if (pending.length === 0) return
    if (before !== null && after !== null && before >= after) hasRoom = false
    const between = hasRoom ? spreadBetween(before, after, pending.length) : []
    for (const [at, id] of pending.entries()) {
      const position: string = between[at] ?? ''
      if (position.length > maxPositionLength) hasRoom = false
      assigned.push({ id, position, isNew: true })
    }
    pending = []
  }
  for (const id of ids) {
    const position = positions.get(id)
    if (position === undefined) pending.push(id)
    else {
      place(position)
      assigned.push({ id, position, isNew: false })
      before = position
    }
  }
  place(null)
  if (hasRoom) return assigned
  const fresh = spread(assigned.length)
  return assigned.map((one, at) => ({ ...one, position: fresh[at]! }))
}

/** A page whose file the tree does not hold keeps its text. */
function* updatePage(draft: Draft, id: PageId, planned: PageRecord, now: number): Step<void> {
  const before = (yield* draftPage(draft, id))!
  const { createdAt: _, updatedAt: __, ...members } = planned
  const retained = retainedMembers(before)
  if (planned.type !== 'document' || before.type !== 'document')
    return yield* putPage(draft, withTime({ ...before, ...members, ...retained } as PageRecord, before, now))
  if (planned.text === undefined) return
  const moved = yield* moveToFile(draft, before, planned.file)
  const after = { ...members, ...retainedMembers(moved), file: moved.file } as DocumentPage
  yield* putPage(draft, withTime(after, before, now))
}

/** Returns what an import does not change of a page: its identity and its place. */
function retainedMembers(page: PageRecord) {
  const { id, parent, position, createdAt } = page
  const place = page.type === 'link' ? {} : { path: page.path, slug: page.slug }
  return { id, parent, position, ...place, ...(createdAt !== undefined && { createdAt }) }
}

/** Moves a page to the file in which it is imported, with the links to it; one whose new place is taken stays. */
function* moveToFile(draft: Draft, page: DocumentPage, file: string): Step<DocumentPage> {
  if (page.file === file) return page
  const records = yield* movedToFile(draft, page, file)
  const own = new Set(records.map((record) => record.id))
  for (const record of records)
    if (record.type !== 'link' && !(yield* isFree(draft, own, record))) return page
  yield* relocate(draft, records)
  return (yield* draftPage(draft, page.id)) as DocumentPage
}

/** A page that is as it was has not been updated. */
function withTime(after: PageRecord, before: PageRecord, now: number): PageRecord {
  const same = { ...after, ...(before.updatedAt !== undefined && { updatedAt: before.updatedAt }) }
  return sameJson(withoutOrigin(same), withoutOrigin(before)) ? before : { ...after, updatedAt: now }
}

function withoutOrigin(page: PageRecord): PageRecord {
  if (page.type !== 'document') return page
  const { origin: _, ...others } = page
  return others
}

interface NewPagePlace {
  readonly plan: SnapshotPlan
  readonly parent: PageId | null
  readonly position: string
}

function* insertPage(
  draft: Draft,
  planned: PageRecord,
  { plan, parent, position }: NewPagePlace,
): Step<void> {
  const page = { ...planned, parent, position }
  if (page.type === 'link') return yield* putPage(draft, page)
  if (page.type === 'document') {
    const entry = yield* draftName(draft, page.file)
    if (entry && 'text' in entry) yield* removeTextFile(draft, page.file)
  }
  const file = page.type === 'document' ? page.file : undefined
  const isOwnPath = file !== undefined && pathOfFile(file, plan.config) === page.path
  const path = isOwnPath ? pathOfFile(file, draft.config) : page.path
  const placeOf = (number: number) => {
    const numbered = number === 0 ? path : `${path}-${number}`
    return { path: numbered, slug: nameOf(numbered) }
  }
  // A file that means something else here gets a number as well.
  const mayStay =
    file === undefined ||
    (!isReservedFile(file, draft.config) && (yield* draftName(draft, file)) === undefined)
  const number = yield* findFreeNumber((one) =>
    isFree(draft, new Set(), mayStay ? placeOf(one) : numberedFile(file!, one, draft.config)),
  )
  const place = mayStay ? placeOf(number) : numberedFile(file!, number, draft.config)
  if (depthOf(place.path) > maxFolderDepth + 1 || byteLength(place.path) > maxPathBytes)
    throw new EditError('too-deep', page.id)
  yield* putPage(draft, { ...page, ...place } as PageRecord)
}

function numberedFile(file: string, number: number, config: ContentConfig) {
  const numbered = number === 0 ? file : file.replace(/(\.(?:md|markdown))?$/i, `-${number}$1`)
  return pathsOfFile(numbered, config)
}

function* upsertText(
  draft: Draft,
  { path, text, id }: SnapshotPlan['texts'][number],
  now: number,
): Step<void> {
  const entry = yield* draftName(draft, path)
  if (entry === undefined) return yield* placeText(draft, path, text, id)
  if ('file' in entry) return
  if ('page' in entry) return yield* updateListedPage(draft, entry.page, text, now)
  const merge = settingsMerges.find(([name]) => joinPath(draft.config.root, name) === path)?.[1]
  if (merge === undefined) return yield* placeText(draft, path, text, entry.id ?? id)
  const [imported, existing] = (yield* loadTexts([text.hash, entry.text])) as [string, string]
  yield* putTextFile(draft, path, merge(imported, existing), entry.id)
}

/** Settings of which a space may have more than the imported tree. */
const settingsMerges: readonly (readonly [
  name: string,
  merge: (imported: string, existing: string) => string,
])[] = [
  ['.gitbook/vars.yaml', (imported, existing) => mergeKeys('', imported, existing, { prefer: 'ours' }).text],
  ['.gitbook/tags.yaml', mergeTags],
]

function mergeTags(imported: string, existing: string): string {
  const { tags } = parseSpaceTags(imported)
  const known = new Set(tags.map(({ tag }) => tag))
  const others = parseSpaceTags(existing).tags.filter(({ tag }) => !known.has(tag))
  return others.length === 0 ? imported : formatSpaceTags([...tags, ...others])
}

/** A text that the imported table of contents does not list is a page here: it stays one. */
function* updateListedPage(
  draft: Draft,
  id: PageId,
  { hash, size, description }: DescribedText,
  now: number,
): Step<void> {
  const before = (yield* draftPage(draft, id)) as DocumentPage
  if (before.text === hash) return
  draft.descriptions.set(hash, description)
  const old = before.text === undefined ? undefined : yield* draftDescription(draft, before.text)
  const written = { ...withDescription(before, description), text: hash, size, updatedAt: now }
  yield* putPage(draft, withTitles(written, entryAfterEdit(before, old, description), description))
}
