/**
 * A planned tree is put below a page, or at the end of the top level: what stands in the space stays as it is.
 *
 * A tree of several pages gets a folder of its own, so that its links, which are relative, lead where they led;
 * one page comes to stand beside the others. The price follows the tree that comes, not the space.
 */
import { byteLength } from '../bytes.js'
import type { PageId } from '../ids.js'
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
import { findFreeNumber } from './numbers.js'
import {
  childrenFolder,
  configFile,
  depthOf,
  isReservedFile,
  joinPath,
  longestPath,
  mostFolders,
  nameOf,
  pathOfFile,
  slugify,
} from './paths.js'
import { isFree } from './places.js'
import { EditRefused } from './refused.js'
import { positionAmong } from './siblings.js'
import type { ContentConfig } from '../config.js'
import type { DocumentPage, FileRecord, PageRecord, Snapshot } from './types.js'

/** Where a tree is put, and what its folder is called. */
export interface Graft {
  /** Null for the top level. */
  readonly parent: PageId | null
  readonly name: string
}

/** Answers the snapshot with the tree in it; throws `EditRefused` where no page can stand. */
export function* graftPlan(
  snapshot: Snapshot,
  { parent, name }: Graft,
  plan: SnapshotPlan,
  context: { readonly sink: Sink; readonly describe: Describe },
): Step<Snapshot> {
  const draft = draftOf(snapshot, context)
  const above = parent === null ? null : yield* draftPage(draft, parent)
  if (above === undefined) throw new EditRefused('page-not-found', parent!)
  if (above?.type === 'link' || above?.type === 'computed') throw new EditRefused('no-subpages', above.id)

  const folder = childrenFolder(above, draft.config)
  const own = joinPath(folder, slugify(name))
  const [first] = plan.pages
  const isAlone = plan.pages.length === 1 && first?.type === 'document'
  const isBare = isAlone && plan.files.length === 0
  const placeOf = (number: number): Placed => {
    if (isBare) return placedIn(folder, withName(plan, first, name, number), draft.config)
    if (isAlone && number === 0) return placedIn(folder, withName(plan, first, name, 0), draft.config)
    return placedIn(numbered(own, isAlone ? number - 1 : number), plan, draft.config)
  }
  const number = yield* findFreeNumber(function* (one) {
    if (isBare || (isAlone && one === 0)) return yield* allFree(draft, placeOf(one))
    return yield* isEmptyFolder(draft, numbered(own, isAlone ? one - 1 : one))
  })
  const placed = placeOf(number)

  for (const [hash, description] of plan.descriptions) draft.descriptions.set(hash, description)
  for (const page of placed.pages) {
    if (page.type !== 'link') requireFitting(page.path, page.id)
    const isTop = page.parent === null
    const position = isTop ? yield* positionAmong(draft, parent) : page.position
    yield* putPage(draft, { ...page, position, parent: page.parent ?? parent })
  }
  for (const file of placed.files) yield* putFile(draft, file)
  for (const { path, text } of placed.texts) yield* placeText(draft, path, text)
  return yield* finishDraft(draft)
}

/** Returns the plan of one page under a name and a number: the first page of a tree is none of where it comes. */
function withName(plan: SnapshotPlan, page: DocumentPage, name: string, number: number): SnapshotPlan {
  const isFirst = page.file === plan.config.readme
  if (number === 0 && !isFirst) return plan
  const stem = isFirst ? slugify(name) : page.file.replace(/\.md$/i, '')
  const file = `${numbered(stem, number)}.md`
  return { ...plan, pages: [{ ...page, file, path: pathOfFile(file, plan.config) }] }
}

interface Placed {
  readonly pages: readonly PageRecord[]
  readonly files: readonly FileRecord[]
  readonly texts: SnapshotPlan['texts']
}

/** Returns the records of the plan as they stand in a folder of this content. */
function placedIn(folder: string, plan: SnapshotPlan, config: ContentConfig): Placed {
  const above = pathOfFile(joinPath(folder, 'x'), config).slice(0, -2)
  const summary = joinPath(plan.config.root, plan.config.summary)
  return {
    pages: plan.pages.map((page): PageRecord => {
      if (page.type === 'link') return page
      const placed = { path: joinPath(above, page.path), slug: nameOf(page.path) }
      if (page.type === 'computed') return { ...page, ...placed }
      // Groups stand at the top level only: below it, a page without a text holds the others.
      if (page.type === 'group')
        return { ...page, ...placed, type: 'document', file: joinPath(folder, `${page.path}.md`) }
      const file = joinPath(folder, page.file)
      const path = pathOfFile(page.file, plan.config) === page.path ? pathOfFile(file, config) : placed.path
      return { ...page, file, path, slug: nameOf(path) }
    }),
    files: plan.files.map((file) => ({ ...file, path: joinPath(folder, file.path) })),
    texts: plan.texts
      .filter(({ path }) => path !== configFile && path !== summary)
      .map(({ path, text }) => ({ path: joinPath(folder, path), text })),
  }
}

function* allFree(draft: Draft, { pages, files, texts }: Placed): Step<boolean> {
  for (const page of pages) if (page.type !== 'link' && !(yield* isFree(draft, new Set(), page))) return false
  for (const { path } of [...files, ...texts]) if ((yield* draftName(draft, path)) !== undefined) return false
  return true
}

/** A folder in which nothing stands, and a path that no page and nothing below a page has. */
function* isEmptyFolder(draft: Draft, folder: string): Step<boolean> {
  if (isReservedFile(`${folder}.md`, draft.config)) return false
  const path = pathKey(pathOfFile(`${folder}.md`, draft.config))
  if (!(yield* isFree(draft, new Set(), { file: `${folder}.md`, path }))) return false
  const named = yield* overlayRange(draft.names, { prefix: `${folder}/`, limit: 1 })
  const found = yield* overlayRange(draft.paths, { prefix: `${path}/`, limit: 1 })
  return named.length === 0 && found.length === 0
}

function requireFitting(path: string, id: PageId): void {
  if (depthOf(path) > mostFolders + 1 || byteLength(path) > longestPath) throw new EditRefused('too-deep', id)
}

function numbered(name: string, number: number): string {
  return number === 0 ? name : `${name}-${number}`
}
