/**
 * Unit of work over a snapshot: records and texts are put, and the indexes `order`, `paths`, `names` and
 * `links` follow. The only writer of the six maps; each is written once, when the draft is finished, so the cost of a
 * batch follows its edits.
 *
 * A draft only maintains the indexes: the callers (`edit.ts`, and merging) check whether a name is free or a parent
 * is valid.
 */
import { byteLength } from '../bytes.js'
import type { FileId, Hash, PageId } from '../ids.js'
import { sameJson } from '../merkle/map.js'
import { overlayGet, overlayOf, applyOverlay } from '../merkle/overlay.js'
import type { Overlay } from '../merkle/overlay.js'
import { loadTexts, runTogether } from '../merkle/steps.js'
import type { Sink, Step } from '../merkle/types.js'
import { linkPageTargets, linkTargets, withDescription } from './describe.js'
import type { Describe, Description } from './describe.js'
import { computedTarget, linkKey, orderKey, pathKey } from './keys.js'
import type { LinkSource } from './keys.js'
import { joinPath } from './paths.js'
import type { ContentConfig } from '../config.js'
import type { DocumentPage, FileRecord, NameEntry, PageRecord, Snapshot } from './types.js'

export interface Draft {
  readonly sink: Sink
  readonly describe: Describe
  readonly pages: Overlay<PageRecord>
  readonly order: Overlay<null>
  readonly paths: Overlay<PageId>
  readonly files: Overlay<FileRecord>
  readonly names: Overlay<NameEntry>
  readonly links: Overlay<null>
  config: ContentConfig
  /** Texts put by this draft, which cannot be loaded yet, and preloaded ones; descriptions of all texts it read. */
  readonly texts: Map<Hash, string>
  readonly descriptions: Map<Hash, Description>
}

/** Returns a draft of the unchanged snapshot. */
export function draftOf(
  snapshot: Snapshot,
  context: { readonly sink: Sink; readonly describe: Describe },
): Draft {
  return {
    sink: context.sink,
    describe: context.describe,
    pages: overlayOf(snapshot.pages),
    order: overlayOf(snapshot.order),
    paths: overlayOf(snapshot.paths),
    files: overlayOf(snapshot.files),
    names: overlayOf(snapshot.names),
    links: overlayOf(snapshot.links),
    config: snapshot.config,
    texts: new Map(),
    descriptions: new Map(),
  }
}

/** Returns the snapshot with everything that was put into the draft. */
export function* finishDraft(draft: Draft): Step<Snapshot> {
  const [pages, order, paths, files, names, links] = yield* runTogether(
    applyOverlay(draft.pages, draft.sink),
    applyOverlay(draft.order, draft.sink),
    applyOverlay(draft.paths, draft.sink),
    applyOverlay(draft.files, draft.sink),
    applyOverlay(draft.names, draft.sink),
    applyOverlay(draft.links, draft.sink),
  )
  return { pages, order, paths, files, names, links, config: draft.config }
}

/** Returns a page as the draft has it, or undefined. */
export function* draftPage(draft: Draft, id: PageId): Step<PageRecord | undefined> {
  return yield* overlayGet(draft.pages, id)
}

/** Returns what is at a file path in the draft, or undefined. */
export function* draftName(draft: Draft, path: string): Step<NameEntry | undefined> {
  return yield* overlayGet(draft.names, path)
}

/** Returns the page with this text and all members derived from it. */
export function writeText(draft: Draft, page: DocumentPage, text: string): DocumentPage {
  const hash = cacheText(draft, text, page.text)
  return { ...withDescription(page, describeText(draft, hash, text)), text: hash, size: byteLength(text) }
}

/** Returns a stored text, also one that this draft put. */
export function* draftText(draft: Draft, hash: Hash): Step<string> {
  return draft.texts.get(hash) ?? (yield* loadTexts([hash]))[0]!
}

/** Loads many texts in one round trip, for callers that read each of them next. */
export function* preloadTexts(draft: Draft, hashes: readonly Hash[]): Step<void> {
  const missing = [...new Set(hashes)].filter((hash) => !draft.texts.has(hash))
  const texts = yield* loadTexts(missing)
  for (const [index, hash] of missing.entries()) draft.texts.set(hash, texts[index]!)
}

/** Returns the description of a stored text; a draft reads each text once. */
export function* draftDescription(draft: Draft, hash: Hash): Step<Description> {
  return draft.descriptions.get(hash) ?? describeText(draft, hash, yield* draftText(draft, hash))
}

/**
 * Inserts a page, or replaces the one with its id, which is no longer found at its former file and path.
 */
export function* putPage(draft: Draft, page: PageRecord): Step<void> {
  const before = yield* draftPage(draft, page.id)
  if (before && sameJson(before, page)) return
  yield* unlistPage(draft, before, page)
  draft.pages.edits.set(page.id, page)
  draft.order.edits.set(orderKey(page.parent, page.position, page.id), null)
  if (page.type !== 'link') draft.paths.edits.set(pathKey(page.path), page.id)
  if (page.type === 'document') draft.names.edits.set(page.file, { page: page.id })
  if (page.type === 'computed') draft.links.edits.set(linkKey(computedTarget, { page: page.id }), null)
}

/** Removes one page; the caller removes its children. */
export function* removePage(draft: Draft, id: PageId): Step<void> {
  const before = yield* draftPage(draft, id)
  yield* unlistPage(draft, before, undefined)
  draft.pages.edits.set(id, undefined)
}

/** Inserts a file, or replaces the one with its id. */
export function* putFile(draft: Draft, file: FileRecord): Step<void> {
  yield* unlistFile(draft, file.id)
  draft.files.edits.set(file.id, file)
  draft.names.edits.set(file.path, { file: file.id })
}

/** Removes a file; links to it stay and are broken. */
export function* removeFile(draft: Draft, id: FileId): Step<void> {
  yield* unlistFile(draft, id)
  draft.files.edits.set(id, undefined)
}

/** Puts a text that is no page at a file path; `id` names it as a reusable content. */
export function* putTextFile(draft: Draft, path: string, text: string, id?: string): Step<void> {
  yield* placeText(draft, path, { hash: cacheText(draft, text), size: byteLength(text) }, id)
}

/** The same for a text that is stored already; its description may be passed too. */
export function* placeText(
  draft: Draft,
  path: string,
  {
    hash,
    size,
    description,
  }: { readonly hash: Hash; readonly size: number; readonly description?: Description },
  id?: string,
): Step<void> {
  if (description !== undefined) draft.descriptions.set(hash, description)
  const before = yield* draftName(draft, path)
  yield* relink(
    draft,
    { text: path },
    before && 'text' in before ? { file: path, text: before.text } : undefined,
    isLinked(path, draft.config) ? { file: path, text: hash } : undefined,
  )
  const title = id === undefined ? undefined : (yield* draftDescription(draft, hash)).metadata.title
  draft.names.edits.set(path, textEntry({ hash, size }, id, title))
}

/** Returns the entry of a text that is no page; one without an id has no title. */
export function textEntry(
  { hash, size }: { readonly hash: Hash; readonly size: number },
  id: string | undefined,
  title: string | undefined,
): NameEntry {
  if (id === undefined) return { text: hash, size }
  return { text: hash, size, id, ...(title !== undefined && { title }) }
}

/** Removes a text that is no page; does nothing when there is none. */
export function* removeTextFile(draft: Draft, path: string): Step<void> {
  const before = yield* draftName(draft, path)
  if (!before || !('text' in before)) return
  yield* relink(draft, { text: path }, { file: path, text: before.text }, undefined)
  draft.names.edits.set(path, undefined)
}

/** Returns whether links written in a text that is no page are followed; those of the table of contents are not. */
export function isLinked(path: string, config: ContentConfig): boolean {
  return /\.(?:md|markdown)$/i.test(path) && path !== joinPath(config.root, config.summary)
}

function* unlistPage(
  draft: Draft,
  before: PageRecord | undefined,
  after: PageRecord | undefined,
): Step<void> {
  const id = (before ?? after)?.id
  if (id === undefined) return
  yield* relink(draft, { page: id }, linkedText(before), linkedText(after))
  if (!before) return
  if (before.type === 'computed') draft.links.edits.set(linkKey(computedTarget, { page: id }), undefined)
  draft.order.edits.set(orderKey(before.parent, before.position, id), undefined)
  // Pages may swap paths within one batch: an entry that another page has taken already stays.
  if (before.type !== 'link') {
    const key = pathKey(before.path)
    if ((yield* overlayGet(draft.paths, key)) === id) draft.paths.edits.set(key, undefined)
  }
  if (before.type === 'document') {
    const entry = yield* draftName(draft, before.file)
    if (entry && 'page' in entry && entry.page === id) draft.names.edits.set(before.file, undefined)
  }
}

function* unlistFile(draft: Draft, id: FileId): Step<void> {
  const before = yield* overlayGet(draft.files, id)
  if (!before) return
  const entry = yield* draftName(draft, before.path)
  if (entry && 'file' in entry && entry.file === id) draft.names.edits.set(before.path, undefined)
}

/** A text in its file, or the URL of a link page. */
interface LinkedText {
  readonly file?: string
  readonly text?: Hash
  readonly url?: string
}

function linkedText(page: PageRecord | undefined): LinkedText | undefined {
  if (page?.type === 'link') return { url: page.url }
  return page?.type === 'document' && page.text !== undefined
    ? { file: page.file, text: page.text }
    : undefined
}

function* relink(
  draft: Draft,
  source: LinkSource,
  before: LinkedText | undefined,
  after: LinkedText | undefined,
): Step<void> {
  if (before?.file === after?.file && before?.text === after?.text && before?.url === after?.url) return
  const old = before ? yield* targetsOf(draft, before) : new Set<string>()
  const now = after ? yield* targetsOf(draft, after) : new Set<string>()
  for (const target of old) if (!now.has(target)) draft.links.edits.set(linkKey(target, source), undefined)
  for (const target of now) if (!old.has(target)) draft.links.edits.set(linkKey(target, source), null)
}

function* targetsOf(draft: Draft, { file, text, url }: LinkedText): Step<ReadonlySet<string>> {
  if (url !== undefined) return linkPageTargets(url, draft.config)
  return linkTargets(yield* draftDescription(draft, text!), file!, draft.config)
}

export function cacheText(draft: Draft, text: string, former?: Hash): Hash {
  const hash = draft.sink.putText(text, former)
  draft.texts.set(hash, text)
  return hash
}

function describeText(draft: Draft, hash: Hash, text: string): Description {
  const description = draft.descriptions.get(hash) ?? draft.describe(text, hash)
  draft.descriptions.set(hash, description)
  return description
}
