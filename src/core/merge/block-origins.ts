/**
 * Provenance of blocks in a three-way merge: which blocks of the base each chunk of a side has the content of, because it
 * is the same block, a reworded one, one that moved, or a block that several were joined to.
 *
 * Equal blocks of one section are one origin: which of them a side deleted is arbitrary. A version that has one of them
 * word for word has a second origin besides, which a rewording of another one does not have.
 */
import { type Alignment, isSimilar } from './align-blocks.js'
import { type AlignedVersions, versionOf } from './align-versions.js'
import { type Range, type ThreeWayChunks, countEach } from './block-plan.js'
import type { Chunk } from './chunks.js'
import { internTexts } from './lcs.js'
import { parentHeadings } from './sections.js'
import { type WordBag, containedShare, countWords, findBestMatches } from './word-similarity.js'

/** Share of a block's words that a block must have that it was joined to. */
const minJoinedShare = 0.7
/** Shorter blocks may have their words in another by chance. */
const minJoinedWords = 2

export interface Origins {
  /** The origins that neither side deleted. */
  readonly inBoth: readonly number[]
  /** Calls `visit` with each origin of a version's chunks. */
  forEach(version: 0 | 1 | 2, range: Range, visit: (origin: number) => void): void
}

/** The origins of a version's chunks. */
interface VersionOrigins {
  /** The origin of each chunk; -1 for none. */
  readonly first: Int32Array
  /** The origin of each chunk that is word for word a block that repeats in the base; -1 for others. */
  readonly repeated: Int32Array
  /** More origins of the chunks that blocks were joined to. */
  readonly joined: ReadonlyMap<number, readonly number[]>
}

/** Returns the origins of all chunks; joined blocks, which are costly to find, only where the merge has conflicts. */
export function findOrigins(versions: AlignedVersions, hasConflicts: boolean): Origins {
  const { inputs, toOurs, toTheirs } = versions
  const [base, ours, theirs] = inputs
  const originOf = numberOrigins(base.chunks)
  const repeated = numberRepeated(inputs)
  const joined = [toOurs, toTheirs].map((alignment, side) =>
    originsOfSide(originOf, alignment, base.chunks, [ours, theirs][side]!.chunks, hasConflicts),
  )
  const all: readonly VersionOrigins[] = [{ first: originOf, joined: new Map() }, ...joined].map(
    (origins, version) => ({ ...origins, repeated: repeated[version]! }),
  )
  const [inOurs, inTheirs] = [all[1]!, all[2]!].map((origins) => {
    const found = new Set([...origins.first, ...origins.repeated, ...[...origins.joined.values()].flat()])
    found.delete(-1)
    return found
  })
  return {
    inBoth: [...inOurs!].filter((origin) => inTheirs!.has(origin)),
    forEach(version, { from, to }, visit) {
      const { first, repeated, joined } = all[version]!
      for (let at = from; at < to; at++) {
        if (first[at]! >= 0) visit(first[at]!)
        if (repeated[at]! >= 0) visit(repeated[at]!)
        if (joined.size > 0) for (const origin of joined.get(at) ?? []) visit(origin)
      }
    },
  }
}

/**
 * In each version the origins of blocks that repeat in the base, equal for equal blocks below the same headings, numbered
 * from the length of the base.
 */
function numberRepeated(inputs: ThreeWayChunks): readonly Int32Array[] {
  const base = inputs[0].chunks
  const counts = countEach(base.map(({ body }) => body))
  const paths = new Map<string, number>()
  return inputs.map(({ chunks }) => {
    const parents = parentHeadings(chunks)
    const numbers = new Int32Array(chunks.length)
    for (const [at, { body }] of chunks.entries()) {
      const parent = parents[at]!
      const path = `${parent < 0 ? '' : numbers[parent]} ${body}`
      if (!paths.has(path)) paths.set(path, paths.size)
      numbers[at] = paths.get(path)!
    }
    return numbers.map((path, at) => ((counts.get(chunks[at]!.body) ?? 0) > 1 ? base.length + path : -1))
  })
}

/** The first equal block of the same section. */
function numberOrigins(base: readonly Chunk[]): Int32Array {
  const [bodies] = internTexts(base.map(({ body }) => body))
  const parents = parentHeadings(base)
  const first = new Map<number, number>()
  return Int32Array.from(bodies!, (body, at) => {
    const key = (parents[at]! + 1) * base.length + body
    const origin = first.get(key) ?? at
    first.set(key, origin)
    return origin
  })
}

function originsOfSide(
  originOf: Int32Array,
  alignment: Alignment,
  base: readonly Chunk[],
  side: readonly Chunk[],
  withJoined: boolean,
): Omit<VersionOrigins, 'repeated'> {
  const first = new Int32Array(side.length).fill(-1)
  const joined = new Map<number, number[]>()
  const deleted: number[] = []
  for (const [block, origin] of originOf.entries()) {
    const at = versionOf(alignment, block)
    if (at >= 0 && isSimilar(base[block]!, side[at]!)) first[at] = origin
    else deleted.push(block)
  }
  if (!withJoined || deleted.length === 0) return { first, joined }
  const isUnchanged = new Uint8Array(side.length)
  for (const [block, { body }] of base.entries()) {
    const at = versionOf(alignment, block)
    if (at >= 0 && side[at]!.body === body) isUnchanged[at] = 1
  }
  const changed = [...side.keys()].filter((at) => !isUnchanged[at])
  const bags = deleted.map((block) => countWords(base[block]!.body))
  const candidates = changed.map((at) => countWords(side[at]!.body))
  const share = (part: WordBag, whole: WordBag) =>
    part.size < minJoinedWords ? 0 : containedShare(part, whole)
  const found = findBestMatches(bags, candidates, (bag, at) => share(bags[bag]!, candidates[at]!))
  for (const [index, best] of found.entries()) {
    if (!best || best.score < minJoinedShare) continue
    const at = changed[best.at]!
    joined.set(at, [...(joined.get(at) ?? []), originOf[deleted[index]!]!])
  }
  return { first, joined }
}
