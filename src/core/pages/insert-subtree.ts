/**
 * Inserts a planned tree below a page, or at the end of the top level, without changing existing content.
 *
 * A tree of several pages gets its own folder, so that its relative links keep their targets; a single page is put
 * beside the others. The cost follows the inserted tree, not the space.
 */
import { byteLength } from '../bytes.js'
import type { PageId } from '../ids.js'
import { retarget } from '../links/relative.js'
import { resolveReference } from '../links/resolve.js'
import { overlayRange } from '../merkle/overlay.js'
import type { Sink, Step } from '../merkle/types.js'
import type { SnapshotPlan } from './build.js'
import type { Describe } from './describe.js'
import {
  type Draft,
  draftName,
  draftOf,
  draftPage,
  finishDraft,
  placeText,
  putFile,
  putPage,
} from './draft.js'
import { pathKey } from './keys.js'
import { findFreeNumber } from './free-numbers.js'
import {
  childrenFolder,
  configFile,
  depthOf,
  isReservedFile,
  joinPath,
  maxPathBytes,
  maxFolderDepth,
  nameOf,
  pathOfFile,
  resolveOptions,
  slugify,
  summaryFile,
} from './paths.js'
import { isFree } from './page-paths.js'
import { EditError } from './edit-error.js'
import { positionAmong } from './siblings.js'
import type { ContentConfig } from '../config.js'
import type { DocumentPage, FileRecord, PageRecord, Snapshot } from './types.js'

/** Where a tree is inserted, and the name of its folder. */
export interface InsertTarget {
  /** Null for the top level. */
  readonly parent: PageId | null
  readonly name: string
  /** Names the source in the origins of its pages, so that a later insertion finds them. */
  readonly source?: string
}

/** Returns the snapshot with the tree in it; throws `EditError` where no page can be inserted. */
export function* insertPlan(
  snapshot: Snapshot,
  { parent, name, source }: InsertTarget,
  plan: SnapshotPlan,
  context: { readonly sink: Sink; readonly describe: Describe },
): Step<Snapshot> {
  const draft = draftOf(snapshot, context)
  const above = parent === null ? null : yield* draftPage(draft, parent)
  if (above === undefined) throw new EditError('page-not-found', parent!)
  if (above?.type === 'link' || above?.type === 'computed') throw new EditError('no-subpages', above.id)

  const folder = childrenFolder(above, draft.config)
  const own = joinPath(folder, slugify(name))
  const [first] = plan.pages
  const isAlone = plan.pages.length === 1 && first?.type === 'document'
  const isBare = isAlone && plan.files.length === 0
  const placeOf = (number: number): PlacedRecords => {
    if (isBare) return recordsInFolder({ folder, source }, withName(plan, first, name, number), draft.config)
    if (isAlone && number === 0)
      return recordsInFolder({ folder, source }, withName(plan, first, name, 0), draft.config)
    return recordsInFolder(
      { folder: numbered(own, isAlone ? number - 1 : number), source },
      plan,
      draft.config,
    )
  }
  const number = yield* findFreeNumber(function* (one) {
    if (isBare || (isAlone && one === 0)) return yield* allFree(draft, placeOf(one))
    return yield* isEmptyFolder(draft, numbered(own, isAlone ? one - 1 : one))
  })
  const placed = placeOf(number)

  for (const [hash, description] of plan.descriptions) draft.descriptions.set(hash, description)
  for (const page of placed.pages) {
    if (page.type !== 'link') requirePathWithinLimits(page.path, page.id)
    const isTop = page.parent === null
    const position = isTop ? yield* positionAmong(draft, parent) : page.position
    yield* putPage(draft, { ...page, position, parent: page.parent ?? parent })
  }
  for (const file of placed.files) yield* putFile(draft, file)
  for (const { path, text } of placed.texts) yield* placeText(draft, path, text)
  return yield* finishDraft(draft)
}

/** Returns the plan of one page with a name and a number: a tree's README is not the README of its new folder. */
function withName(plan: SnapshotPlan, page: DocumentPage, name: string, number: number): SnapshotPlan {
  const isFirst = page.file === plan.config.readme
  if (number === 0 && !isFirst) return plan
  const stem = isFirst ? slugify(name) : page.file.replace(/\.md$/i, '')
  const file = `${numbered(stem, number)}.md`
  return { ...plan, pages: [{ ...page, file, path: pathOfFile(file, plan.config) }] }
}

interface PlacedRecords {
  readonly pages: readonly PageRecord[]
  readonly files: readonly FileRecord[]
  readonly texts: SnapshotPlan['texts']
}

/** Returns the records of the plan with their paths in a folder of this content. */
export function recordsInFolder(
  { folder, source }: { readonly folder: string; readonly source: string | undefined },
  plan: SnapshotPlan,
  config: ContentConfig,
): PlacedRecords {
  const above = pathOfFile(joinPath(folder, 'x'), config).slice(0, -2)
  const summary = summaryFile(plan.config)
  return {
    pages: plan.pages.map((page): PageRecord => {
      if (page.type === 'link') {
        const resolved = resolveReference(summary, page.url, resolveOptions(plan.config))
        if (resolved.kind !== 'file') return page
        const url = retarget(page.url, summaryFile(config), joinPath(folder, resolved.path))
        return { ...page, url }
      }
      const placed = { path: joinPath(above, page.path), slug: nameOf(page.path) }
      if (page.type === 'computed') return { ...page, ...placed }
      // Groups are at the top level only: below it, a page without a text holds the others.
      if (page.type === 'group')
        return { ...page, ...placed, type: 'document', file: joinPath(folder, `${page.path}.md`) }
      const file = joinPath(folder, page.file)
      const path = pathOfFile(page.file, plan.config) === page.path ? pathOfFile(file, config) : placed.path
      const { origin, ...placedPage } = { ...page, file, path, slug: nameOf(path) }
      if (origin === undefined || source === undefined) return placedPage
      return { ...placedPage, origin: { file: origin.file, source, folder } }
    }),
    files: plan.files.map((file) => ({ ...file, path: joinPath(folder, file.path) })),
    texts: plan.texts
      .filter(({ path }) => path !== configFile && path !== summary)
      .map(({ path, text }) => ({ path: joinPath(folder, path), text })),
  }
}

function* allFree(draft: Draft, { pages, files, texts }: PlacedRecords): Step<boolean> {
  for (const page of pages) if (page.type !== 'link' && !(yield* isFree(draft, new Set(), page))) return false
  for (const { path } of [...files, ...texts]) if ((yield* draftName(draft, path)) !== undefined) return false
  return true
}

/** Whether the folder is empty, and its path is neither a page's nor above one. */
function* isEmptyFolder(draft: Draft, folder: string): Step<boolean> {
  if (isReservedFile(`${folder}.md`, draft.config)) return false
  const path = pathKey(pathOfFile(`${folder}.md`, draft.config))
  if (!(yield* isFree(draft, new Set(), { file: `${folder}.md`, path }))) return false
  const named = yield* overlayRange(draft.names, { prefix: `${folder}/`, limit: 1 })
  const found = yield* overlayRange(draft.paths, { prefix: `${path}/`, limit: 1 })
  return named.length === 0 && found.length === 0
}

function requirePathWithinLimits(path: string, id: PageId): void {
  if (depthOf(path) > maxFolderDepth + 1 || byteLength(path) > maxPathBytes)
    throw new EditError('too-deep', id)
}

function numbered(name: string, number: number): string {
  return number === 0 ? name : `${name}-${number}`
}
