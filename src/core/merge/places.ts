/**
 * Which file every merged page, upload and text stands in, and that no two stand in one.
 *
 * A page that one side adds or moves below a parent goes where the merged parent's folder is. Where both
 * sides took the same name, ours keeps it and theirs gets the next free one: both are kept, and links
 * follow. The same bytes uploaded by both at one path are one file.
 */
import type { FileId, PageId } from '../ids.js'
import { get } from '../merkle/map.js'
import { pause } from '../merkle/steps.js'
import type { Step } from '../merkle/types.js'
import { pathKey } from '../pages/keys.js'
import { folderOf, joinPath, nameOf, ownFolder } from '../pages/paths.js'
import { placeOfFile } from '../pages/places.js'
import { findPage } from '../pages/read.js'
import type { FileRecord, NameEntry, PageRecord, Snapshot } from '../pages/types.js'
import type { Three } from './decisions.js'
import type { Relink, Version } from './relink.js'
import type { PagePlan, PlannedPage } from './tree.js'

export interface PlannedFile extends Three<FileRecord> {
  merged: FileRecord | undefined
}

export interface PlannedText extends Three<NameEntry & { readonly text: unknown }> {
  /** Where its versions stood. */
  readonly from: string
  /** Where it stands after the merge. */
  path: string
  readonly stands: boolean
}

export interface Plan {
  readonly pages: PagePlan
  readonly files: Map<FileId, PlannedFile>
  readonly texts: Map<string, PlannedText>
}

/** Settles all places of the plan and tells `relink` what moved. */
export function* settlePlaces(plan: Plan, ours: Snapshot, theirs: Snapshot, relink: Relink): Step<void> {
  const trees = { ours, theirs }
  const placed = new Set<PageId>()
  for (const id of plan.pages.keys()) {
    yield* pause()
    yield* followParent(id, plan.pages, trees, placed)
  }
  yield* freeNames(plan, ours)
  const versions: readonly Version[] = ['base', 'ours', 'theirs']
  for (const page of plan.pages.values()) {
    yield* pause()
    // Links to a deleted page lead nowhere, but must lead there in the same words.
    const stand = [page.merged, page.ours, page.theirs].find((one) => one?.type === 'document')
    if (stand?.type !== 'document') continue
    for (const version of versions) {
      const before = page[version]
      if (before?.type === 'document') noteMove(relink, version, before.file, stand.file)
    }
    if (!page.merged || page.base?.type !== 'document') continue
    for (const version of ['ours', 'theirs'] as const) {
      // The side that deleted a page which stands again still has links to where it was.
      if (page[version] || (yield* get(trees[version].names, page.base.file)) !== undefined) continue
      noteMove(relink, version, page.base.file, stand.file)
    }
  }
  for (const file of plan.files.values()) {
    for (const version of versions) {
      if (file[version] && file.merged) noteMove(relink, version, file[version].path, file.merged.path)
    }
  }
  for (const text of plan.texts.values()) {
    if (text.theirs && !text.base) noteMove(relink, 'theirs', text.from, text.path)
  }
}

function noteMove(relink: Relink, version: Version, from: string, to: string): void {
  if (from !== to) relink.moves[version].set(from, to)
}

/** Moves a page along when its folder was renamed by the side that did not place it there. */
function* followParent(
  id: PageId,
  pages: PagePlan,
  trees: { readonly ours: Snapshot; readonly theirs: Snapshot },
  placed: Set<PageId>,
): Step<void> {
  const page = pages.get(id)
  if (!page?.merged || placed.has(id)) return
  placed.add(id)
  const { merged } = page
  if (merged.type === 'link' || merged.parent === null) return
  yield* followParent(merged.parent, pages, trees, placed)
  const side = placingSide(page)
  const before = pages.has(merged.parent)
    ? pages.get(merged.parent)![side]
    : yield* findPage(trees[side], merged.parent)
  const after = pages.has(merged.parent) ? pages.get(merged.parent)!.merged : before
  if (!before || !after || before.type === 'link' || after.type === 'link') return
  const { config } = trees.ours
  if (merged.type === 'document') {
    const [from, to] = [ownFolder(before, config), ownFolder(after, config)]
    if (from === null || to === null || from === to || !merged.file.startsWith(`${from}/`)) return
    page.merged = { ...merged, ...placeOfFile(to + merged.file.slice(from.length), config) }
  } else if (before.path !== after.path && merged.path.startsWith(`${before.path}/`)) {
    page.merged = { ...merged, path: after.path + merged.path.slice(before.path.length) }
  }
}

function placingSide({ ours, theirs, merged }: PlannedPage): 'ours' | 'theirs' {
  const place = (page: PageRecord | undefined) =>
    page?.type === 'document' ? page.file : page?.type === 'link' ? undefined : page?.path
  return place(ours) === place(merged) || !theirs ? 'ours' : 'theirs'
}

/** Gives a free name to everything whose name somebody else has; who stands where ours has it comes first. */
function* freeNames(plan: Plan, ours: Snapshot): Step<void> {
  const names = new Map<string, string>()
  const paths = new Map<string, PageId>()

  function* holderOf(name: string): Step<string | undefined> {
    if (names.has(name)) return names.get(name)
    const entry = (yield* get(ours.names, name)) as unknown as NameEntry | undefined
    if (!entry) return undefined
    // Who takes part in the plan has no claim to its old name.
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
  function* placeFile(file: PlannedFile): Step<void> {
    let merged = file.merged!
    for (let number = 1; ; number++) {
      const holder = yield* holderOf(merged.path)
      if (holder === undefined) break
      const twin = plan.files.get(holder as FileId)?.merged
      if (twin && twin.hash === merged.hash && !file.base) {
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

  for (const oursFirst of [true, false]) {
    for (const text of plan.texts.values()) {
      if (text.stands && !!text.ours === oursFirst) yield* placeText(text)
    }
    for (const page of plan.pages.values()) {
      if (page.merged && standsInOurs(page) === oursFirst) yield* placePage(page)
    }
    for (const file of plan.files.values()) {
      if (file.merged && (file.ours?.path === file.merged.path) === oursFirst) yield* placeFile(file)
    }
  }
}

function standsInOurs({ ours, merged }: PlannedPage): boolean {
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
  return { ...page, ...placeOfFile(numberedName(page.file, number, ours.config.readme), ours.config) }
}

/** `a/b.md` → `a/b-1.md`; a folder's own page is numbered by its folder. */
function numberedName(path: string, number: number, readme?: string): string {
  const folder = folderOf(path)
  if (readme !== undefined && nameOf(path) === nameOf(readme) && folder !== '') {
    return joinPath(`${folder}-${number}`, nameOf(path))
  }
  const name = nameOf(path)
  const dot = name.lastIndexOf('.')
  const stem = dot < 0 ? name : name.slice(0, dot)
  return joinPath(folder, `${stem}-${number}${name.slice(stem.length)}`)
}
