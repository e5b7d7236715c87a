/**
 * Write buffer over a Merkle map: reads see the pending edits, and `applyOverlay` writes them in one pass.
 *
 * A batch of edits costs one pass over the tree instead of one for each; meant for batches of tens,
 * as every range read scans all pending edits.
 */
import { apply, endOfPrefix, get, getMany, range, rank, at } from './map.js'
import type { Edit, LeafEntry } from './map.js'
import type { Json, MapRoot, Sink, Step } from './types.js'

export interface Overlay<Value = Json> {
  readonly root: MapRoot<Value>
  readonly edits: Map<string, Value | undefined>
}

/** Returns an overlay without edits. */
export function overlayOf<Value>(root: MapRoot<Value>): Overlay<Value> {
  return { root, edits: new Map() }
}

/** Returns the value at a key, or undefined. */
export function* overlayGet<Value>(overlay: Overlay<Value>, key: string): Step<Value | undefined> {
  return overlay.edits.has(key) ? overlay.edits.get(key) : yield* get(overlay.root, key)
}

/** Returns the values of many keys, in the order of the keys. */
export function* overlayGetMany<Value>(
  overlay: Overlay<Value>,
  keys: readonly string[],
): Step<(Value | undefined)[]> {
  const unedited = keys.filter((key) => !overlay.edits.has(key))
  const values = yield* getMany(overlay.root, unedited)
  const found = new Map(unedited.map((key, index) => [key, values[index]]))
  return keys.map((key) => (found.has(key) ? found.get(key) : overlay.edits.get(key)))
}

/** Returns the entries whose keys begin with `prefix`, ascending, or from the end when `reverse`. */
export function* overlayRange<Value>(
  overlay: Overlay<Value>,
  within: {
    readonly prefix: string
    readonly from?: string
    readonly limit?: number
    readonly reverse?: boolean
  },
): Step<LeafEntry<Value>[]> {
  const { prefix, from = prefix, limit = Infinity, reverse = false } = within
  const edits = sortedEdits(overlay, prefix).filter(([key]) => key >= from)
  const removed = edits.filter(([, value]) => value === undefined).length
  const stored = yield* range(overlay.root, { prefix, from, limit: limit + removed + edits.length, reverse })
  const edited = new Set(edits.map(([key]) => key))
  const merged = [
    ...stored.filter(([key]) => !edited.has(key)),
    ...edits.filter((edit): edit is LeafEntry<Value> => edit[1] !== undefined),
  ].toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (reverse) merged.reverse()
  return merged.slice(0, limit)
}

/**
 * Returns the keys just before and just after an index among the keys that begin with `prefix`, both null
 * beyond the ends; reads a few nodes, however many keys there are.
 */
export function* overlayNeighbours<Value>(
  overlay: Overlay<Value>,
  prefix: string,
  index: number,
): Step<{ before: string | null; after: string | null }> {
  const edits = sortedEdits(overlay, prefix)
  const first = yield* rank(overlay.root, prefix)
  const end = endOfPrefix(prefix)
  const stored = (end === undefined ? Infinity : yield* rank(overlay.root, end)) - first
  // At most `edits.length` keys can be added before an index, so this window begins at or before it.
  const start = Math.max(0, Math.min(index, stored) - edits.length - 1)
  const from = start === 0 ? prefix : ((yield* at(overlay.root, first + start))?.[0] ?? prefix)
  const known = yield* getMany(
    overlay.root,
    edits.map(([key]) => key),
  )
  let passed = start
  for (const [index, [key, value]] of edits.entries()) {
    if (key >= from) break
    if (value !== undefined && known[index] === undefined) passed += 1
    if (value === undefined && known[index] !== undefined) passed -= 1
  }
  const window = yield* overlayRange(overlay, { prefix, from, limit: Math.max(0, index - passed) + 1 })
  const after = window[index - passed]?.[0] ?? null
  const before = window.at(after === null ? -1 : -2)?.[0] ?? null
  return { before, after }
}

/** Returns the root with all edits applied. */
export function* applyOverlay<Value>(overlay: Overlay<Value>, sink: Sink): Step<MapRoot<Value>> {
  return yield* apply(overlay.root, sortedEdits(overlay, ''), sink)
}

function sortedEdits<Value>(overlay: Overlay<Value>, prefix: string): Edit<Value>[] {
  return [...overlay.edits].filter(([key]) => key.startsWith(prefix)).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
