/**
 * Files and paths of pages: free ones for new pages, and for a page that gets another parent or slug those of all
 * subpages that move with it.
 */
import type { PageId } from '../ids.js'
import { overlayGet } from '../merkle/overlay.js'
import type { Step } from '../merkle/types.js'
import { draftName, draftPage } from './draft.js'
import type { Draft } from './draft.js'
import { pathKey } from './keys.js'
import { findFreeNumber } from './free-numbers.js'
import {
  childrenFolder,
  fileForSlug,
  folderOf,
  isReadme,
  isReservedFile,
  joinPath,
  nameOf,
  ownFolder,
  pathOfFile,
} from './paths.js'
import { descendants } from './siblings.js'
import type { ContentConfig } from '../config.js'
import type { DocumentPage, PageRecord } from './types.js'

/** Returns the file, path and slug of a new document below `parent`; a slug that others than `own` have gets `-1`, `-2`. */
export function* documentPathsForNewPage(
  draft: Draft,
  parent: PageRecord | null,
  slug: string,
  own: ReadonlySet<PageId> = new Set(),
): Step<Pick<DocumentPage, 'file' | 'path' | 'slug'>> {
  const folder = childrenFolder(parent, draft.config)
  const placeOf = (number: number) =>
    pathsOfFile(fileForSlug(folder, numbered(slug, number), draft.config), draft.config)
  return placeOf(yield* findFreeNumber((number) => isFree(draft, own, placeOf(number))))
}

/** Returns the path and slug of a new group or computed page below `parent`. */
export function* pathForNewPage(
  draft: Draft,
  parent: PageRecord | null,
  slug: string,
): Step<{ path: string; slug: string }> {
  const placeOf = (number: number) => pathsOfSlug(parent, numbered(slug, number))
  return placeOf(yield* findFreeNumber((number) => isFree(draft, new Set(), placeOf(number))))
}

/** Returns the path and slug of the page of a file. */
export function pathsOfFile(
  file: string,
  config: ContentConfig,
): Pick<DocumentPage, 'file' | 'path' | 'slug'> {
  const path = pathOfFile(file, config)
  return { file, path, slug: nameOf(path) }
}

/** Returns the path and slug of a group or computed page. */
export function pathsOfSlug(parent: PageRecord | null, slug: string): { path: string; slug: string } {
  const above = parent === null || parent.type === 'link' ? '' : parent.path
  return { path: joinPath(above, slug), slug }
}

/** Returns whether no page but `own` has the file or the path. */
export function* isFree(
  draft: Draft,
  own: ReadonlySet<PageId>,
  place: { readonly file?: string; readonly path: string },
): Step<boolean> {
  if (place.file !== undefined) {
    if (isReservedFile(place.file, draft.config)) return false
    const entry = yield* draftName(draft, place.file)
    if (entry && !('page' in entry && own.has(entry.page))) return false
  }
  const holder = yield* overlayGet(draft.paths, pathKey(place.path))
  return holder === undefined || own.has(holder)
}

/**
 * Returns the page and the subpages that move with it, at free paths for this slug below `parent` (the
 * page's own file stays in its folder when the parent does not change). Pages that stay are left out.
 */
export function* movedPages(
  draft: Draft,
  before: PageRecord,
  parent: PageRecord | null,
  slug: string,
): Step<PageRecord[]> {
  if (before.type === 'link') return []
  const below = yield* descendants(draft, before)
  const movedTo = (number: number): PageRecord[] => {
    const place = pathsBelow(before, parent, numbered(slug, number), draft.config)
    const after = { ...before, ...place } as typeof before
    return [after, ...movedSubpages(before, after, below, draft.config)]
  }
  const number = yield* findFreeNumber(function* (one) {
    const moved = movedTo(one)
    // Subpages that stay keep their names, so these are not free for the page above them.
    const own = new Set(moved.map((page) => page.id))
    const paths = new Set(moved.map((page) => (page.type === 'link' ? page.id : pathKey(page.path))))
    if (paths.size !== moved.length) return false
    for (const page of moved) if (page.type !== 'link' && !(yield* isFree(draft, own, page))) return false
    return true
  })
  return movedTo(number)
}

/** Returns the document with exactly this file, and the subpages that move along. */
export function* movedToFile(draft: Draft, before: DocumentPage, file: string): Step<PageRecord[]> {
  const after = { ...before, ...pathsOfFile(file, draft.config) }
  return [after, ...movedSubpages(before, after, yield* descendants(draft, before), draft.config)]
}

/** Returns the page above, or null for the top level. */
export function* draftParent(draft: Draft, page: PageRecord): Step<PageRecord | null> {
  return page.parent === null ? null : ((yield* draftPage(draft, page.parent)) ?? null)
}

function pathsBelow(
  page: Exclude<PageRecord, { type: 'link' }>,
  parent: PageRecord | null,
  slug: string,
  config: ContentConfig,
): { readonly file?: string; readonly path: string; readonly slug: string } {
  if (page.type !== 'document') return pathsOfSlug(parent, slug)
  const own = ownFolder(page, config)
  const folder =
    page.parent !== (parent?.id ?? null)
      ? childrenFolder(parent, config)
      : own !== null && isReadme(page.file, config)
        ? folderOf(own)
        : folderOf(page.file)
  return pathsOfFile(fileForSlug(folder, slug, config, page), config)
}

/** Returns the subpages whose files are in the page's folder, or whose paths begin with its path, moved along. */
function movedSubpages(
  before: PageRecord,
  after: PageRecord,
  below: readonly PageRecord[],
  config: ContentConfig,
): PageRecord[] {
  if (before.type === 'link' || after.type === 'link') return []
  const from = ownFolder(before, config)
  const to = ownFolder(after, config)
  return below.flatMap((page): PageRecord[] => {
    if (page.type === 'document') {
      if (from === null || to === null || from === to || !page.file.startsWith(`${from}/`)) return []
      const file = to + page.file.slice(from.length)
      // A path numbered because of a collision keeps its number.
      if (page.path === pathOfFile(page.file, config)) return [{ ...page, ...pathsOfFile(file, config) }]
      const path = joinPath(folderOf(pathOfFile(file, config)), nameOf(page.path))
      return [{ ...page, file, path, slug: nameOf(path) }]
    }
    if (page.type !== 'computed' || before.path === after.path) return []
    if (!page.path.startsWith(`${before.path}/`)) return []
    return [{ ...page, path: after.path + page.path.slice(before.path.length) }]
  })
}

function numbered(slug: string, number: number): string {
  return number === 0 ? slug : `${slug}-${number}`
}
