/**
 * In-memory object store for tests: a sink, and a driver for steps.
 *
 * An object's name is the number of its first `put`, so equal objects have equal names inside one
 * memory, without hashing. Not for use outside tests: objects are never evicted.
 */
import type { Hash } from '../ids.js'
import type { LoadRequest, LoadResult, MapNode, Sink, Step } from './types.js'

export interface Memory extends Sink {
  /** Runs a step to its result; throws when it asks for an object that was never put. */
  run<Result>(step: Step<Result>): Result
  text(hash: Hash): string
  /**
   * Counts since the last `resetCounts`: loads, those that a cache could not have served,
   * objects read, new objects written and their UTF-16 length.
   */
  readonly counts: { questions: number; roundTrips: number; reads: number; writes: number; bytes: number }
  resetCounts(): void
}

/** Returns an empty store. */
export function memoryObjects(): Memory {
  const names = new Map<string, Hash>()
  const nodes = new Map<Hash, MapNode>()
  const texts = new Map<Hash, string>()
  const counts = { questions: 0, roundTrips: 0, reads: 0, writes: 0, bytes: 0 }
  const cached = new Set<Hash>()

  function name(kind: string, content: string): Hash {
    const known = names.get(kind + content)
    if (known) return known
    const hash = `${kind}${names.size}` as Hash
    names.set(kind + content, hash)
    counts.writes += 1
    counts.bytes += content.length
    return hash
  }

  function load(wanted: LoadRequest): LoadResult {
    const hashes = 'nodes' in wanted ? wanted.nodes : wanted.texts
    // A pause loads nothing.
    if (hashes.length === 0) return []
    counts.questions += 1
    if (hashes.some((hash) => !cached.has(hash))) counts.roundTrips += 1
    for (const hash of hashes) cached.add(hash)
    if ('nodes' in wanted) return wanted.nodes.map((hash) => find(nodes, hash))
    return wanted.texts.map((hash) => find(texts, hash))
  }

  function find<Value>(among: ReadonlyMap<Hash, Value>, hash: Hash): Value {
    counts.reads += 1
    const value = among.get(hash)
    if (value === undefined) throw new Error(`No object ${hash}`)
    return value
  }

  return {
    counts,
    resetCounts() {
      Object.assign(counts, { questions: 0, roundTrips: 0, reads: 0, writes: 0, bytes: 0 })
      cached.clear()
    },
    text: (hash) => find(texts, hash),
    putNode(node) {
      const hash = name('n', JSON.stringify(node, sortMembers))
      // A copy, as a store would decode it: no caller may depend on the identity of the object it put.
      if (!nodes.has(hash)) nodes.set(hash, JSON.parse(JSON.stringify(node)) as MapNode)
      return hash
    },
    putText(text) {
      const hash = name('t', text)
      texts.set(hash, text)
      return hash
    },
    run(step) {
      let state = step.next(undefined as never)
      while (!state.done) state = step.next(load(state.value))
      return state.value
    },
  }
}

function sortMembers(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value as Record<string, unknown>)
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
