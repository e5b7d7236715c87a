/**
 * Ordered map from string to JSON as a history-independent Merkle tree: the same entries always have the same root.
 * Reads are in this file; building, editing and comparing in their own.
 *
 * Keys compare by UTF-16 code unit (`<` of JavaScript). Every function is a `Step`: it loads all
 * the nodes of one level together, so a read costs as many round trips as the tree has levels.
 */
import { childIndex, countOf, isLeaf, lowerBound } from './shape.js'
import type { LeafEntry } from './shape.js'
import { loadNodes } from './steps.js'
import type { InnerNode, LeafNode, MapRoot, NodeHash, Step } from './types.js'

export { apply } from './apply.js'
export type { Edit } from './apply.js'
export { diff } from './diff.js'
export type { Change } from './diff.js'
export { build, buildInSteps, sameJson } from './shape.js'
export type { LeafEntry } from './shape.js'

/** Returns the value at a key, or undefined. */
export function* get<Value>(root: MapRoot<Value>, key: string): Step<Value | undefined> {
  let hash = root
  while (hash !== null) {
    const node = (yield* loadNodes([hash]))[0]!
    if (isLeaf(node)) {
      const entry = node.entries[lowerBound(node.entries, key)]
      return entry?.[0] === key ? entry[1] : undefined
    }
    hash = node.entries[childIndex(node, key)]![1]
  }
  return undefined
}

/** Returns the values of many keys, in the order of the keys; the shared parts of their paths load once. */
export function* getMany<Value>(root: MapRoot<Value>, keys: readonly string[]): Step<(Value | undefined)[]> {
  const found = new Map<string, Value>()
  let wanted = new Map<NodeHash<Value>, string[]>()
  if (root !== null && keys.length > 0) wanted.set(root, [...new Set(keys)])
  while (wanted.size > 0) {
    const nodes = yield* loadNodes([...wanted.keys()])
    const below = new Map<NodeHash<Value>, string[]>()
    let index = 0
    for (const keysBelow of wanted.values()) {
      const node = nodes[index]!
      index += 1
      for (const key of keysBelow) {
        if (isLeaf(node)) {
          const entry = node.entries[lowerBound(node.entries, key)]
          if (entry?.[0] === key) found.set(key, entry[1])
        } else {
          const child = node.entries[childIndex(node, key)]![1]
          const others = below.get(child)
          if (others) others.push(key)
          else below.set(child, [key])
        }
      }
    }
    wanted = below
  }
  return keys.map((key) => found.get(key))
}

/** Returns the value at a key in each of many maps, in the order of the maps; nodes that they share load once. */
export function* getAcross<Value>(
  roots: readonly MapRoot<Value>[],
  key: string,
): Step<(Value | undefined)[]> {
  const values = new Map<NodeHash<Value>, Value | undefined>()
  let hashes = roots
  for (;;) {
    const wanted = [...new Set(hashes)].filter((hash) => hash !== null && !values.has(hash))
    if (wanted.length === 0) return hashes.map((hash) => (hash === null ? undefined : values.get(hash)))
    const nodes = yield* loadNodes(wanted as NodeHash<Value>[])
    const below = new Map<MapRoot<Value>, NodeHash<Value>>()
    for (const [at, node] of nodes.entries()) {
      const hash = wanted[at]!
      if (isLeaf(node)) {
        const entry = node.entries[lowerBound(node.entries, key)]
        values.set(hash, entry?.[0] === key ? entry[1] : undefined)
      } else below.set(hash, node.entries[childIndex(node, key)]![1])
    }
    hashes = hashes.map((hash) => below.get(hash) ?? hash)
  }
}

export interface KeyRange {
  /** First key of the range, inclusive. */
  readonly from?: string
  /** End of the range, exclusive. */
  readonly to?: string
  /** Only keys with this prefix; narrows `from` and `to` further. */
  readonly prefix?: string
  readonly limit?: number
  /** Descending keys; a limit counts from the end. */
  readonly reverse?: boolean
}

/** Returns the entries of a range in key order; with a limit it reads little more than the entries it returns. */
export function* range<Value>(root: MapRoot<Value>, within: KeyRange = {}): Step<LeafEntry<Value>[]> {
  const { from, to } = boundsOf(within)
  const limit = within.limit ?? Infinity
  const reverse = within.reverse ?? false
  if (root === null || limit <= 0) return []
  let hashes: NodeHash<Value>[] = [root]
  for (;;) {
    const nodes = yield* loadNodes(hashes)
    if (isLeaf(nodes[0]!)) {
      const entries = (nodes as readonly LeafNode<Value>[]).flatMap((leaf) => {
        const start = lowerBound(leaf.entries, from)
        const end = to === undefined ? leaf.entries.length : lowerBound(leaf.entries, to)
        return leaf.entries.slice(start, end)
      })
      if (reverse) entries.reverse()
      return entries.length > limit ? entries.slice(0, limit) : entries
    }
    const children = (nodes as readonly InnerNode<Value>[]).flatMap((node) => {
      const start = childIndex(node, from)
      const end = to === undefined ? node.entries.length : lowerBound(node.entries, to)
      return node.entries.slice(start, Math.max(start, end))
    })
    // The first and last child may hold nothing of the range, so only the others count against the limit.
    const ordered = reverse ? children.toReversed() : children
    hashes = []
    let guaranteed = 0
    for (let index = 0; index < ordered.length && guaranteed < limit; index += 1) {
      hashes.push(ordered[index]![1])
      if (index > 0 && index < ordered.length - 1) guaranteed += ordered[index]![2]
    }
    if (hashes.length === 0) return []
    if (!reverse) continue
    hashes.reverse()
  }
}

/** Returns the number of entries; reads the root alone. */
export function* count(root: MapRoot<unknown>): Step<number> {
  if (root === null) return 0
  return countOf((yield* loadNodes([root]))[0]!)
}

/** Returns how many keys are below `key`, whether or not it is in the map. */
export function* rank(root: MapRoot<unknown>, key: string): Step<number> {
  let below = 0
  let hash = root
  while (hash !== null) {
    const node = (yield* loadNodes([hash]))[0]!
    if (isLeaf(node)) return below + lowerBound(node.entries, key)
    const index = childIndex(node, key)
    for (let before = 0; before < index; before += 1) below += node.entries[before]![2]
    hash = node.entries[index]![1]
  }
  return below
}

/** Returns the number of keys with each prefix, which is not empty; the shared parts of their paths load once. */
export function* countPrefixes(root: MapRoot<unknown>, prefixes: readonly string[]): Step<number[]> {
  const total = yield* count(root)
  const ends = prefixes.map(endOfPrefix)
  const below = yield* ranks(root, [...prefixes, ...ends.map((end) => end ?? '')])
  return ends.map((end, index) => (end === undefined ? total : below[ends.length + index]!) - below[index]!)
}

/** Returns how many keys are below each of `keys`. */
function* ranks(root: MapRoot<unknown>, keys: readonly string[]): Step<number[]> {
  const below = keys.map(() => 0)
  let wanted = new Map<NodeHash<unknown>, number[]>()
  if (root !== null && keys.length > 0) wanted.set(root, [...keys.keys()])
  while (wanted.size > 0) {
    const nodes = yield* loadNodes([...wanted.keys()])
    const children = new Map<NodeHash<unknown>, number[]>()
    let index = 0
    for (const keysBelow of wanted.values()) {
      const node = nodes[index]!
      index += 1
      const before = isLeaf(node) ? [] : countsBefore(node)
      for (const key of keysBelow) {
        if (isLeaf(node)) {
          below[key]! += lowerBound(node.entries, keys[key]!)
          continue
        }
        const at = childIndex(node, keys[key]!)
        below[key]! += before[at]!
        const child = node.entries[at]![1]
        const others = children.get(child)
        if (others) others.push(key)
        else children.set(child, [key])
      }
    }
    wanted = children
  }
  return below
}

/** Returns the number of map entries before each child. */
function countsBefore(node: InnerNode<unknown>): number[] {
  let sum = 0
  return node.entries.map(([, , size]) => (sum += size) - size)
}

/** Returns the entry at an index from 0, or undefined beyond either end. */
export function* at<Value>(root: MapRoot<Value>, index: number): Step<LeafEntry<Value> | undefined> {
  let remaining = index
  let hash = index < 0 ? null : root
  while (hash !== null) {
    const node = (yield* loadNodes([hash]))[0]!
    if (isLeaf(node)) return node.entries[remaining]
    hash = null
    for (const [, child, size] of node.entries) {
      if (remaining < size) {
        hash = child
        break
      }
      remaining -= size
    }
  }
  return undefined
}

/** Returns the smallest string above every string that begins with `prefix`; undefined when there is none. */
export function endOfPrefix(prefix: string): string | undefined {
  for (let length = prefix.length; length > 0; length -= 1) {
    const last = prefix.charCodeAt(length - 1)
    if (last < 0xffff) return prefix.slice(0, length - 1) + String.fromCharCode(last + 1)
  }
  return undefined
}

function boundsOf(within: KeyRange): { from: string; to: string | undefined } {
  let from = within.from ?? ''
  let to = within.to
  if (within.prefix !== undefined) {
    const end = endOfPrefix(within.prefix)
    if (within.prefix > from) from = within.prefix
    if (to === undefined || (end !== undefined && end < to)) to = end ?? to
  }
  return { from, to }
}
