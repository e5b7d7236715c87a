/**
 * Copy-on-write edits of a Merkle map: a new root that shares every node which no edit touches.
 *
 * The tree is read from the top along the edited keys and written from the leaves upward. Invariant: `apply` returns
 * the root that `build` returns for the resulting entries. Its one subtlety is a deleted key that began nodes: their
 * remaining entries join the node before, on every level, which is why the path to the key's predecessor is read too.
 */
import type { Hash } from '../ids.js'
import { build, childIndex, splitRuns, heightOf, isLeaf, putRun, buildLevels, sameJson } from './shape.js'
import type { InnerEntry, LeafEntry } from './shape.js'
import { loadNodes } from './steps.js'
import type { InnerNode, Json, MapNode, MapRoot, NodeHash, Sink, Step } from './types.js'

/** A new value for a key; undefined removes it. */
export type Edit<Value = Json> = readonly [key: string, value: Value | undefined]

/**
 * Returns the root after the edits, which must come in strictly ascending key order. Edits that change
 * nothing (the value already there, a key already absent) write nothing.
 */
export function* apply<Value>(
  root: MapRoot<Value>,
  edits: readonly Edit<Value>[],
  sink: Sink,
): Step<MapRoot<Value>> {
  for (let index = 1; index < edits.length; index += 1) {
    if (edits[index - 1]![0] >= edits[index]![0]) {
      throw new RangeError(`Edits of a map must ascend: ${JSON.stringify(edits[index]![0])}`)
    }
  }
  if (edits.length === 0) return root
  if (root === null) {
    return build(
      edits.filter((edit): edit is LeafEntry<Value> => edit[1] !== undefined),
      sink,
    )
  }

  const levels = (yield* descend(root, edits)).toReversed()
  const values = new Map(edits)
  let outputs = resplit(
    levels[0]!.map(({ node, probes }) => ({
      before: node.entries as readonly LeafEntry<Value>[],
      after: editLeaf(node.entries as readonly LeafEntry<Value>[], probes, values),
    })),
    0,
  )
  const written = new Map<Hash, MapNode<Value>>()
  const recording: Sink = {
    putText: (text, former) => sink.putText(text, former),
    putNode(node) {
      const hash = sink.putNode(node)
      written.set(hash, node as MapNode<Value>)
      return hash
    },
  }
  for (let level = 1; level < levels.length; level += 1) {
    const put = outputs.map((runs) => runs?.map((run) => putRun(run, level - 1, recording)) ?? null)
    outputs = resplit(
      levels[level]!.map(({ node }, parent) => ({
        before: node.entries as readonly InnerEntry<Value>[],
        after: editInner(node.entries as readonly InnerEntry<Value>[], levels[level - 1]!, put, parent),
      })),
      level,
    )
  }
  return yield* finish(root, outputs[0]!, levels.length - 1, recording, written)
}

/** A node on the path to an edit, and the index of its parent among the visited nodes of the level above. */
interface Visited<Value> {
  readonly node: MapNode<Value>
  readonly parent: number
  readonly index: number
  readonly probes: readonly Probe[]
}

interface Probe {
  readonly key: string
  /** True to look for the last key before `key` instead of the key itself. */
  readonly before: boolean
}

/** Replacement of a visited node: null while it is unchanged, else runs of one node each. */
type Output<Value> = null | (LeafEntry<Value> | InnerEntry<Value>)[][]

function* descend<Value>(root: NodeHash<Value>, edits: readonly Edit<Value>[]): Step<Visited<Value>[][]> {
  const probes: Probe[] = edits.flatMap(([key, value]) =>
    value === undefined && heightOf(key) > 0
      ? [
          { key, before: true },
          { key, before: false },
        ]
      : [{ key, before: false }],
  )
  const nodes = yield* loadNodes([root])
  let level: Visited<Value>[] = [{ node: nodes[0]!, parent: 0, index: 0, probes }]
  const levels = [level]
  while (!isLeaf(level[0]!.node)) {
    const wanted: { hash: NodeHash<Value>; parent: number; index: number; probes: Probe[] }[] = []
    for (const [parent, visited] of level.entries()) {
      const node = visited.node as InnerNode<Value>
      for (const probe of visited.probes) {
        let index = childIndex(node, probe.key)
        if (probe.before && index > 0 && node.entries[index]![0] === probe.key) index -= 1
        const last = wanted.at(-1)
        if (last?.parent === parent && last.index === index) last.probes.push(probe)
        else wanted.push({ hash: node.entries[index]![1], parent, index, probes: [probe] })
      }
    }
    const loaded = yield* loadNodes(wanted.map((one) => one.hash))
    level = wanted.map(({ parent, index, probes }, at) => ({ node: loaded[at]!, parent, index, probes }))
    levels.push(level)
  }
  return levels
}

/** Returns the leaf's entries after its edits, or null when they change nothing. */
function editLeaf<Value>(
  entries: readonly LeafEntry<Value>[],
  probes: readonly Probe[],
  values: ReadonlyMap<string, Value | undefined>,
): LeafEntry<Value>[] | null {
  const after: LeafEntry<Value>[] = []
  let changed = false
  let next = 0
  for (const { key, before } of probes) {
    if (before) continue
    while (next < entries.length && entries[next]![0] < key) {
      after.push(entries[next]!)
      next += 1
    }
    const old = entries[next]?.[0] === key ? entries[next] : undefined
    if (old) next += 1
    const value = values.get(key)
    if (old && value !== undefined && sameJson(old[1], value)) after.push(old)
    else {
      if (value !== undefined) after.push([key, value])
      changed ||= value !== undefined || old !== undefined
    }
  }
  return changed ? [...after, ...entries.slice(next)] : null
}

/** Returns an inner node's entries with its changed children replaced, or null when none changed. */
function editInner<Value>(
  entries: readonly InnerEntry<Value>[],
  children: readonly Visited<Value>[],
  put: readonly (readonly InnerEntry<Value>[] | null)[],
  parent: number,
): InnerEntry<Value>[] | null {
  const replaced = new Map<number, readonly InnerEntry<Value>[]>()
  for (const [at, child] of children.entries()) {
    const runs = put[at]
    if (child.parent === parent && runs) replaced.set(child.index, runs)
  }
  if (replaced.size === 0) return null
  return entries.flatMap((entry, index) => replaced.get(index) ?? [entry])
}

/**
 * Splits the changed nodes of one level again. A first run whose key begins no node is the rest of a node whose first
 * key was deleted, and joins the node before it, which the descent has visited.
 */
function resplit<Value>(
  nodes: readonly {
    readonly before: readonly (LeafEntry<Value> | InnerEntry<Value>)[]
    readonly after: (LeafEntry<Value> | InnerEntry<Value>)[] | null
  }[],
  level: number,
): Output<Value>[] {
  const outputs: Output<Value>[] = []
  let last = -1
  for (const [at, { after }] of nodes.entries()) {
    const runs = after && splitRuns(after, level)
    if (runs?.[0] && last >= 0 && heightOf(runs[0][0]![0]) <= level) {
      const before = (outputs[last] ??= [[...nodes[last]!.before]])
      before.at(-1)!.push(...runs.shift()!)
    }
    outputs.push(runs)
    if (runs?.length !== 0) last = at
  }
  return outputs
}

/** Returns the root above the top level's runs: more levels when there are several, fewer when one child is left. */
function* finish<Value>(
  root: NodeHash<Value>,
  output: Output<Value>,
  level: number,
  sink: Sink,
  written: ReadonlyMap<Hash, MapNode<Value>>,
): Step<MapRoot<Value>> {
  if (output === null) return root
  if (output.length === 0) return null
  if (output.length > 1 || level === 0 || output[0]!.length > 1) {
    return buildLevels(
      output.map((run) => putRun(run, level, sink)),
      level + 1,
      sink,
    )
  }
  let only = output[0]![0]![1] as NodeHash<Value>
  for (;;) {
    const node = written.get(only) ?? (yield* loadNodes([only]))[0]!
    if (isLeaf(node) || node.entries.length > 1) return only
    only = node.entries[0]![1]
  }
}
