/**
 * Merkle diff of two maps: the keys that differ, at a cost that follows the difference.
 *
 * Both trees are opened level by level, the taller one first; a node that both have at the same level holds the
 * same entries and is skipped unread. The remaining leaf entries are merged by key.
 */
import { sameJson } from './shape.js'
import type { LeafEntry } from './shape.js'
import { loadNodes } from './steps.js'
import type { InnerNode, Json, LeafNode, MapNode, MapRoot, NodeHash, Step } from './types.js'

/** A key that differs; `before` is absent for an added key, `after` for a removed one. */
export interface Change<Value = Json> {
  readonly key: string
  readonly before?: Value
  readonly after?: Value
}

/** Returns the keys whose values differ between two maps, in ascending order. */
export function* diff<Value>(a: MapRoot<Value>, b: MapRoot<Value>): Step<Change<Value>[]> {
  if (a === b) return []
  let left = a === null ? [] : [a]
  let right = b === null ? [] : [b]
  let leftNodes = yield* loadNodes(left)
  let rightNodes = yield* loadNodes(right)
  for (;;) {
    const leftLevel = leftNodes[0]?.level ?? 0
    const rightLevel = rightNodes[0]?.level ?? 0
    if (leftLevel === 0 && rightLevel === 0) return merge(entriesOf(leftNodes), entriesOf(rightNodes))
    const level = Math.max(leftLevel, rightLevel)
    left = leftLevel === level ? childrenOf(leftNodes) : left
    right = rightLevel === level ? childrenOf(rightNodes) : right
    const inLeft = new Set(left)
    const shared = new Set(right.filter((hash) => inLeft.has(hash)))
    if (shared.size > 0) {
      left = left.filter((hash) => !shared.has(hash))
      right = right.filter((hash) => !shared.has(hash))
    }
    const loaded = yield* loadNodes([...left, ...right])
    leftNodes = loaded.slice(0, left.length)
    rightNodes = loaded.slice(left.length)
  }
}

function childrenOf<Value>(nodes: readonly MapNode<Value>[]): NodeHash<Value>[] {
  return (nodes as readonly InnerNode<Value>[]).flatMap((node) => node.entries.map((entry) => entry[1]))
}

function entriesOf<Value>(nodes: readonly MapNode<Value>[]): LeafEntry<Value>[] {
  return (nodes as readonly LeafNode<Value>[]).flatMap((node) => node.entries)
}

function merge<Value>(
  left: readonly LeafEntry<Value>[],
  right: readonly LeafEntry<Value>[],
): Change<Value>[] {
  const changes: Change<Value>[] = []
  let i = 0
  let j = 0
  while (i < left.length || j < right.length) {
    const before = left[i]
    const after = right[j]
    if (before && (!after || before[0] < after[0])) {
      changes.push({ key: before[0], before: before[1] })
      i += 1
    } else if (after && (!before || after[0] < before[0])) {
      changes.push({ key: after[0], after: after[1] })
      j += 1
    } else if (before && after) {
      if (!sameJson(before[1], after[1])) changes.push({ key: before[0], before: before[1], after: after[1] })
      i += 1
      j += 1
    }
  }
  return changes
}
