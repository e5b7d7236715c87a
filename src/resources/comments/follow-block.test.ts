/** Following blocks through many versions, on histories in memory. */
import { describe, expect, test } from 'vitest'
import { findBlockText, trackBlocks } from '../../core/merge/track-blocks.js'
import { createSeededRandom } from '../../../dev/fuzz/random.js'
import { type BlockHistory, type FollowBudget, followBlock } from './follow-block.js'

type Versions = readonly (string | undefined)[]

function historyOf(versions: Versions, branchAt?: BlockHistory<string>['branchAt']): BlockHistory<string> {
  const tracked = new Map<string, ReturnType<typeof trackBlocks>>()
  return {
    length: versions.length,
    firstNumber: 1,
    textAt: async (version) => versions[version],
    async track(before, after) {
      const known = tracked.get(before + after) ?? trackBlocks(before, after)
      tracked.set(before + after, known)
      return known
    },
    ...(branchAt && { branchAt }),
  }
}

const budget = (): FollowBudget => ({ comparisons: 1_000, divisions: 1_000 })
const textOf = (...paragraphs: readonly string[]) => `# Title\n\n${paragraphs.join('\n\n')}\n`

/** Returns the words of the block in the last version, undefined where it is gone. */
async function follow(versions: Versions, node: string, history = historyOf(versions), spent = budget()) {
  const found = await followBlock(history, { text: versions[0]!, node }, spent)
  return found && findBlockText(versions.at(-1)!, found.node)
}

const [red, green, blue] = [
  'Red apples fall far from old trees.',
  'Green leaves turn when autumn comes.',
  'Blue rivers run down to the sea.',
]
const redder = 'Ripe red fruit drops under its tree.'

describe('a block is followed', () => {
  test('through an edit of its words and a later move of its neighbour', async () => {
    const versions = [textOf(red, green, blue), textOf(redder, green, blue), textOf(green, redder, blue)]
    // Not by comparing the first and the last version.
    expect(await follow([versions[0], versions[2]], '0')).toBeUndefined()
    expect(await follow(versions, '0')).toBe(redder)
  })

  test('past versions in which it, or its page, is gone', async () => {
    const first = textOf(red, green)
    expect(await follow([first, textOf(green), textOf(green, red)], '0')).toBe(red)
    expect(await follow([first, undefined, undefined, textOf(green, red)], '0')).toBe(red)
    expect(await follow([first, textOf(green), textOf(green, blue)], '0')).toBeUndefined()
  })

  test('along a branch, where its merge changed and moved it in one step', async () => {
    const [was, is] = [textOf(red, green, blue), textOf(green, redder, blue)]
    const branch = historyOf([was, textOf(redder, green, blue), is, is])
    for (const base of [0, undefined]) {
      const merged = historyOf([was, is], async (version) =>
        version === 1 ? { base, history: branch } : undefined,
      )
      expect(await follow([was, is], '0', merged)).toBe(redder)
    }
  })

  test('within its budget, which is spent on the oldest versions first', async () => {
    const versions = Array.from({ length: 4_000 }, (_, at) => textOf(`One ${at}`, `Two ${at}`, `Three ${at}`))
    const spent = { comparisons: 40, divisions: 400 }
    await follow(versions, '0', historyOf(versions), spent)
    expect(spent.comparisons).toBeGreaterThan(-20)
    const absent = { comparisons: 40, divisions: 100 }
    const gaps = [versions[0], ...Array.from({ length: 4_000 }, () => undefined), versions[9]]
    await follow(gaps, '0', historyOf(gaps), absent)
    expect(absent.divisions).toBe(0)
  })

  test('at a cost that follows its own changes, not the length of the history', async () => {
    const versions = Array.from({ length: 3_000 }, (_, at) =>
      textOf(red, `Paragraph of version ${at} and its words.`, at < 1_000 ? green : `${green} And again.`),
    )
    for (const [node, most] of [
      ['0', 1],
      ['2', 30],
    ] as const) {
      const spent = budget()
      expect(await follow(versions, node, historyOf(versions), spent)).toBe(
        node === '0' ? red : `${green} And again.`,
      )
      expect(1_000 - spent.comparisons).toBeLessThanOrEqual(most)
    }
  })
})

describe('many small edits', () => {
  const words =
    'stone river cloud lamp paper window garden letter bridge candle forest mirror harbour engine'.split(' ')

  test.each(Array.from({ length: 8 }, (_, seed) => seed))(
    'lose no block that is still there (seed %i)',
    async (seed) => {
      const random = createSeededRandom(seed)
      const word = () => `${random.pick(words)}${random.below(1_000)}`
      const paragraph = () => Array.from({ length: 12 }, word).join(' ')
      let blocks = Array.from({ length: 6 }, (_, id) => ({ id, words: paragraph() }))
      const first = blocks
      const versions = [textOf(...blocks.map((block) => block.words))]
      for (let version = 0; version < 40; version += 1) {
        const at = random.below(blocks.length)
        const block = blocks[at]!
        switch (random.pick(['edit', 'edit', 'edit', 'move', 'insert', 'delete'] as const)) {
          case 'edit': {
            const changed = block.words.split(' ')
            for (let count = 0; count < 3; count += 1) changed[random.below(changed.length)] = word()
            blocks = blocks.with(at, { ...block, words: changed.join(' ') })
            break
          }
          case 'move': {
            const others = blocks.toSpliced(at, 1)
            blocks = others.toSpliced(random.below(blocks.length), 0, block)
            break
          }
          case 'insert':
            blocks = blocks.toSpliced(at, 0, { id: -1, words: paragraph() })
            break
          case 'delete':
            if (blocks.length > 3) blocks = blocks.toSpliced(at, 1)
        }
        versions.push(textOf(...blocks.map((one) => one.words)))
      }
      const history = historyOf(versions)
      for (const [at, { id }] of first.entries()) {
        const left = blocks.find((block) => block.id === id)
        if (left !== undefined)
          expect(await follow(versions, String(at), history), `block ${at}`).toBe(left.words)
      }
    },
  )
})
