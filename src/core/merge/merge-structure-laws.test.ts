/**
 * Property-based tests of text merges over structured edits: sections, lists, blocks that move, are reworded or joined.
 *
 * Every block has a key of its own among its words, so that a test finds it wherever it is and whatever it became.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeTexts } from './merge-texts.js'
import { propertyRuns } from './testing.js'

interface Block {
  readonly mark: '' | '- ' | '## ' | '### '
  readonly words: readonly string[]
}

const mark = fc.constantFrom<Block['mark'][]>('', '', '- ', '- ', '## ', '### ')
const at = fc.nat({ max: 30 })
const edit = fc.record({
  kind: fc.constantFrom(
    'insert',
    'insert',
    'insert',
    'delete',
    'replace',
    'reword',
    'reword',
    'move',
    'moveSection',
    'join',
  ),
  at,
  to: at,
  mark,
})
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never

interface Side {
  readonly blocks: readonly Block[]
  /** The keys of the headings that this side deleted, renamed or moved. */
  readonly touched: ReadonlySet<string>
  readonly hasMoves: boolean
}

const newBlock = (kind: Block['mark'], key: string): Block => ({
  mark: kind,
  words: [key, `${key}a`, `${key}b`, `${key}c`],
})
const isHeading = ({ mark: kind }: Block) => kind.startsWith('#')

function apply(base: readonly Block[], edits: readonly Edit[], side: string): Side {
  const blocks = [...base]
  const touched = new Set<string>()
  const touch = (from: number, count: number) => {
    for (const block of blocks.slice(from, from + count)) if (isHeading(block)) touched.add(block.words[0]!)
  }
  for (const [index, one] of edits.entries()) {
    const from = one.at % (blocks.length + (one.kind === 'insert' ? 1 : 0) || 1)
    const block = blocks[from]
    const added = newBlock(one.mark, `${side}${index}`)
    if (one.kind === 'insert') blocks.splice(from, 0, added)
    else if (block === undefined) continue
    else if (one.kind === 'delete' || one.kind === 'replace') {
      touch(from, 1)
      blocks.splice(from, 1, ...(one.kind === 'replace' ? [added] : []))
    } else if (one.kind === 'reword') {
      touch(from, 1)
      blocks[from] = { ...block, words: [...block.words.slice(0, -1), `${side}${index}x`] }
    } else if (one.kind === 'join') {
      const next = blocks[from + 1]
      if (next === undefined || block.mark !== '' || next.mark !== '') continue
      blocks.splice(from, 2, { mark: '', words: [...block.words, ...next.words] })
    } else {
      let count = 1
      if (one.kind === 'moveSection' && isHeading(block)) {
        while (from + count < blocks.length && blocks[from + count]!.mark.length !== block.mark.length)
          count++
      }
      touch(from, count)
      const run = blocks.splice(from, count)
      blocks.splice(one.to % (blocks.length + 1), 0, ...run)
    }
  }
  for (const key of passedHeadings(base, blocks)) touched.add(key)
  return { blocks, touched, hasMoves: edits.some(({ kind }) => kind.startsWith('move')) }
}

/** Headings that at least two blocks passed, or a heading of their level or above: as well, the heading passed them. */
function passedHeadings(base: readonly Block[], side: readonly Block[]): readonly string[] {
  const order = new Map(side.flatMap(({ words }, place) => words.map((key) => [key, place] as const)))
  const blocks = base.filter(({ words }) => order.has(words[0]!))
  return blocks.flatMap((block, from) => {
    if (!isHeading(block)) return []
    const passed = blocks.filter((other, to) => {
      const [one, two] = [block, other].map(({ words }) => order.get(words[0]!)!)
      return from < to ? one! > two! : one! < two!
    })
    const isPassed = passed.length > 1 || passed.some((other) => isHeading(other) && other.mark <= block.mark)
    return isPassed ? [block.words[0]!] : []
  })
}

const textOf = (blocks: readonly Block[]) =>
  blocks.map(({ mark: kind, words }) => `${kind}${words.join(' ')}\n`).join('\n')

interface Versions {
  readonly base: readonly Block[]
  readonly ours: Side
  readonly theirs: Side
}

const versions: fc.Arbitrary<Versions> = fc
  .tuple(
    fc.array(mark, { minLength: 1, maxLength: 8 }),
    fc.array(edit, { minLength: 1, maxLength: 4 }),
    fc.array(edit, { minLength: 1, maxLength: 4 }),
  )
  .map(([marks, ours, theirs]) => {
    const base = marks.map((kind, index) => newBlock(kind, `b${index}`))
    return { base, ours: apply(base, ours, 'o'), theirs: apply(base, theirs, 't') }
  })

/** The keys of the headings above each block, by its own key. */
function pathsOf(text: string): Map<string, readonly string[]> {
  const paths = new Map<string, readonly string[]>()
  let open: { readonly level: number; readonly key: string }[] = []
  for (const line of text.split('\n')) {
    const [, marks, words] = /^(#*)[- ]*(.*)$/.exec(line)!
    const keys = words!.split(' ').filter((one) => /^[bot]\d+$/.test(one))
    if (keys.length === 0) continue
    const level = marks!.length
    if (level > 0) open = open.filter((heading) => heading.level < level)
    for (const key of keys)
      paths.set(
        key,
        open.map((heading) => heading.key),
      )
    if (level > 0) open.push({ level, key: keys[0]! })
  }
  return paths
}

const same = (left: readonly string[], right: readonly string[]) => left.join(' ') === right.join(' ')
const merge = ({ base, ours, theirs }: Versions, prefer: 'ours' | 'theirs' = 'ours') =>
  mergeTexts(textOf(base), textOf(ours.blocks), textOf(theirs.blocks), { prefer })

/** Blocks of the merge that are not below the headings that their writer put them under. */
function misplaced(triple: Versions, text: string): string[] {
  const { base, ours, theirs } = triple
  const merged = pathsOf(text)
  const [inBase, inOurs, inTheirs] = [base, ours.blocks, theirs.blocks].map((blocks) =>
    pathsOf(textOf(blocks)),
  )
  const isTouched = (path: readonly string[], by: Side) => {
    const inSide = by === ours ? inOurs! : inTheirs!
    return path.some((key) => by.touched.has(key) || !same(inSide.get(key) ?? [], inBase!.get(key) ?? []))
  }
  return [...merged].flatMap(([key, path]) => {
    const [before, left, right] = [inBase!.get(key), inOurs!.get(key), inTheirs!.get(key)]
    if (before === undefined) {
      const [own, mine, other] = left ? [left, ours, theirs] : [right, theirs, ours]
      // A new block that was joined to one of the base is an edit of that one.
      const isJoined = mine.blocks.some(
        ({ words }) => words.includes(key) && words.some((one) => inBase!.has(one)),
      )
      return own === undefined || isJoined || same(path, own) || isTouched(own, other) ? [] : [key]
    }
    const isJoined = [ours, theirs].some(({ blocks }) =>
      blocks.some(({ words }) => words.includes(key) && words.length > 4),
    )
    if (left === undefined || right === undefined || isJoined) return []
    // A moved block is below the headings of the side that moved it, though it may have been below them before.
    const isEither = ours.hasMoves || theirs.hasMoves
    const wanted = isEither
      ? [left, right]
      : same(left, before)
        ? [right]
        : same(right, before)
          ? [left]
          : [left, right]
    const known = [before, left, right, path].flat()
    const isExempt = isTouched(known, ours) || isTouched(known, theirs)
    return isExempt || wanted.some((one) => same(path, one)) ? [] : [key]
  })
}

describe('every merge of structured edits', () => {
  it('has each block below the headings of its writer', () => {
    fc.assert(
      fc.property(versions, (triple) => {
        for (const prefer of ['ours', 'theirs'] as const) {
          const { text, conflicts } = merge(triple, prefer)
          if (conflicts.length === 0) expect(misplaced(triple, text)).toEqual([])
        }
      }),
      propertyRuns(1_500),
    )
  })

  it('keeps each block that neither side deleted, moved, reworded or joined, whichever side is chosen', () => {
    fc.assert(
      fc.property(versions, (triple) => {
        const [inOurs, inTheirs] = [triple.ours, triple.theirs].map(({ blocks }) => pathsOf(textOf(blocks)))
        for (const prefer of ['ours', 'theirs'] as const) {
          const merged = pathsOf(merge(triple, prefer).text)
          const lost = [...inOurs!.keys()].filter((key) => inTheirs!.has(key) && !merged.has(key))
          expect(lost).toEqual([])
        }
      }),
      propertyRuns(1_500),
    )
  })

  it('has the same conflicts when the sides are swapped, whichever is preferred', () => {
    fc.assert(
      fc.property(versions, (triple) => {
        const drawn = (conflicts: ReturnType<typeof merge>['conflicts'], isSwapped: boolean) =>
          conflicts.map(({ base, ours, theirs }) => (isSwapped ? [base, theirs, ours] : [base, ours, theirs]))
        const expected = drawn(merge(triple).conflicts, false)
        expect(drawn(merge(triple, 'theirs').conflicts, false)).toEqual(expected)
        const swapped = { base: triple.base, ours: triple.theirs, theirs: triple.ours }
        expect(drawn(merge(swapped).conflicts, true)).toEqual(expected)
      }),
      propertyRuns(1_000),
    )
  })
})
