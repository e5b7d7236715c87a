/**
 * Property-based tests of text merges. Every run has the same examples; `OCTAVO_MERGE_RUNS=200000` tries so many random
 * ones, and a failure prints the smallest example and its seed.
 */
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { splitBlocks } from './chunks.js'
import { propertyRuns } from './testing.js'
import { mergeTexts } from './merge-texts.js'
import { parentHeadings } from './sections.js'

const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'zeta', 'v1.2.3', '`a b`', '[x](y.md#z)')
const line = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const rows = (open: string, close: string) => (lines: readonly string[]) =>
  lines.map((text) => `${open}${text}${close}`).join('\n')
const block = fc.oneof(
  { weight: 5, arbitrary: line },
  line.map((text) => `## ${text}`),
  fc.array(line, { minLength: 1, maxLength: 3 }).map(rows('- ', '')),
  fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => `| a |\n| --- |\n${rows('| ', ' |')(lines)}`),
  fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => `\`\`\`\n${rows('', '')(lines)}\n\`\`\``),
  fc
    .array(line, { minLength: 1, maxLength: 2 })
    .map((lines) => `{% hint %}\n${lines.join('\n\n')}\n{% endhint %}`),
)

const at = fc.nat({ max: 20 })
const edit = fc.oneof(
  fc.record({ kind: fc.constant('replace' as const), at, block }),
  fc.record({ kind: fc.constant('insert' as const), at, block }),
  fc.record({ kind: fc.constant('delete' as const), at }),
  fc.record({ kind: fc.constant('swap' as const), at }),
  fc.record({ kind: fc.constant('move' as const), at, to: at }),
  fc.record({ kind: fc.constant('line' as const), at, to: at, text: line }),
)
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never

function apply(blocks: readonly string[], edits: readonly Edit[]): readonly string[] {
  const after = [...blocks]
  for (const one of edits) {
    const index = one.at % (after.length + (one.kind === 'insert' ? 1 : 0) || 1)
    if (one.kind === 'insert') after.splice(index, 0, one.block)
    else if (after.length === 0) continue
    else if (one.kind === 'replace') after[index] = one.block
    else if (one.kind === 'delete') after.splice(index, 1)
    else if (one.kind === 'swap') after.splice(index, 0, ...after.splice(index + 1, 1))
    else if (one.kind === 'move') after.splice(one.to % after.length, 0, ...after.splice(index, 1))
    else {
      // An item, a row, a line of code or a paragraph gets other words.
      const lines = after[index]!.split('\n')
      const row = one.to % lines.length
      // Opening and closing lines stay: an unclosed fence has no end in a merge either.
      lines[row] = lines[row]!.replace(/^(?!```|\{%)([-|#]*\s*)\S+/, `$1${one.text}`)
      after[index] = lines.join('\n')
    }
  }
  return after
}

interface Versions {
  readonly base: string
  readonly ours: string
  readonly theirs: string
}

const versions: fc.Arbitrary<Versions> = fc
  .tuple(
    fc.array(block, { minLength: 1, maxLength: 6 }),
    fc.array(edit, { minLength: 1, maxLength: 3 }),
    fc.array(edit, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([blocks, ours, theirs, ending]) => {
    const text = (list: readonly string[]) => `${list.join('\n\n')}\n`.replaceAll('\n', ending)
    return { base: text(blocks), ours: text(apply(blocks, ours)), theirs: text(apply(blocks, theirs)) }
  })

const sides = ['ours', 'theirs'] as const

function property(name: string, predicate: (triple: Versions) => boolean): void {
  it(name, () => {
    fc.assert(fc.property(versions, predicate), propertyRuns(1_500))
  })
}

const bodiesOf = (text: string) => splitBlocks(text).chunks.map(({ body }) => body)
/** Each block under a key of its own text and that of the heading above it. */
const bodiesBySection = (text: string) => {
  const { chunks } = splitBlocks(text)
  const parents = parentHeadings(chunks)
  return new Map(chunks.map(({ body }, index) => [`${chunks[parents[index]!]?.body ?? ''}\0${body}`, body]))
}
const wordsOf = (text: string) => text.match(/\p{L}+/gu) ?? []
const linesOf = (text: string) => text.split(/\r?\n/).filter((text) => text.trim() !== '')
const count = (list: readonly string[], one: string) => list.filter((other) => other === one).length
const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)

describe('every merge of texts', () => {
  property(
    'with an unchanged side, or of equal sides, is the other side',
    ({ base, ours, theirs }) =>
      same(mergeTexts(base, base, theirs), { text: theirs, conflicts: [] }) &&
      same(mergeTexts(base, ours, base), { text: ours, conflicts: [] }) &&
      same(mergeTexts(base, ours, ours), { text: ours, conflicts: [] }),
  )

  property('swaps its labels when the sides are swapped, and nothing else', ({ base, ours, theirs }) => {
    const merged = mergeTexts(base, ours, theirs)
    const swapped = mergeTexts(base, theirs, ours, { prefer: 'theirs' })
    return (
      same(wordsOf(merged.text).toSorted(), wordsOf(swapped.text).toSorted()) &&
      same(
        merged.conflicts.map((one) => [one.base, one.ours, one.theirs]),
        swapped.conflicts.map((one) => [one.base, one.theirs, one.ours]),
      )
    )
  })

  property(
    'keeps each block that all three versions have below one heading, whichever side is chosen',
    ({ base, ours, theirs }) => {
      const [before, left, right] = [base, ours, theirs].map(bodiesBySection)
      const inAllVersions = [...before!].flatMap(([key, body]) =>
        left!.has(key) && right!.has(key) ? [body] : [],
      )
      return sides.every((prefer) => {
        const merged = new Set(bodiesOf(mergeTexts(base, ours, theirs, { prefer }).text))
        return inAllVersions.every((body) => merged.has(body))
      })
    },
  )

  property('has the same conflicts whichever side is preferred', ({ base, ours, theirs }) => {
    const [left, right] = sides.map((prefer) => mergeTexts(base, ours, theirs, { prefer }).conflicts)
    const versions = (conflicts: typeof left) =>
      conflicts!.map(({ base, ours, theirs }) => [base, ours, theirs])
    return same(versions(left), versions(right))
  })

  property('leaves every new word in the result or in a conflict', ({ base, ours, theirs }) => {
    const { text, conflicts } = mergeTexts(base, ours, theirs)
    const visible = new Set(wordsOf([text, ...conflicts.flatMap((one) => [one.ours, one.theirs])].join(' ')))
    const known = new Set(wordsOf(base))
    return wordsOf(`${ours} ${theirs}`).every((word) => known.has(word) || visible.has(word))
  })

  property('duplicates no line when it has no conflict', (versions) => {
    const { text, conflicts } = mergeTexts(versions.base, versions.ours, versions.theirs)
    if (conflicts.length > 0) return true
    const [base, ours, theirs] = [versions.base, versions.ours, versions.theirs].map(linesOf)
    const merged = linesOf(text)
    return [...new Set(merged)].every((line) => {
      const [b, o, t] = [count(base!, line), count(ours!, line), count(theirs!, line)]
      return b + o + t === 0 || count(merged, line) <= Math.max(o, t, o + t - b)
    })
  })

  property('ends its lines as its versions do', ({ base, ours, theirs }) => {
    const { text } = mergeTexts(base, ours, theirs)
    return base.includes('\r\n') ? !/(?<!\r)\n/.test(text) : !text.includes('\r')
  })
})
