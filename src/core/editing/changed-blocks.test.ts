import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { propertyRuns } from '../merge/testing.js'
import { type HashMemo, hashDocument } from './canonical.js'
import { applyChangedBlocks, carryHashes, changedBlocks } from './changed-blocks.js'
import { diffTexts } from './diff-texts.js'
import { type Splice, applySplices } from './splice.js'
import { placesOfSplices, sourceOf, splicesOf, texts } from './testing.js'

/** The change that splices make, which gives the blocks of the text after them. */
function changeOf(text: string, splices: readonly Splice[]) {
  const [before, after] = [sourceOf(text), sourceOf(applySplices(text, splices))]
  const change = changedBlocks(before, after, splices)
  const memo: HashMemo = new WeakMap()
  hashDocument(before, memo)
  const applied = applyChangedBlocks(before, change, memo)
  expect(applied).toEqual(after)
  // Hashes that blocks took along are those of their content.
  expect(hashDocument(applied, memo)).toBe(hashDocument(after))
  carryHashes(before, after, splices, memo)
  expect(hashDocument(after, memo)).toBe(hashDocument(after))
  return change
}
const edit = (text: string, ...replaced: [from: string, to: string][]): Splice[] =>
  replaced.map(([from, to]) => ({
    start: text.indexOf(from),
    end: text.indexOf(from) + from.length,
    text: to,
  }))

it('has the blocks inside of a container alone', () => {
  const text = '- a\n\n  > b\n  >\n  > c\n- d\n\ne\n'
  const { blocks } = changeOf(text, edit(text, ['c', 'c f']))
  expect(blocks).toMatchObject([
    { path: [0, 0, 1], index: 1, remove: 1, shift: 2, blocks: [{ type: 'paragraph' }] },
  ])
})

it('hashes again only what changed, not what moved', () => {
  const before = sourceOf('a\n\n> b\n\n- c\n- d\n')
  const memo: HashMemo = new WeakMap()
  hashDocument(before, memo)
  const splices = [{ start: 1, end: 1, text: 'aa' }]
  const after = sourceOf('aaa\n\n> b\n\n- c\n- d\n')
  const change = changedBlocks(before, after, splices)
  const { blocks } = applyChangedBlocks(before, change, memo)
  expect(blocks.map((block) => memo.has(block))).toEqual([false, true, true])
  carryHashes(before, after, splices, memo)
  expect(after.blocks.map((block) => memo.has(block))).toEqual([false, true, true])
})

it('has each place of several edits', () => {
  const text = '# T\n\na\n\n- b\n- c\n- d\n\ne\n\nf\n'
  const { title, blocks } = changeOf(
    text,
    edit(text, ['T', 'Title'], ['a', 'a\n\naa'], ['c', 'cc'], ['f', 'ff']),
  )
  expect(title).toMatchObject({ text: 'Title', span: { start: 2, end: 7 } })
  expect(blocks.map(({ path, index, remove, blocks: { length } }) => [path, index, remove, length])).toEqual([
    [[], 0, 0, 0],
    [[], 1, 0, 1],
    [[2, 1], 0, 1, 1],
    [[], 4, 1, 1],
  ])
})

it('moves what is behind a change outside of all blocks', () => {
  const text = 'a\n\n> b\n>\n> c\n\nd\n'
  const { blocks } = changeOf(text, [
    { start: 2, end: 2, text: '\n' },
    { start: 8, end: 8, text: ' \n>' },
  ])
  expect(blocks.every(({ remove, blocks: added }) => remove === 0 && added.length === 0)).toBe(true)
})

it('sends a container as a whole that grows over what is behind it', () => {
  const { blocks } = changeOf('- a\n\n\n', [{ start: 4, end: 6, text: '- b\n' }])
  expect(blocks.map(({ path }) => path.length)).not.toContain(3)
})

it('has the footnotes that changed', () => {
  const text = 'a[^1] b[^2]\n\n[^1]: c\n\n[^2]: d\n'
  const { footnotes } = changeOf(text, edit(text, ['d', 'dd']))
  expect(footnotes).toMatchObject([{ path: [1], index: 0, remove: 1 }])
  changeOf(text, edit(text, ['[^1]: c', '[^1]: c\n\n[^3]: e']))
})

it('gives the blocks of the text after any splices; of none there is no change', () => {
  fc.assert(
    fc.property(texts, texts, placesOfSplices, (text, other, places) => {
      changeOf(text, splicesOf(text, places))
      changeOf(text, diffTexts(text, other))
      expect(changeOf(text, [])).toMatchObject({ blocks: [], footnotes: [] })
    }),
    propertyRuns(300),
  )
})

const folder = join(import.meta.dirname, '../../../docs')
const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md'))

it('is as large as the edits, wherever in a page they are', async () => {
  for (const name of files.filter((_, index) => index % 6 === 1)) {
    const text = await readFile(join(folder, name), 'utf8')
    const places = [0.1, 0.5, 0.9].map((part) => text.indexOf('\n\n', text.length * part))
    const splices = [...new Set(places.filter((at) => at >= 0))].map((at) => ({
      start: at,
      end: at,
      text: '\n\nA new *paragraph*.',
    }))
    const change = changeOf(text, splices)
    const sizes = change.blocks.flatMap(({ blocks }) => blocks.map((block) => JSON.stringify(block).length))
    expect(Math.max(0, ...sizes), name).toBeLessThan(6000)
  }
})
