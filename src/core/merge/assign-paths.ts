/**
 * Assigns a unique file path to every merged page, upload and text.
 *
 * A page that one side adds or moves below a parent goes into the merged parent's folder. Where both sides took the
 * same name, ours keeps it and theirs gets the next free one: both remain, and links follow. The same bytes uploaded
 * by both at one path are one file.
 */
import type { FileId, PageId } from '../ids.js'
import { get } from '../merkle/map.js'
import { pause } from '../merkle/steps.js'
import type { Step } from '../merkle/types.js'
import { pathKey } from '../pages/keys.js'
import { folderOf, folderReadme, joinPath, nameOf, ownFolder } from '../pages/paths.js'
import { pathsOfFile } from '../pages/page-paths.js'
import { findPage } from '../pages/read.js'
import type { FileRecord, NameEntry, PageRecord, Snapshot } from '../pages/types.js'
import type { ThreeWay } from './decisions.js'
import type { Relink, Version } from './relink.js'
import type { PagePlan, PlannedPage } from './merge-page-tree.js'

export interface PlannedFile2 extends ThreeWay<FileRecord> {
  merged: FileRecord | undefined
}

export interface PlannedText extends ThreeWay<NameEntry & { readonly text: unknown }> {
  /** The path of its versions. */
  readonly from: string
  /** The path after the merge. */
  path: string
  readonly isPresent: boolean
}

export interface MergePlan {
  readonly pages: PagePlan
  readonly files: Map<FileId, PlannedFile2>
  readonly texts: Map<string, PlannedText>
}

/** Assigns all paths of the plan and records in `relink` what moved. */
export function* assignPaths(plan: MergePlan, ours: Snapshot, theirs: Snapshot, relink: Relink): Step<void> {
  const trees = { ours, theirs }
  const visited = new Set<PageId>()
  for (const id of plan.pages.keys()) {
    yield* pause()
    yield* followParent(id, plan.pages, trees, visited)
  }
  yield* resolveNameCollisions(plan, ours)
  const versions: readonly Version[] = ['base', 'ours', 'theirs']
  for (const page of plan.pages.values()) {
    yield* pause()
    // Links to a deleted page are broken, but must stay written the same way.
    const survivor = [page.merged, page.ours, page.theirs].find((one) => one?.type === 'document')
    if (survivor?.type !== 'document') continue
    for (const version of versions) {
      const before = page[version]
      if (before?.type === 'document') recordMove(relink, version, before.file, survivor.file)
    }
    if (!page.merged || page.base?.type !== 'document') continue
    for (const version of ['ours', 'theirs'] as const) {
      // The side that deleted a restored page still has links to its former path.
      if (page[version] || (yield* get(trees[version].names, page.base.file)) !== undefined) continue
      recordMove(relink, version, page.base.file, survivor.file)
    }
  }
  for (const file of plan.files.values()) {
    for (const version of versions) {
      if (file[version] && file.merged) recordMove(relink, version, file[version].path, file.merged.path)
    }
  }
  for (const text of plan.texts.values()) {
    if (text.theirs && !text.base) recordMove(relink, 'theirs', text.from, text.path)
  }
}

function recordMove(relink: Relink, version: Version, from: string, to: string): void {
  if (from !== to) relink.moves[version].set(from, to)
}

/** Moves a page along when its folder was renamed by the side that did not set the page's path. */
function* followParent(
  id: PageId,
  pages: PagePlan,
  trees: { readonly ours: Snapshot; readonly theirs: Snapshot },
  visited: Set<PageId>,
): Step<void> {
  const page = pages.get(id)
  if (!page?.merged || visited.has(id)) return
  visited.add(id)
  const { merged } = page
  if (merged.type === 'link' || merged.parent === null) return
  yield* followParent(merged.parent, pages, trees, visited)
  const side = sideOfPath(page)
  const before = pages.has(merged.parent)
    ? pages.get(merged.parent)![side]
    : yield* findPage(trees[side], merged.parent)
  const after = pages.has(merged.parent) ? pages.get(merged.parent)!.merged : before
  if (!before || !after || before.type === 'link' || after.type === 'link') return
  const { config } = trees.ours
  if (merged.type === 'document') {
    const [from, to] = [ownFolder(before, config), ownFolder(after, config)]
    if (from === null || to === null || from === to || !merged.file.startsWith(`${from}/`)) return
    page.merged = { ...merged, ...pathsOfFile(to + merged.file.slice(from.length), config) }
  } else if (before.path !== after.path && merged.path.startsWith(`${before.path}/`)) {
    page.merged = { ...merged, path: after.path + merged.path.slice(before.path.length) }
  }
}

function sideOfPath({ ours, theirs, merged }: PlannedPage): 'ours' | 'theirs' {
  const pathOf = (page: PageRecord | undefined) =>
    page?.type === 'document' ? page.file : page?.type === 'link' ? undefined : page?.path
  return pathOf(ours) === pathOf(merged) || !theirs ? 'ours' : 'theirs'
}

/** Gives the next free name to each page, file and text whose name is taken; those at their path in ours come first. */
function* resolveNameCollisions(plan: MergePlan, ours: Snapshot): Step<void> {
  const names = new Map<string, string>()
  const paths = new Map<string, PageId>()

  function* holderOf(name: string): Step<string | undefined> {
    if (names.has(name)) return names.get(name)
    const entry = yield* get(ours.names, name)
    if (!entry) return undefined
    // Entries of the plan do not hold their old names.
    if ('page' in entry) return plan.pages.has(entry.page) ? undefined : entry.page
    if ('file' in entry) return plan.files.has(entry.file) ? undefined : entry.file
    return plan.texts.has(name) ? undefined : name
  }
  function* pathIsFree(path: string, id: PageId): Step<boolean> {
    const holder = paths.get(pathKey(path)) ?? ((yield* get(ours.paths, pathKey(path))) as PageId | undefined)
    return holder === undefined || holder === id || (!paths.has(pathKey(path)) && plan.pages.has(holder))
  }
  function* placePage(page: PlannedPage): Step<void> {
    let merged = page.merged!
    if (merged.type === 'link') return
    const wanted = merged
    for (let number = 1; ; number++) {
      const free =
        (merged.type !== 'document' || (yield* holderOf(merged.file)) === undefined) &&
        (yield* pathIsFree(merged.path, merged.id))
      if (free) break
      merged = numberedPage(wanted, number, ours) as typeof wanted
    }
    page.merged = merged
    paths.set(pathKey(merged.path), merged.id)
    if (merged.type === 'document') names.set(merged.file, merged.id)
  }
  function* placeFile(file: PlannedFile2): Step<void> {
    let merged = file.merged!
    for (let number = 1; ; number++) {
      const holder = yield* holderOf(merged.path)
      if (holder === undefined) break
      const holderFile = plan.files.get(holder as FileId)?.merged
      if (holderFile && holderFile.hash === merged.hash && !file.base) {
        file.merged = undefined
        return
      }
      const path = numberedName(file.merged!.path, number)
      merged = { ...file.merged!, path, name: nameOf(path) }
    }
    file.merged = merged
    names.set(merged.path, merged.id)
  }
  function* placeText(text: PlannedText): Step<void> {
    const wanted = text.path
    for (let number = 1; (yield* holderOf(text.path)) !== undefined; number++) {
      text.path = numberedName(wanted, number)
    }
    names.set(text.path, text.path)
  }

  for (const isFirstPass of [true, false]) {
    for (const text of plan.texts.values()) {
      if (text.isPresent && !!text.ours === isFirstPass) yield* placeText(text)
    }
    for (const page of plan.pages.values()) {
      if (page.merged && keepsOursPath(page) === isFirstPass) yield* placePage(page)
    }
    for (const file of plan.files.values()) {
      if (file.merged && (file.ours?.path === file.merged.path) === isFirstPass) yield* placeFile(file)
    }
  }
}

function keepsOursPath({ ours, merged }: PlannedPage): boolean {
  if (ours?.type === 'document' && merged?.type === 'document') return ours.file === merged.file
  return ours !== undefined && ours.type !== 'link' && merged?.type !== 'link' && ours.path === merged?.path
}

function numberedPage(
  page: Exclude<PageRecord, { type: 'link' }>,
  number: number,
  ours: Snapshot,
): PageRecord {
  if (page.type !== 'document')
    return { ...page, path: `${page.path}-${number}`, slug: `${page.slug}-${number}` }
  return { ...page, ...pathsOfFile(numberedName(page.file, number, folderReadme), ours.config) }
}

/** `a/b.md` → `a/b-1.md`; a folder's own page is numbered by its folder. */
function numberedName(path: string, number: number, readme?: string): string {
  const folder = folderOf(path)
  if (readme !== undefined && nameOf(path) === readme && folder !== '') {
    return joinPath(`${folder}-${number}`, nameOf(path))
  }
  const name = nameOf(path)
  const dot = name.lastIndexOf('.')
  const stem = dot < 0 ? name : name.slice(0, dot)
  return joinPath(folder, `${stem}-${number}${name.slice(stem.length)}`)
}
