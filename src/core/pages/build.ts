/**
 * Builds a whole snapshot from all its records: an import does so, and every edit must have the same result.
 *
 * Linear but for sorting. Texts are described one by one beforehand, so that they need not be in memory
 * together; paths of documents are assigned before those of groups, because a file decides its path.
 */
import type { Hash } from '../ids.js'
import type { PageId } from '../ids.js'
import { buildInSteps } from '../merkle/map.js'
import { runSync, pause } from '../merkle/steps.js'
import type { MapRoot, Sink, Step } from '../merkle/types.js'
import { linkPageTargets, linkTargets } from './describe.js'
import type { Description } from './describe.js'
import { isLinked, textEntry } from './draft.js'
import { computedTarget, linkKey, orderKey, pathKey } from './keys.js'
import type { LinkSource } from './keys.js'
import type { ContentConfig } from '../config.js'
import type { FileRecord, NameEntry, PageRecord, Snapshot } from './types.js'

/** A stored text with its description. */
export interface DescribedText {
  readonly hash: Hash
  readonly size: number
  readonly description: Description
}

export interface SnapshotPlan {
  readonly config: ContentConfig
  /** Final records, including the members derived from texts. */
  readonly pages: readonly PageRecord[]
  readonly files: readonly FileRecord[]
  readonly texts: readonly { readonly path: string; readonly text: DescribedText; readonly id?: string }[]
  /** Descriptions of the pages' texts, by hash. */
  readonly descriptions: ReadonlyMap<Hash, Description>
}

/** Pages whose links are found between two pauses: some milliseconds. */
const pagesPerPause = 32

/** Puts all nodes of a snapshot and returns it; throws a RangeError when two records claim one key. */
export function buildSnapshot(plan: SnapshotPlan, sink: Sink): Snapshot {
  return runSync(buildSnapshotInSteps(plan, sink))
}

/** The same as a step that loads nothing and pauses: a space of thousands of pages takes a second. */
export function* buildSnapshotInSteps(plan: SnapshotPlan, sink: Sink): Step<Snapshot> {
  const order: Entry<null>[] = []
  const paths: Entry<PageId>[] = []
  const names: Entry<NameEntry>[] = []
  const links: Entry<null>[] = []
  const link = (source: LinkSource, file: string, description: Description | undefined): void => {
    for (const target of linkTargets(description ?? { references: [] }, file, plan.config)) {
      links.push([linkKey(target, source), null])
    }
  }
  for (const [index, page] of plan.pages.entries()) {
    if (index % pagesPerPause === 0) yield* pause()
    order.push([orderKey(page.parent, page.position, page.id), null])
    if (page.type !== 'link') paths.push([pathKey(page.path), page.id])
    if (page.type === 'link')
      for (const target of linkPageTargets(page.url, plan.config))
        links.push([linkKey(target, { page: page.id }), null])
    if (page.type === 'computed') links.push([linkKey(computedTarget, { page: page.id }), null])
    if (page.type !== 'document') continue
    names.push([page.file, { page: page.id }])
    if (page.text !== undefined) link({ page: page.id }, page.file, plan.descriptions.get(page.text))
  }
  for (const file of plan.files) names.push([file.path, { file: file.id }])
  for (const { path, text, id } of plan.texts) {
    names.push([path, textEntry(text, id, text.description.metadata.title)])
    if (isLinked(path, plan.config)) link({ text: path }, path, text.description)
  }
  return {
    pages: yield* buildMap(
      plan.pages.map((page) => [page.id, page]),
      sink,
    ),
    order: yield* buildMap(order, sink),
    paths: yield* buildMap(paths, sink),
    files: yield* buildMap(
      plan.files.map((file) => [file.id, file]),
      sink,
    ),
    names: yield* buildMap(names, sink),
    links: yield* buildMap(links, sink),
    config: plan.config,
  }
}

/** Returns the snapshot of an empty space. */
export function emptySnapshot(config: ContentConfig): Snapshot {
  return { pages: null, order: null, paths: null, files: null, names: null, links: null, config }
}

type Entry<Value> = [key: string, value: Value]

function buildMap<Value>(entries: Entry<Value>[], sink: Sink): Step<MapRoot<Value>> {
  return buildInSteps(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    sink,
  )
}

/** Returns whether two snapshots are equal: maps with the same entries have the same root. */
export function sameSnapshot(a: Snapshot, b: Snapshot): boolean {
  const maps = ['pages', 'order', 'paths', 'files', 'names', 'links'] as const
  return maps.every((map) => a[map] === b[map]) && JSON.stringify(a.config) === JSON.stringify(b.config)
}
