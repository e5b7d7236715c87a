/**
 * Small words for writing steps: ask for nodes or texts, answer several questions in one round trip.
 *
 * Nothing here knows where objects are kept; whoever drives the step decides.
 */
import type { Hash } from '../ids.js'
import type { Load, Loaded, MapNode, Step } from './types.js'

/** Answers the nodes of these hashes, in the same order; asks nothing when there are none. */
export function* loadNodes(hashes: readonly Hash[]): Step<readonly MapNode[]> {
  if (hashes.length === 0) return []
  return (yield { nodes: hashes }) as readonly MapNode[]
}

/** Answers the texts of these hashes, in the same order; asks nothing when there are none. */
export function* loadTexts(hashes: readonly Hash[]): Step<readonly string[]> {
  if (hashes.length === 0) return []
  return (yield { texts: hashes }) as readonly string[]
}

/** Asks for nothing: between two pieces of long work, where whoever drives may let others have their turn. */
export function* pause(): Step<void> {
  yield { nodes: [] }
}

/** Of work that takes a thousandth of a millisecond a thing, or two. */
const thingsPerPause = 500

/** Does something with each of many things, with pauses in between. */
export function* inPieces<Thing>(things: readonly Thing[], each: (thing: Thing) => unknown): Step<void> {
  for (const [at, thing] of things.entries()) {
    if (at % thingsPerPause === thingsPerPause - 1) yield* pause()
    each(thing)
  }
}

/** Answers the result of a step that only pauses; throws when it asks for something. */
export function atOnce<Result>(step: Step<Result>): Result {
  for (;;) {
    const state = step.next([])
    if (state.done) return state.value
    const hashes = 'nodes' in state.value ? state.value.nodes : state.value.texts
    if (hashes.length > 0) throw new Error('The step asks for objects, and nobody is there to answer')
  }
}

/**
 * Answers the results of independent steps, which advance side by side: what they want at the same
 * moment is asked together, so ten walks of depth three cost three round trips instead of thirty.
 */
export function* together<Results extends readonly unknown[]>(
  ...steps: { readonly [Index in keyof Results]: Step<Results[Index]> }
): Step<Results> {
  const results: unknown[] = []
  let running: Running[] = (steps as readonly Step<unknown>[]).map((step, index) => ({
    index,
    step,
    state: step.next(undefined as never),
  }))
  for (;;) {
    for (const { index, state } of running) if (state.done) results[index] = state.value
    running = running.filter(({ state }) => !state.done)
    if (running.length === 0) return results as unknown as Results
    const nodes = yield* answerAll(running, 'nodes')
    const texts = yield* answerAll(running, 'texts')
    running = running.map((one) => ({
      ...one,
      state: one.step.next(nodes.get(one.index) ?? texts.get(one.index)!),
    }))
  }
}

interface Running {
  readonly index: number
  readonly step: Step<unknown>
  readonly state: IteratorResult<Load, unknown>
}

function* answerAll(running: readonly Running[], kind: 'nodes' | 'texts'): Step<Map<number, Loaded>> {
  const asking = running.flatMap(({ index, state }) => {
    const load = state.value as { readonly nodes?: readonly Hash[]; readonly texts?: readonly Hash[] }
    const hashes = load[kind]
    return hashes ? [{ index, hashes }] : []
  })
  const hashes = [...new Set(asking.flatMap((one) => one.hashes))]
  const loaded: readonly (MapNode | string)[] =
    kind === 'nodes' ? yield* loadNodes(hashes) : yield* loadTexts(hashes)
  const byHash = new Map(hashes.map((hash, at) => [hash, loaded[at]!]))
  return new Map(
    asking.map(({ index, hashes: own }) => [index, own.map((hash) => byHash.get(hash)!) as Loaded]),
  )
}
