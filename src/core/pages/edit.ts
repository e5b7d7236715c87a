/**
 * Edit commands on a snapshot, applied in order as one batch.
 *
 * A page that gets another parent or slug takes its file along, and with it the files of subpages in its
 * folder and every link (`relocate.ts`); changing the order alone leaves files as they are. A taken
 * name gets `-1`, `-2`. Does not create redirects from old paths: the result lists the moved pages.
 */
import { byteLength } from '../bytes.js'
import type { FileId, PageId } from '../ids.js'
import { parseConfig } from '../markdown/gitbook-yaml.js'
import { overlayGet } from '../merkle/overlay.js'
import type { Sink, Step } from '../merkle/types.js'
import type { Describe } from './describe.js'
import {
  draftDescription,
  draftName,
  draftOf,
  draftPage,
  finishDraft,
  putPage,
  putTextFile,
  removeFile,
  removePage,
  removeTextFile,
  writeText,
} from './draft.js'
import type { Draft } from './draft.js'
import { orderKey } from './keys.js'
import { entryAfterEdit, entryOf, ownTitle, withTitles } from './titles.js'
import {
  draftParent,
  isFree,
  movedPages,
  movedToFile,
  pathForNewPage,
  documentPathsForNewPage,
} from './page-paths.js'
import { configFile, depthOf, maxNameBytes, maxPathBytes, maxFolderDepth, slugify } from './paths.js'
import { EditError } from './edit-error.js'
import { followRedirectTargets } from './redirect-targets.js'
import { relocate } from './relocate.js'
import { descendants, positionAmong } from './siblings.js'
import type {
  ComputedPage,
  ContentsEntry,
  DocumentPage,
  FileRecord,
  GroupPage,
  LinkPage,
  PageRecord,
  Snapshot,
} from './types.js'
import { findFreeNumber } from './free-numbers.js'

/** Where among its siblings: an index from 0 (absent or too large means last), or an exact position. */
export interface SiblingPosition {
  readonly index?: number
  readonly position?: string
}

type PageAppearance = Pick<GroupPage, 'emoji' | 'icon' | 'hidden'>

/** A document without its own title gets this one; with one, this is its entry. An absent slug is derived from the title. */
export type NewPage =
  | ({
      readonly type: 'document'
      readonly id: PageId
      readonly title?: string
      readonly slug?: string
    } & Pick<DocumentPage, 'linkTitle' | 'contentsEntry'> & { readonly text?: string })
  | ({
      readonly type: 'group'
      readonly id: PageId
      readonly title: string
      readonly slug?: string
    } & PageAppearance)
  | ({
      readonly type: 'link'
      readonly id: PageId
      readonly title: string
      readonly url: string
    } & PageAppearance)
  | ({
      readonly type: 'computed'
      readonly id: PageId
      readonly title: string
      readonly slug?: string
    } & PageAppearance &
      Pick<ComputedPage, 'source'>)

/** Members to set; null removes. A document's appearance is part of its text, so only its entry can be set. */
export interface PageMembers {
  /** Of a document: the title of its entry, and its own where the text has none. A link title that equalled the former title goes. */
  readonly title?: string
  readonly linkTitle?: string | null
  readonly contentsEntry?: ContentsEntry
  readonly emoji?: string | null
  readonly icon?: string | null
  readonly hidden?: boolean | null
  readonly url?: string
  readonly source?: string
}

export type Edit =
  | ({
      readonly kind: 'insert-page'
      readonly page: NewPage
      readonly parent: PageId | null
    } & SiblingPosition)
  | {
      readonly kind: 'update-page'
      readonly page: PageId
      readonly set?: PageMembers
      readonly text?: string
    }
  | ({ readonly kind: 'move-page'; readonly page: PageId; readonly parent: PageId | null } & SiblingPosition)
  /** `file` is for documents and used as it is; with `slug` the file follows. */
  | { readonly kind: 'rename-page'; readonly page: PageId; readonly slug: string }
  | { readonly kind: 'rename-page'; readonly page: PageId; readonly file: string }
  /** Makes a document with this text of a group: its id, path and subpages stay. */
  | { readonly kind: 'convert-group'; readonly page: PageId; readonly text: string }
  /** With all its subpages. Links to them stay in other pages and are broken. */
  | { readonly kind: 'delete-page'; readonly page: PageId }
  /** A file whose path is taken gets a numbered name; an existing id moves with its links. */
  | { readonly kind: 'put-file'; readonly file: FileRecord }
  | { readonly kind: 'delete-file'; readonly file: FileId }
  | { readonly kind: 'put-text'; readonly path: string; readonly text: string; readonly id?: string }
  | { readonly kind: 'delete-text'; readonly path: string }

export interface EditContext {
  readonly sink: Sink
  readonly describe: Describe
  /** Milliseconds since 1970; stamps pages whose content is edited, not those that only move. */
  readonly now: number
}

export interface EditResult {
  readonly snapshot: Snapshot
  /** Pages whose paths changed. */
  readonly moved: readonly { readonly page: PageId; readonly before: string; readonly after: string }[]
}

/** Edits that may move a file. */
const moveKinds: ReadonlySet<Edit['kind']> = new Set(['move-page', 'rename-page', 'put-file'])

/** Returns the snapshot after all edits; throws `EditError` for an invalid one. */
export function* editSnapshot(
  snapshot: Snapshot,
  edits: readonly Edit[],
  context: EditContext,
): Step<EditResult> {
  const draft = draftOf(snapshot, context)
  const moved: EditResult['moved'][number][] = []
  for (const edit of edits) yield* applyEdit(draft, edit, context.now, moved)
  if (edits.some(({ kind }) => moveKinds.has(kind))) yield* followRedirectTargets(draft, snapshot)
  return { snapshot: yield* finishDraft(draft), moved }
}

function* applyEdit(draft: Draft, edit: Edit, now: number, moved: EditResult['moved'][number][]): Step<void> {
  switch (edit.kind) {
    case 'insert-page':
      return yield* insertPage(draft, edit.page, edit.parent, edit, now)
    case 'update-page':
      return yield* updatePage(draft, edit.page, edit.set ?? {}, edit.text, now)
    case 'move-page':
      return yield* movePage(draft, edit.page, edit.parent, edit, moved)
    case 'rename-page':
      return yield* renamePage(draft, edit.page, 'slug' in edit ? edit : { file: edit.file }, moved)
    case 'convert-group':
      return yield* convertGroup(draft, edit.page, edit.text, now)
    case 'delete-page': {
      const page = yield* getPage(draft, edit.page)
      for (const one of [page, ...(yield* descendants(draft, page))]) yield* removePage(draft, one.id)
      return
    }
    case 'put-file':
      return yield* relocate(draft, [], [yield* freeFile(draft, edit.file)])
    case 'delete-file': {
      if ((yield* overlayGet(draft.files, edit.file)) === undefined)
        throw new EditError('file-not-found', edit.file)
      return yield* removeFile(draft, edit.file)
    }
    case 'put-text': {
      const entry = yield* draftName(draft, edit.path)
      if (entry && !('text' in entry)) throw new EditError('name-taken', edit.path)
      if (edit.path === configFile) reconfigure(draft, edit.text)
      return yield* putTextFile(draft, edit.path, edit.text, edit.id ?? entry?.id)
    }
    case 'delete-text':
      if (edit.path === configFile) reconfigure(draft, '')
      return yield* removeTextFile(draft, edit.path)
  }
}

/** Only redirects may change; settings that affect paths of pages and links take effect by an import. */
function reconfigure(draft: Draft, text: string): void {
  const { config } = parseConfig(text)
  const same = (['root', 'readme', 'summary'] as const).every(
    (member) => config[member] === draft.config[member],
  )
  if (!same) throw new EditError('needs-import', configFile)
  draft.config = config
}

function* insertPage(
  draft: Draft,
  page: NewPage,
  parentId: PageId | null,
  place: SiblingPosition,
  now: number,
): Step<void> {
  if (yield* draftPage(draft, page.id)) throw new EditError('page-exists', page.id)
  const parent = yield* getParent(draft, parentId, page.type)
  const position = place.position ?? (yield* positionAmong(draft, parentId, place.index))
  const base = { id: page.id, parent: parentId, position, createdAt: now, updatedAt: now }
  if (page.type === 'link') return yield* putPage(draft, { ...page, ...base })
  if (page.type !== 'document') {
    const slug = slugify(page.slug ?? page.title)
    return yield* putPage(draft, { ...page, ...base, ...(yield* pathForNewPage(draft, parent, slug)) })
  }
  const { title: givenTitle, linkTitle, contentsEntry, slug, text, ...rest } = page
  const described = text === undefined ? undefined : draft.describe(text)
  const title = givenTitle || ownTitle(described) || 'Untitled'
  const record: DocumentPage = {
    ...rest,
    ...base,
    title,
    ...(yield* documentPathsForNewPage(draft, parent, slugify(slug ?? title))),
  }
  const entry = contentsEntry ?? { title, ...(linkTitle !== undefined && { linkTitle }) }
  const written = text === undefined ? record : writeText(draft, record, text)
  yield* putPage(draft, withTitles(written, entry, described))
}

function* updatePage(
  draft: Draft,
  id: PageId,
  set: PageMembers,
  text: string | undefined,
  now: number,
): Step<void> {
  const before = yield* getPage(draft, id)
  const refused = Object.entries(set).find(
    ([member, value]) => value !== undefined && !membersOf[before.type].includes(member),
  )
  if (refused !== undefined) throw new EditError('member-of-text', id)
  if (before.type === 'document') {
    const after = yield* updateDocument(draft, before, set, text)
    return yield* putPage(draft, { ...after, updatedAt: now })
  }
  if (text !== undefined) throw new EditError('not-a-document', id)
  const record: Record<string, unknown> = { ...before }
  for (const [member, value] of Object.entries(set)) {
    if (value === undefined) continue
    if (value === null) delete record[member]
    else record[member] = value
  }
  // Members are set by name, which the type checker cannot follow.
  yield* putPage(draft, { ...(record as unknown as PageRecord), updatedAt: now })
}

const membersOf: Record<PageRecord['type'], readonly string[]> = {
  document: ['title', 'linkTitle', 'contentsEntry'] satisfies (keyof DocumentPage)[],
  group: ['title', 'emoji', 'icon', 'hidden'],
  link: ['title', 'emoji', 'icon', 'hidden', 'url'] satisfies (keyof LinkPage)[],
  computed: ['title', 'emoji', 'icon', 'hidden', 'source'] satisfies (keyof ComputedPage)[],
}

function* updateDocument(
  draft: Draft,
  before: DocumentPage,
  { title, linkTitle, contentsEntry }: PageMembers,
  text: string | undefined,
): Step<DocumentPage> {
  let page = before
  let description = before.text === undefined ? undefined : yield* draftDescription(draft, before.text)
  if (text !== undefined) {
    const written = writeText(draft, before, text)
    const after = yield* draftDescription(draft, written.text!)
    page = withTitles(written, entryAfterEdit(before, description, after), after)
    description = after
  }
  if (title === undefined && linkTitle === undefined && contentsEntry === undefined) return page
  const { linkTitle: current, ...entry } = contentsEntry ?? entryOf(page, description)
  // Without a link title the menu has the title again.
  const base = linkTitle === null && title === undefined ? { title: page.title } : entry
  const follows = title !== undefined && current === before.title
  const next = linkTitle === undefined ? (follows ? undefined : current) : (linkTitle ?? undefined)
  return withTitles(
    page,
    { ...base, ...(title !== undefined && { title }), ...(next !== undefined && { linkTitle: next }) },
    description,
  )
}

function* convertGroup(draft: Draft, id: PageId, text: string, now: number): Step<void> {
  const group = yield* getPage(draft, id)
  if (group.type !== 'group') throw new EditError('not-a-group', id)
  const { type: _type, emoji: _emoji, icon: _icon, hidden: _hidden, ...base } = group
  const place = yield* documentPathsForNewPage(draft, null, group.slug, new Set([id]))
  const page = writeText(draft, { ...base, ...place, type: 'document', updatedAt: now }, text)
  const description = yield* draftDescription(draft, page.text!)
  yield* putPage(draft, withTitles(page, { title: group.title }, description))
}

function* movePage(
  draft: Draft,
  id: PageId,
  parentId: PageId | null,
  place: SiblingPosition,
  moved: EditResult['moved'][number][],
): Step<void> {
  const page = yield* getPage(draft, id)
  const parent = yield* getParent(draft, parentId, page.type)
  for (let above: PageRecord | null = parent; above; above = yield* draftParent(draft, above)) {
    if (above.id === id) throw new EditError('inside-itself', id)
  }
  // Removed from the order meanwhile, so that an index counts the siblings without the page itself.
  const key = orderKey(page.parent, page.position, id)
  draft.order.edits.set(key, undefined)
  const position = place.position ?? (yield* positionAmong(draft, parentId, place.index))
  draft.order.edits.set(key, null)
  const staysAlone = parentId === page.parent || page.type === 'link'
  const records = staysAlone ? [page] : yield* movedPages(draft, page, parent, page.slug)
  const [first = page, ...others] = records
  yield* putMovedPages(draft, [{ ...first, parent: parentId, position }, ...others], moved)
}

function* renamePage(
  draft: Draft,
  id: PageId,
  wish: { readonly slug: string } | { readonly file: string },
  moved: EditResult['moved'][number][],
): Step<void> {
  const page = yield* getPage(draft, id)
  if (page.type === 'link') throw new EditError('not-a-document', id)
  if ('slug' in wish) {
    const parent = yield* draftParent(draft, page)
    return yield* putMovedPages(draft, yield* movedPages(draft, page, parent, slugify(wish.slug)), moved)
  }
  if (page.type !== 'document') throw new EditError('not-a-document', id)
  const records = yield* movedToFile(draft, page, wish.file)
  const own = new Set(records.map((record) => record.id))
  for (const record of records) {
    if (record.type === 'link' || (yield* isFree(draft, own, record))) continue
    throw new EditError('name-taken', record.type === 'document' ? record.file : record.path)
  }
  yield* putMovedPages(draft, records, moved)
}

function* putMovedPages(
  draft: Draft,
  records: readonly PageRecord[],
  moved: EditResult['moved'][number][],
): Step<void> {
  for (const record of records) {
    const before = yield* draftPage(draft, record.id)
    if (!before || before.type === 'link' || record.type === 'link' || before.path === record.path) continue
    if (depthOf(record.path) > maxFolderDepth + 1 || byteLength(record.path) > maxPathBytes)
      throw new EditError('too-deep', record.id)
    moved.push({ page: record.id, before: before.path, after: record.path })
  }
  yield* relocate(draft, records)
}

function* freeFile(draft: Draft, file: FileRecord): Step<FileRecord> {
  const dot = file.path.lastIndexOf('.')
  const end = dot > file.path.lastIndexOf('/') + 1 ? dot : file.path.length
  const pathOf = (number: number): string =>
    number === 0 ? file.path : `${file.path.slice(0, end)}-${number}${file.path.slice(end)}`
  const number = yield* findFreeNumber(function* (one) {
    const entry = yield* draftName(draft, pathOf(one))
    return !entry || ('file' in entry && entry.file === file.id)
  })
  const path = pathOf(number)
  return number === 0 ? file : { ...file, path, name: path.slice(path.lastIndexOf('/') + 1) }
}

function* getPage(draft: Draft, id: PageId): Step<PageRecord> {
  const page = yield* draftPage(draft, id)
  if (!page) throw new EditError('page-not-found', id)
  return page
}

function* getParent(draft: Draft, id: PageId | null, type: PageRecord['type']): Step<PageRecord | null> {
  if (id === null) return null
  const parent = yield* getPage(draft, id)
  if (type === 'group') throw new EditError('group-below-top', id)
  if (parent.type === 'link' || parent.type === 'computed') throw new EditError('no-subpages', id)
  const isDeepest =
    depthOf(parent.path) > maxFolderDepth || byteLength(parent.path) > maxPathBytes - maxNameBytes
  if (isDeepest) throw new EditError('too-deep', id)
  return parent
}
