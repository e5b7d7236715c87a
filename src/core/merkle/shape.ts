/**
 * Content-defined chunking of a map's tree (as in a prolly tree): which keys begin a node, and building nodes from
 * sorted entries.
 *
 * Whether a key begins a node at a level depends on the hash of the key alone, hence the same entries make the same
 * tree whatever the order of edits, and an edit never moves another key's boundary. One hash serves all levels (each
 * four zero bits raise the key by one), so a tree has at most nine levels. Nodes hold 16 entries on average and are not
 * capped: a writer who searches for keys that never begin a node only makes their own space slow.
 */
import { runSync, pause } from './steps.js'
import type { InnerNode, Json, LeafNode, MapNode, MapRoot, NodeHash, Sink, Step } from './types.js'

export type LeafEntry<Value = Json> = LeafNode<Value>['entries'][number]
export type InnerEntry<Value = Json> = InnerNode<Value>['entries'][number]

/** Returns the level below which the key begins a node: 0 for 15 keys of 16, 1 for 15 of the next 16, … */
export function heightOf(key: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  }
  // FNV alone leaves the high bits of short keys poorly mixed.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return Math.clz32(hash ^ (hash >>> 16)) >> 2
}

/** Splits entries of one level into runs, one for each node; the first run may begin with any key. */
export function splitRuns<Entry extends LeafEntry<unknown> | InnerEntry<unknown>>(
  entries: readonly Entry[],
  level: number,
): Entry[][] {
  const runs: Entry[][] = []
  let run: Entry[] = []
  for (const entry of entries) {
    if (run.length > 0 && heightOf(entry[0]) > level) {
      runs.push(run)
      run = []
    }
    run.push(entry)
  }
  if (run.length > 0) runs.push(run)
  return runs
}

/** Puts one node and returns its entry for the level above. */
export function putRun<Value>(
  run: readonly (LeafEntry<Value> | InnerEntry<Value>)[],
  level: number,
  sink: Sink,
): InnerEntry<Value> {
  const node = nodeOf(run, level)
  return [run[0]![0], sink.putNode(node as MapNode) as NodeHash<Value>, countOf(node)]
}

/** Builds the levels above `level` until one node holds all; returns its hash. */
export function buildLevels<Value>(
  entries: readonly InnerEntry<Value>[],
  level: number,
  sink: Sink,
): NodeHash<Value> {
  let above = entries
  for (let at = level; above.length > 1; at += 1)
    above = splitRuns(above, at).map((run) => putRun(run, at, sink))
  return above[0]![1]
}

/** Returns how many entries of the map lie below a node. */
export function countOf(node: MapNode<unknown>): number {
  if (isLeaf(node)) return node.entries.length
  let count = 0
  for (const entry of node.entries) count += entry[2]
  return count
}

export function isLeaf<Value>(node: MapNode<Value>): node is LeafNode<Value> {
  return node.level === 0
}

/** Returns the index of the child whose range holds the key; 0 also for keys before the first child. */
export function childIndex(node: InnerNode<unknown>, key: string): number {
  let low = 0
  let high = node.entries.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (node.entries[middle]![0] <= key) low = middle
    else high = middle - 1
  }
  return low
}

/** Returns the index of the first entry whose key is not below `key`. */
export function lowerBound(entries: readonly (readonly [string, ...unknown[]])[], key: string): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]![0] < key) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns whether two values are the same JSON; the order of members and absent members do not count. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, index) => sameJson(item, b[index]))
  }
  const left = a as Readonly<Record<string, unknown>>
  const right = b as Readonly<Record<string, unknown>>
  for (const key in left) if (!sameJson(left[key], right[key])) return false
  for (const key in right) if (right[key] !== undefined && left[key] === undefined) return false
  return true
}

/** Builds a map from entries in strictly ascending key order; returns its root. */
export function build<Value>(entries: readonly LeafEntry<Value>[], sink: Sink): MapRoot<Value> {
  return runSync(buildInSteps(entries, sink))
}

/** Leaves between two pauses: some milliseconds. */
const leavesPerPause = 32

/** The same as a step that loads nothing and pauses. */
export function* buildInSteps<Value>(entries: readonly LeafEntry<Value>[], sink: Sink): Step<MapRoot<Value>> {
  for (let index = 1; index < entries.length; index += 1) {
    if (entries[index - 1]![0] >= entries[index]![0]) {
      throw new RangeError(`Keys of a map must ascend: ${JSON.stringify(entries[index]![0])}`)
    }
  }
  if (entries.length === 0) return null
  const leaves: InnerEntry<Value>[] = []
  for (const run of splitRuns(entries, 0)) {
    if (leaves.length % leavesPerPause === 0) yield* pause()
    leaves.push(putRun(run, 0, sink))
  }
  return buildLevels(leaves, 1, sink)
}

function nodeOf<Value>(
  run: readonly (LeafEntry<Value> | InnerEntry<Value>)[],
  level: number,
): MapNode<Value> {
  return level === 0
    ? { level: 0, entries: run as readonly LeafEntry<Value>[] }
    : { level, entries: run as readonly InnerEntry<Value>[] }
}
