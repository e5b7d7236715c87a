/**
 * Combinators for steps: load nodes or texts, pause, and run several steps with batched loads.
 *
 * Where objects are stored is up to the driver of the step.
 */
import type { Hash } from '../ids.js'
import type { LoadRequest, LoadResult, MapNode, NodeHash, Step } from './types.js'

/** Returns the nodes of these hashes, in the same order; loads nothing when there are none. */
export function* loadNodes<Value>(hashes: readonly NodeHash<Value>[]): Step<readonly MapNode<Value>[]> {
  if (hashes.length === 0) return []
  // Nodes are stored without the type of their values: that of the root is trusted.
  return (yield { nodes: hashes }) as readonly MapNode<Value>[]
}

/** Returns the texts of these hashes, in the same order; loads nothing when there are none. */
export function* loadTexts(hashes: readonly Hash[]): Step<readonly string[]> {
  if (hashes.length === 0) return []
  return (yield { texts: hashes }) as readonly string[]
}

/** Loads nothing: a point in long work at which the driver may yield to the event loop. */
export function* pause(): Step<void> {
  yield { nodes: [] }
}

/** Of work that takes one or two microseconds an item. */
const itemsPerPause = 500

/** Calls a function with each of many items, with pauses in between. */
export function* forEachWithPauses<Item>(items: readonly Item[], each: (item: Item) => unknown): Step<void> {
  for (const [at, item] of items.entries()) {
    if (at % itemsPerPause === itemsPerPause - 1) yield* pause()
    each(item)
  }
}

/** Returns the result of a step that only pauses; throws when it loads something. */
export function runSync<Result>(step: Step<Result>): Result {
  for (;;) {
    const state = step.next([])
    if (state.done) return state.value
    const hashes = 'nodes' in state.value ? state.value.nodes : state.value.texts
    if (hashes.length > 0) throw new Error('The step loads objects, but nothing loads them')
  }
}

/**
 * Returns the results of independent steps, which advance concurrently: their simultaneous loads are batched,
 * so ten walks of depth three cost three round trips instead of thirty.
 */
export function* runTogether<Results extends readonly unknown[]>(
  ...steps: { readonly [Index in keyof Results]: Step<Results[Index]> }
): Step<Results> {
  const results: unknown[] = []
  let running: RunningStep[] = (steps as readonly Step<unknown>[]).map((step, index) => ({
    index,
    step,
    state: step.next(undefined as never),
  }))
  for (;;) {
    for (const { index, state } of running) if (state.done) results[index] = state.value
    running = running.filter(({ state }) => !state.done)
    if (running.length === 0) return results as readonly unknown[] as Results
    const nodes = yield* loadAll(running, 'nodes')
    const texts = yield* loadAll(running, 'texts')
    running = running.map((one) => ({
      ...one,
      state: one.step.next(nodes.get(one.index) ?? texts.get(one.index)!),
    }))
  }
}

interface RunningStep {
  readonly index: number
  readonly step: Step<unknown>
  readonly state: IteratorResult<LoadRequest, unknown>
}

function* loadAll(running: readonly RunningStep[], kind: 'nodes' | 'texts'): Step<Map<number, LoadResult>> {
  const asking = running.flatMap(({ index, state }) => {
    const load = state.value as { readonly nodes?: readonly Hash[]; readonly texts?: readonly Hash[] }
    const hashes = load[kind]
    return hashes ? [{ index, hashes }] : []
  })
  const hashes = [...new Set(asking.flatMap((one) => one.hashes))]
  const loaded: readonly (MapNode | string)[] =
    hashes.length === 0 ? [] : yield kind === 'nodes' ? { nodes: hashes } : { texts: hashes }
  const byHash = new Map(hashes.map((hash, at) => [hash, loaded[at]!]))
  return new Map(
    asking.map(({ index, hashes: own }) => [index, own.map((hash) => byHash.get(hash)!) as LoadResult]),
  )
}
