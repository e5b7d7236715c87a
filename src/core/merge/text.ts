/**
 * Three versions of a Markdown text become one, and a list of conflicts that may be empty.
 *
 * Blocks first, what is inside them second. The policy, and its price:
 * - Both sides change different blocks, even neighbours: both changes stand. A block is a thought of its own;
 *   whoever needs the two to agree must read the result.
 * - Both change the same container, list or item: the same rule inside it. Both change the same block with no
 *   blocks inside: by lines and words (see `leaf.ts`), or else the whole block is the conflict.
 * - Both insert at the same place: both are kept, ours first; what is equal is kept once.
 * - One edits, the other deletes: conflict. Both delete: deleted.
 * - A move is a deletion and an insertion: moved and edited is a conflict, and the moved copy stands too;
 *   moved by both to different places, it stands in both.
 * - Blank lines never conflict. Text never holds markers: a conflict shows the side that is preferred.
 */
import { alignChunks } from './align.js'
import { type Chunk, type Chunks, openChunk, splitBlocks } from './chunks.js'
import { type MergedText, type Settlement, concatenate, dispute, plain, settle, shift } from './dispute.js'
import type { TextConflict } from './dispute.js'
import { countLines, mergeLeaf } from './leaf.js'
import { internTexts, matchSequences } from './sequence.js'
import { mergeKeys } from './yaml.js'

/** Deeper nesting, and longer containers, are merged as one piece: by lines. */
const depthLimit = 16
const openLimit = 200_000
/** Texts of more lines are merged by lines, as a whole. */
const lineLimit = 100_000

/** Returns the merge of two changed versions of `base`; where they conflict, the text shows what is settled. */
export function mergeTexts(
  base: string,
  ours: string,
  theirs: string,
  settlement: Settlement = { prefer: 'ours' },
): MergedText {
  const settled = settle(base, ours, theirs)
  if (settled !== undefined) return plain(settled)
  if (Math.max(...[base, ours, theirs].map(countLines)) > lineLimit) {
    const merged = mergeLeaf(base, ours, theirs, true)
    return merged === undefined ? dispute({ base, ours, theirs }, settlement) : plain(merged)
  }
  const [b, o, t] = [base, ours, theirs].map(splitFrontMatter) as [FrontMatter, FrontMatter, FrontMatter]
  const front = mergeFrontMatter(b, o, t, settlement)
  const lineEnding = /\r?\n/.exec(base || ours || theirs)?.[0] ?? '\n'
  const body = mergeChunks(splitBlocks(b.body), splitBlocks(o.body), splitBlocks(t.body), {
    settlement,
    lineEnding,
    depth: 0,
    blankLines: true,
  })
  const parts = front.text === '' || front.text.endsWith('\n') || body.text === ''
  return concatenate([front, plain(parts ? '' : lineEnding), body])
}

interface FrontMatter {
  /** Fences and keys, each with its line ending; empty when the text has no front matter. */
  readonly open: string
  readonly keys: string
  readonly close: string
  readonly body: string
}

function splitFrontMatter(text: string): FrontMatter {
  const open = /^\uFEFF?---[ \t]*\r?\n/.exec(text)?.[0] ?? ''
  const close = open && /^---[ \t]*(?:\r?\n|$(?![^]))/m.exec(text.slice(open.length))
  if (!close) return { open: '', keys: '', close: '', body: text }
  const end = open.length + close.index
  return {
    open,
    keys: text.slice(open.length, end),
    close: close[0],
    body: text.slice(end + close[0].length),
  }
}

function mergeFrontMatter(
  base: FrontMatter,
  ours: FrontMatter,
  theirs: FrontMatter,
  settlement: Settlement,
): MergedText {
  const whole = ({ open, keys, close }: FrontMatter) => open + keys + close
  const settled = settle(whole(base), whole(ours), whole(theirs))
  if (settled !== undefined) return plain(settled)
  const keys = mergeKeys(base.keys, ours.keys, theirs.keys, settlement)
  const preferred = settlement.prefer === 'ours' ? ours : theirs
  const other = settlement.prefer === 'ours' ? theirs : ours
  const fences = preferred.open === '' ? other : preferred
  return concatenate([plain(fences.open), keys, plain(fences.close)])
}

interface Surroundings {
  readonly settlement: Settlement
  readonly lineEnding: string
  readonly depth: number
  /** Whether blocks that were never neighbours need a blank line between them; list items do not. */
  readonly blankLines: boolean
}

type Three<Value> = readonly [base: Value, ours: Value, theirs: Value]

function mergeChunks(base: Chunks, ours: Chunks, theirs: Chunks, around: Surroundings): MergedText {
  const [b, o, t] = [base.chunks, ours.chunks, theirs.chunks]
  const toOurs = alignChunks(b, o)
  const toTheirs = alignChunks(b, t)
  const joined = new Joined([base, ours, theirs], around)
  for (let i = 0; i <= b.length; i++) {
    mergeInsertions(o, insertedAt(toOurs, i, o.length), t, insertedAt(toTheirs, i, t.length), joined)
    if (i === b.length) break
    const [inOurs, inTheirs] = [toOurs[i]!, toTheirs[i]!]
    const merged = mergeBlock(b[i]!, o[inOurs], t[inTheirs], around)
    if (merged) joined.add([i, inOurs, inTheirs], merged)
  }
  return joined.finish()
}

/** Range of the side's chunks that were inserted before base chunk `i`. */
function insertedAt(partner: Int32Array, i: number, sideLength: number): [number, number] {
  if (i > 0 && partner[i - 1]! < 0) return [0, 0]
  let next = i
  while (next < partner.length && partner[next]! < 0) next++
  return [i === 0 ? 0 : partner[i - 1]! + 1, next < partner.length ? partner[next]! : sideLength]
}

function mergeInsertions(
  ours: readonly Chunk[],
  [o0, o1]: readonly [number, number],
  theirs: readonly Chunk[],
  [t0, t1]: readonly [number, number],
  joined: Joined,
): void {
  const partner = matchTwins(
    ours.slice(o0, o1).map((chunk) => chunk.body),
    theirs.slice(t0, t1).map((chunk) => chunk.body),
  )
  let next = t0
  const takeTheirs = (end: number) => {
    for (; next < end; next++) joined.add([-1, -1, next], plain(theirs[next]!.body))
  }
  for (let i = o0; i < o1; i++) {
    const twin = partner[i - o0]!
    if (twin >= 0) takeTheirs(t0 + twin)
    joined.add([-1, i, twin < 0 ? -1 : t0 + twin], plain(ours[i]!.body))
    if (twin >= 0) next = t0 + twin + 1
  }
  takeTheirs(t1)
}

/** Like `matchSequences`, but among several longest answers the same one when the two are swapped. */
function matchTwins(ours: readonly string[], theirs: readonly string[]): Int32Array {
  const [left, right] = internTexts(ours, theirs)
  if (ours.length === 0 || theirs.length === 0 || ours.join('\0') <= theirs.join('\0')) {
    return matchSequences(left!, right!)
  }
  const partner = new Int32Array(ours.length).fill(-1)
  for (const [index, twin] of matchSequences(right!, left!).entries()) if (twin >= 0) partner[twin] = index
  return partner
}

/** The versions of one block merged; undefined when it is deleted without dispute. */
function mergeBlock(
  base: Chunk,
  ours: Chunk | undefined,
  theirs: Chunk | undefined,
  around: Surroundings,
): MergedText | undefined {
  if (!ours && !theirs) return undefined
  if (ours?.body === theirs?.body || theirs?.body === base.body) return ours && plain(ours.body)
  if (ours?.body === base.body) return theirs && plain(theirs.body)
  const sameKind = ours?.kind === base.kind && theirs?.kind === base.kind
  const merged = ours && theirs && sameKind ? mergeInside(base, ours, theirs, around) : undefined
  if (merged) return merged
  return dispute(
    { base: base.body, ours: ours?.body ?? null, theirs: theirs?.body ?? null },
    around.settlement,
  )
}

function mergeInside(base: Chunk, ours: Chunk, theirs: Chunk, around: Surroundings): MergedText | undefined {
  const longest = Math.max(base.body.length, ours.body.length, theirs.body.length)
  const opens = around.depth < depthLimit && longest <= openLimit
  const [b, o, t] = opens ? [base, ours, theirs].map(openChunk) : []
  if (b && o && t) {
    const head = mergeLeaf(b.head, o.head, t.head, true)
    const tail = mergeLeaf(b.tail, o.tail, t.tail, true)
    if (head === undefined || tail === undefined) return undefined
    const blankLines = base.kind.startsWith('container')
    const inner = mergeChunks(b.inner, o.inner, t.inner, { ...around, depth: around.depth + 1, blankLines })
    return concatenate([plain(head), inner, plain(tail)])
  }
  const prose = base.kind !== 'code' && base.kind !== 'math'
  const text = mergeLeaf(base.body, ours.body, theirs.body, prose)
  return text === undefined ? undefined : plain(text)
}

/** Merged chunks put together: what stood between two neighbours stands between them again. */
class Joined {
  private text = ''
  private readonly conflicts: TextConflict[] = []
  /** Where the last chunk stood in each version; -1 in all before the first. */
  private last: Three<number> = [-1, -1, -1]
  private empty = true

  constructor(
    private readonly versions: Three<Chunks>,
    private readonly around: Surroundings,
  ) {}

  add(place: Three<number>, merged: MergedText): void {
    if (merged.text !== '') {
      this.text += this.between(place)
      this.last = place
      this.empty = false
    }
    for (const conflict of merged.conflicts) this.conflicts.push(shift(conflict, this.text.length))
    this.text += merged.text
  }

  finish(): MergedText {
    const place = this.versions.map(({ chunks }) => chunks.length) as unknown as Three<number>
    this.text += this.between(place, true)
    return { text: this.text, conflicts: this.conflicts }
  }

  private between(place: Three<number>, atEnd = false): string {
    const gaps = this.versions.map((version, side) => {
      const last = this.last[side]!
      const known = this.empty || last >= 0
      return known && place[side] === last + 1 ? gapBefore(version, place[side]!) : undefined
    })
    const [inBase, inOurs, inTheirs] = gaps as [string | undefined, string | undefined, string | undefined]
    if (inOurs !== undefined && inTheirs !== undefined) return this.settleGap(inBase, inOurs, inTheirs)
    return inOurs ?? inTheirs ?? this.newGap(place, atEnd)
  }

  private settleGap(base: string | undefined, ours: string, theirs: string): string {
    return settle(base, ours, theirs) ?? (this.around.settlement.prefer === 'ours' ? ours : theirs)
  }

  /** Between chunks that were never neighbours: as after the first or before the second, if that parts them. */
  private newGap(place: Three<number>, atEnd: boolean): string {
    const [base, ours, theirs] = this.versions
    if (atEnd) return this.settleGap(base.end, ours.end, theirs.end)
    if (this.empty)
      return this.settleGap(...(this.versions.map((v) => gapBefore(v, 0)) as [string, string, string]))
    const { lineEnding, blankLines } = this.around
    for (const side of [1, 2, 0]) {
      const { chunks } = this.versions[side]!
      const [after, before] = [this.last[side]!, place[side]!]
      if (after >= 0 && after + 1 < chunks.length && this.parts(chunks[after + 1]!))
        return chunks[after + 1]!.before
      if (before > 0 && this.parts(chunks[before]!)) return chunks[before]!.before
    }
    return blankLines ? lineEnding + lineEnding : lineEnding
  }

  private parts({ before, kind }: Chunk): boolean {
    return before.split('\n').length > (this.around.blankLines || kind === 'paragraph' ? 2 : 1)
  }
}

function gapBefore({ chunks, end }: Chunks, index: number): string {
  return chunks[index]?.before ?? end
}
