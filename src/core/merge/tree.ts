/**
 * Which pages stand after a merge, and under which parent.
 *
 * Works on the pages that either side changed, and nothing else. Two promises: no page that somebody wrote
 * in is deleted because the other side deleted it, and what comes out is a tree.
 */
import type { PageId } from '../ids.js'
import type { Change } from '../merkle/map.js'
import { pause } from '../merkle/steps.js'
import type { Json, Step } from '../merkle/types.js'
import { nameOf } from '../pages/paths.js'
import { findPage } from '../pages/read.js'
import type { DocumentPage, PageRecord, Snapshot } from '../pages/types.js'
import { type Decisions, type Three, decideMember, decidePage, equal, settleValues } from './decisions.js'
import type { Side } from './dispute.js'
import { mergeRecords } from './records.js'
import type { Relink } from './relink.js'

/** A page that at least one side changed; `merged` is absent when it is deleted. */
export interface PlannedPage extends Three<PageRecord> {
  merged: PageRecord | undefined
}

export type PagePlan = Map<PageId, PlannedPage>

/** Three versions of every entry that either side changed, by key. */
export function versionsOf<Value>(
  ours: readonly Change[],
  theirs: readonly Change[],
): Map<string, Three<Value>> {
  const versions = new Map<string, Three<Value>>()
  const value = (json: Json | undefined) => json as unknown as Value | undefined
  for (const { key, before, after } of ours) {
    versions.set(key, { base: value(before), ours: value(after), theirs: value(before) })
  }
  for (const { key, before, after } of theirs) {
    const known = versions.get(key)
    versions.set(key, { base: value(before), ours: known ? known.ours : value(before), theirs: value(after) })
  }
  return versions
}

/** Answers the plan of all changed pages: what is deleted, and what the others' records become. */
export function* planPages(
  decisions: Decisions,
  changed: ReadonlyMap<string, Three<PageRecord>>,
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
  versions: Three<PageRecord>,
  { config }: Snapshot,
  relink: Relink,
): Step<PageRecord | undefined> {
  const settled = settleValues(versions)
  if (settled) return settled.value
  const { base, ours, theirs } = versions
  if (ours && theirs) return mergeRecords(decisions, base, ours, theirs, config)
  const [side, kept] = ours ? (['ours', ours] as const) : (['theirs', theirs!] as const)
  if (yield* meansTheSame(base!, kept, side, config.readme, relink)) return undefined
  return versions[decidePage(decisions, id, versions)]
}

/**
 * Answers whether a page changed only because others did: its folder was renamed above it, or links in it
 * followed a page that moved. Deleting such a page loses nothing that its other side wrote.
 */
function* meansTheSame(
  base: PageRecord,
  side: PageRecord,
  name: 'ours' | 'theirs',
  readme: string,
  relink: Relink,
): Step<boolean> {
  if (base.type !== 'document' || side.type !== 'document' || base.parent !== side.parent) return false
  const bare = ({ file, path: _path, text: _text, size: _size, updatedAt: _at, ...rest }: DocumentPage) => ({
    ...rest,
    name: nameOf(file) === readme ? '' : nameOf(file),
  })
  if (!equal(bare(base), bare(side))) return false
  if (base.text === side.text) return true
  if (base.text === undefined || side.text === undefined) return false
  const before = yield* relink.meaning('base', base.text, base.file)
  return before === (yield* relink.meaning(name, side.text, side.file))
}

/** A page that stands keeps the pages above it standing, whoever deleted them, or else leaves them if so decided. */
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
        child.merged = leave(child, child.merged, above, side, left)
        left.add(id)
      }
    }
  }
}

/** The page as the side has it that deleted the page above, or else under what was above that. */
function leave(
  child: PlannedPage,
  merged: PageRecord,
  above: PlannedPage,
  side: Side,
  left: ReadonlySet<PageId>,
): PageRecord {
  const there = child[side]
  if (there && !left.has(there.parent!)) return standsAs(merged, there)
  const { parent } = (above.ours ?? above.theirs)!
  return { ...merged, parent: parent !== null && left.has(parent) ? null : parent }
}

/**
 * Two moves may put two pages under each other: then the preferred side's parent stands, unless the other's was
 * decided for; with that, the other pages of the ring stand where that side has them.
 */
function* cutCycles(decisions: Decisions, plan: PagePlan, ours: Snapshot): Step<void> {
  const other = decisions.prefer === 'ours' ? 'theirs' : 'ours'
  const followed = new Set<PageId>()
  for (let cut = true; cut;) {
    cut = false
    for (const [id, page] of plan) {
      const preferred = page[decisions.prefer]
      if (!page.merged || !preferred || page.merged.parent === preferred.parent) continue
      const ring = yield* ringOf(id, plan, ours)
      if (!ring) continue
      cut = true
      const parents = {
        base: page.base?.parent ?? null,
        ours: page.ours!.parent,
        theirs: page.theirs!.parent,
      }
      const parent = followed.has(id) ? preferred.parent : decideMember(decisions, id, 'parent', parents)
      if (parent === preferred.parent) {
        page.merged = standsAs(page.merged, preferred)
        continue
      }
      followed.add(id)
      for (const one of ring) {
        const planned = plan.get(one)
        if (planned?.merged && planned[other]) planned.merged = standsAs(planned.merged, planned[other])
      }
    }
  }
}

/** The merged page where another version of it stands. */
function standsAs(merged: PageRecord, there: PageRecord): PageRecord {
  const { parent, position } = there
  return { ...merged, parent, position, ...placeIn(there) } as PageRecord
}

function placeIn(page: PageRecord): Partial<Pick<DocumentPage, 'file' | 'path' | 'slug'>> {
  if (page.type === 'link') return {}
  const { path, slug } = page
  return page.type === 'document' ? { path, slug, file: page.file } : { path, slug }
}

/** The pages that stand under one another in a ring, this one first; undefined when it is under the root. */
function* ringOf(id: PageId, plan: PagePlan, ours: Snapshot): Step<PageId[] | undefined> {
  const seen = new Set<PageId>([id])
  let parent = plan.get(id)?.merged?.parent ?? null
  while (parent !== null) {
    if (parent === id) return [...seen]
    if (seen.has(parent)) return undefined
    seen.add(parent)
    const above: PageRecord | undefined = plan.has(parent)
      ? plan.get(parent)!.merged
      : yield* findPage(ours, parent)
    parent = above?.parent ?? null
  }
  return undefined
}
