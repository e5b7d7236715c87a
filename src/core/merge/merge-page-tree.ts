/**
 * Three-way merge of page trees: which pages remain, and under which parent.
 *
 * Works only on the pages that either side changed. Two invariants: no page that one side edited is deleted because the
 * other side deleted it, and the result is a tree.
 */
import type { PageId } from '../ids.js'
import type { Change } from '../merkle/map.js'
import { pause } from '../merkle/steps.js'
import type { Step } from '../merkle/types.js'
import { folderReadme, nameOf } from '../pages/paths.js'
import { findPage } from '../pages/read.js'
import type { DocumentPage, PageRecord, Snapshot } from '../pages/types.js'
import {
  type Decisions,
  type ThreeWay,
  decideMember,
  decidePage,
  equal,
  mergeValuesTrivially,
} from './decisions.js'
import type { Side } from './merged-text.js'
import { mergePageRecords } from './merge-page-records.js'
import type { Relink } from './relink.js'

/** A page that at least one side changed; `merged` is absent when it is deleted. */
export interface PlannedPage extends ThreeWay<PageRecord> {
  merged: PageRecord | undefined
}

export type PagePlan = Map<PageId, PlannedPage>

/** Returns three versions of every entry that either side changed, by key. */
export function versionsByKey<Value>(
  ours: readonly Change<Value>[],
  theirs: readonly Change<Value>[],
): Map<string, ThreeWay<Value>> {
  const versions = new Map<string, ThreeWay<Value>>()
  for (const { key, before, after } of ours) {
    versions.set(key, { base: before, ours: after, theirs: before })
  }
  for (const { key, before, after } of theirs) {
    const existing = versions.get(key)
    versions.set(key, {
      base: before,
      ours: existing ? existing.ours : before,
      theirs: after,
    })
  }
  return versions
}

/** Returns the plan of all changed pages: the deleted ones, and the merged records of the others. */
export function* planPages(
  decisions: Decisions,
  changed: ReadonlyMap<string, ThreeWay<PageRecord>>,
  ours: Snapshot,
  relink: Relink,
): Step<PagePlan> {
  const plan: PagePlan = new Map()
  for (const [key, versions] of changed) {
    yield* pause()
    const id = key as PageId
    plan.set(id, { ...versions, merged: yield* mergePage(decisions, id, versions, ours, relink) })
  }
  restoreParents(decisions, plan)
  yield* cutCycles(decisions, plan, ours)
  restoreParents(decisions, plan)
  return plan
}

function* mergePage(
  decisions: Decisions,
  id: PageId,
  versions: ThreeWay<PageRecord>,
  { config }: Snapshot,
  relink: Relink,
): Step<PageRecord | undefined> {
  const trivial = mergeValuesTrivially(versions)
  if (trivial) return trivial.value
  const { base, ours, theirs } = versions
  if (ours && theirs) return mergePageRecords(decisions, base, ours, theirs, config)
  const [side, remaining] = ours ? (['ours', ours] as const) : (['theirs', theirs!] as const)
  if (yield* hasOnlyDerivedChanges(base!, remaining, side, relink)) return undefined
  return versions[decidePage(decisions, id, versions)]
}

/**
 * Returns whether a page changed only because others did: a folder above it was renamed, or its links followed a page
 * that moved. Deleting such a page loses nothing that the other side wrote.
 */
function* hasOnlyDerivedChanges(
  base: PageRecord,
  side: PageRecord,
  name: 'ours' | 'theirs',
  relink: Relink,
): Step<boolean> {
  if (base.type !== 'document' || side.type !== 'document' || base.parent !== side.parent) return false
  const bare = ({ file, path: _path, text: _text, size: _size, updatedAt: _at, ...rest }: DocumentPage) => ({
    ...rest,
    name: nameOf(file) === folderReadme ? '' : nameOf(file),
  })
  if (!equal(bare(base), bare(side))) return false
  if (base.text === side.text) return true
  if (base.text === undefined || side.text === undefined) return false
  const before = yield* relink.textWithTargets('base', base.text, base.file)
  return before === (yield* relink.textWithTargets(name, side.text, side.file))
}

/** Restores deleted ancestors of the remaining pages, or moves the pages out of them where the deletion was chosen. */
function restoreParents(decisions: Decisions, plan: PagePlan): void {
  for (const page of plan.values()) {
    const left = new Set<PageId>()
    for (let child = page; child.merged && child.merged.parent !== null;) {
      const id = child.merged.parent
      const above = plan.get(id)
      if (!above || above.merged) break
      const side = decidePage(decisions, id, above)
      if (above[side]) {
        above.merged = above[side]
        child = above
      } else {
        child.merged = reparent(child, child.merged, above, side, left)
        left.add(id)
      }
    }
  }
}

/** The page under its parent on the side that deleted the page above, or else under its grandparent. */
function reparent(
  child: PlannedPage,
  merged: PageRecord,
  above: PlannedPage,
  side: Side,
  left: ReadonlySet<PageId>,
): PageRecord {
  const version = child[side]
  if (version && !left.has(version.parent!)) return withPositionOf(merged, version)
  const { parent } = (above.ours ?? above.theirs)!
  return { ...merged, parent: parent !== null && left.has(parent) ? null : parent }
}

/**
 * Two moves may put two pages under each other: then the preferred side's parent wins, unless the other's was chosen;
 * in that case all pages of the cycle take that side's positions.
 */
function* cutCycles(decisions: Decisions, plan: PagePlan, ours: Snapshot): Step<void> {
  const other = decisions.prefer === 'ours' ? 'theirs' : 'ours'
  const decidedPages = new Set<PageId>()
  for (let hasCycle = true; hasCycle;) {
    hasCycle = false
    for (const [id, page] of plan) {
      const preferred = page[decisions.prefer]
      if (!page.merged || !preferred || page.merged.parent === preferred.parent) continue
      const cycle = yield* cycleOf(id, plan, ours)
      if (!cycle) continue
      hasCycle = true
      const parents = {
        base: page.base?.parent ?? null,
        ours: page.ours!.parent,
        theirs: page.theirs!.parent,
      }
      const parent = decidedPages.has(id) ? preferred.parent : decideMember(decisions, id, 'parent', parents)
      if (parent === preferred.parent) {
        page.merged = withPositionOf(page.merged, preferred)
        continue
      }
      decidedPages.add(id)
      for (const one of cycle) {
        const planned = plan.get(one)
        if (planned?.merged && planned[other]) planned.merged = withPositionOf(planned.merged, planned[other])
      }
    }
  }
}

/** The merged page at the position of another version of it. */
function withPositionOf(merged: PageRecord, version: PageRecord): PageRecord {
  const { parent, position } = version
  return { ...merged, parent, position, ...pathFieldsOf(version) } as PageRecord
}

function pathFieldsOf(page: PageRecord): Partial<Pick<DocumentPage, 'file' | 'path' | 'slug'>> {
  if (page.type === 'link') return {}
  const { path, slug } = page
  return page.type === 'document' ? { path, slug, file: page.file } : { path, slug }
}

/** The pages of the parent cycle, this one first; undefined when the page is under the root. */
function* cycleOf(id: PageId, plan: PagePlan, ours: Snapshot): Step<PageId[] | undefined> {
  const visited = new Set<PageId>([id])
  let parent = plan.get(id)?.merged?.parent ?? null
  while (parent !== null) {
    if (parent === id) return [...visited]
    if (visited.has(parent)) return undefined
    visited.add(parent)
    const above: PageRecord | undefined = plan.has(parent)
      ? plan.get(parent)!.merged
      : yield* findPage(ours, parent)
    parent = above?.parent ?? null
  }
  return undefined
}
