import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../merge/testing.js'
import { diffTexts } from './diff-texts.js'
import { rebaseSplices } from './rebase.js'
import { placesOfSplices, splicesOf, texts } from './testing.js'
import { type Splice, applySplices, composeSplices, findSpliceFault, joinSplices } from './splice.js'

/** The result of both edits, which must be the same whichever is rebased over the other. */
function mergeSplices(text: string, first: readonly Splice[], second: readonly Splice[]) {
  const ours = rebaseSplices(text, second, first)
  const theirs = rebaseSplices(text, first, second, 'before')
  const merged = applySplices(applySplices(text, first), ours.splices)
  expect(applySplices(applySplices(text, second), theirs.splices)).toBe(merged)
  expect(theirs.conflicts).toEqual(ours.conflicts.map(({ ours: a, theirs: b }) => ({ ours: b, theirs: a })))
  return { text: merged, conflicts: ours.conflicts.length }
}

const splice = (start: number, end: number, text = ''): Splice => ({ start, end, text })

/** Marks edits in a text: `[old>new]` of the first and `{old>new}` of the second; one inside the other is allowed. */
function read(marked: string) {
  const edits: { first: Splice[]; second: Splice[] } = { first: [], second: [] }
  const open: { start: number; side: 'first' | 'second' }[] = []
  let text = ''
  for (let at = 0; at < marked.length; at++) {
    const character = marked[at]!
    if (character === '⟨' || character === '⟪') {
      open.push({ start: text.length, side: character === '⟨' ? 'first' : 'second' })
    } else if (character === '→' || character === '⇒') {
      const side = character === '→' ? 'first' : 'second'
      const close = marked.indexOf(side === 'first' ? '⟩' : '⟫', at)
      const index = open.findLastIndex((one) => one.side === side)
      const { start } = open.splice(index, 1)[0]!
      edits[side].push({ start, end: text.length, text: marked.slice(at + 1, close) })
      at = close
    } else text += character
  }
  const order = (a: Splice, b: Splice) => a.start - b.start || a.end - b.end
  return { text, first: edits.first.toSorted(order), second: edits.second.toSorted(order) }
}

// ⟨old→new⟩ is the edit that came first, ⟪old⇒new⟫ the second.
const cases: [name: string, marked: string, merged: string, conflicts?: number][] = [
  ['apart', 'a ⟨b→x⟩ c ⟪d⇒y⟫ e', 'a x c y e'],
  ['two insertions at one place', 'a⟨→ one⟩⟪⇒ two⟫ b', 'a one two b'],
  ['the same insertion twice', 'a⟨→ x⟩⟪⇒ x⟫', 'a x x'],
  ['two equal replacements', 'a ⟨⟪b→x⟩⇒x⟫ c', 'a x c'],
  ['two different replacements', 'a ⟨⟪b→x⟩⇒y⟫ c', 'a xy c', 1],
  ['overlapping replacements', 'a ⟨bc⟪d→x⟩ef⇒y⟫ g', 'a xy g', 1],
  ['two deletions', 'a ⟨b⟪c→⟩d⇒⟫ e', 'a  e'],
  ['a replacement in a deleted range', 'a ⟨b ⟪c⇒y⟫ d→⟩ e', 'a y e'],
  ['an insertion in a deleted range', 'a ⟨b ⟪⇒y⟫c d→⟩ e', 'a y e'],
  ['an insertion in a replaced range', 'a ⟨b ⟪⇒y⟫c d→x⟩ e', 'a xy e', 1],
  ['insertions at both ends of a replaced word', 'a ⟪⇒the ⟫⟨cat→dog⟩⟪⇒s⟫ b', 'a the dogs b'],
  ['an insertion in a deleted item', '- a\n⟨- b⟪⇒ more⟫\n→⟩- c\n', '- a\n-  more\n- c\n'],
  ['an insertion in a further line of a deleted item', '⟨- a\n  b ⟪⇒more ⟫b\n→⟩- c\n', '- more \n- c\n'],
  ['an insertion in a further paragraph of a deleted item', '- a\n⟨- b\n\n  b ⟪⇒more⟫\n→⟩- c\n', '- a\n- more\n- c\n'],
  ['an insertion behind a deleted item', 'a\n\n⟨- b\n\nb ⟪⇒more⟫\n\n→⟩c\n', 'a\n\nmore\n\nc\n'],
  ['an insertion in a deleted task', '- [ ] a⟨\n- [x] b⟪⇒ more⟫→⟩\n- [ ] c\n', '- [ ] a\n- [x]  more\n- [ ] c\n'],
  ['an insertion in a deleted quote', '> a\n⟨> b⟪⇒more⟫ b\n→⟩> c\n', '> a\n> more\n> c\n'],
  ['an insertion in a deleted row', '| a |\n|---|\n⟨| b⟪⇒ more⟫ |\n→⟩| c |\n', '| a |\n|---|\n|  more\n| c |\n'],
  ['an insertion in a deleted paragraph', 'a\n\n⟨b ⟪⇒more⟫ b\n\n→⟩c\n', 'a\n\nmore\n\nc\n'],
  ['an insertion in a paragraph deleted with the break before', 'a⟨\n\nb ⟪⇒more⟫ b→⟩\n\nc\n', 'a\n\nmore\n\nc\n'],
  ['an insertion at the end of a deleted paragraph', 'a⟨\n\nb→⟩⟪⇒ more⟫\n\nc\n', 'a\n\n more\n\nc\n'],
  ['an insertion at the start of a deleted paragraph', 'a\n\n⟪⇒more ⟫⟨b\n\n→⟩c\n', 'a\n\nmore \n\nc\n'],
  ['the first word of a deleted paragraph', 'a\n\n⟨⟪b⇒x⟫ c\n\n→⟩d\n', 'a\n\nx\n\nd\n'],
  ['items joined where one is deleted', '- a\n⟨- ⟪b\n→⟩- ⇒x⟫c\n', '- a\n- xc\n'],
  ['an insertion in two deleted paragraphs', 'a\n\n⟨b\n\nb ⟪⇒more⟫ b\n\n→⟩c\n', 'a\n\nmore\n\nc\n'],
  ['an insertion where paragraphs were joined', 'a⟨x\n\n⟪⇒more⟫\n\ny→⟩c\n', 'a\n\nmore\n\nc\n'],
  ['a line in a deleted item, break behind', '- a⟨\n⟪⇒- x\n⟫- b→⟩\n- c\n', '- a\n- x\n- c\n'],
  ['a line in a deleted item, break before', '- a\n⟨- b⟪⇒\n- x⟫\n→⟩- c\n', '- a\n- x\n- c\n'],
  ['a paragraph in a deleted one', 'a\n\n⟨b⟪⇒\n\nx⟫\n\n→⟩c\n', 'a\n\nx\n\nc\n'],
  ['two items at one place', '- a\n⟨→- x\n⟩⟪⇒- y\n⟫- c\n', '- a\n- x\n- y\n- c\n'],
  ['two items, one with the break before', '- a⟪⇒\n- y⟫\n⟨→- x\n⟩- c\n', '- a\n- y\n- x\n- c\n'],
  ['an item at the end of a list that is wrapped', '⟨→{% hint %}\n⟩- a⟪⇒\n- b⟫\n⟨→{% endhint %}\n⟩', '{% hint %}\n- a\n- b\n{% endhint %}\n'],
  ['one item deleted in two forms', '- a⟪\n⟨- b⇒⟫\n→⟩- c\n', '- a\n- c\n'],
  ['neighbours deleted in two forms', '- a\n⟨- b⟪\n→⟩- c⇒⟫\n- d\n', '- a\n- d\n'],
  ['neighbours deleted at the end', '- a\n⟨- b⟪\n→⟩- c⇒⟫', '- a'],
  ['lines of CRLF', '- a\r\n⟨- b⟪⇒ more⟫\r\n→⟩- c\r\n', '- a\r\n-  more\r\n- c\r\n'],
  ['a line of CRLF in a deleted item', '- a\r\n⟨- b⟪⇒\r\n- x⟫\r\n→⟩- c\r\n', '- a\r\n- x\r\n- c\r\n'],
  ['characters of two units', '😀⟨😀→x⟩⟪⇒😎⟫😀', '😀x😎😀'],
  ['an insertion in a deleted line before a blank one', 'a\n\n⟨b ⟪⇒more⟫\n→⟩\nc\n', 'a\n\nmore\n\nc\n'],
  ['front matter and text', '---\ntitle: ⟨a→b⟩\n---\n\n⟪c⇒d⟫\n', '---\ntitle: b\n---\n\nd\n'],
] // prettier-ignore

it.each(cases)('%s', (_, marked, merged, conflicts = 0) => {
  const { text, first, second } = read(marked)
  expect(mergeSplices(text, first, second)).toEqual({ text: merged, conflicts })
})

describe('every rebase', () => {
  const examples = fc.tuple(texts, placesOfSplices, placesOfSplices).map(([text, one, other]) => ({
    text,
    first: splicesOf(text, one),
    second: splicesOf(text, other),
  }))
  const property = (
    name: string,
    predicate: (example: { text: string; first: Splice[]; second: Splice[] }) => void,
  ) => it(name, () => fc.assert(fc.property(examples, predicate), propertyRuns(600)))

  property('gives one text, whichever edit came first', ({ text, first, second }) => {
    mergeSplices(text, first, second)
    mergeSplices(text, second, first)
  })

  property('is valid and in the shortest form', ({ text, first, second }) => {
    const { splices } = rebaseSplices(text, second, first)
    expect(findSpliceFault(applySplices(text, first), splices)).toBeUndefined()
    expect(joinSplices(splices)).toEqual(splices)
  })

  property('over nothing changes nothing, and of nothing is nothing', ({ text, first }) => {
    expect(applySplices(text, rebaseSplices(text, first, []).splices)).toBe(applySplices(text, first))
    expect(rebaseSplices(text, [], first)).toEqual({ splices: [], conflicts: [] })
  })

  property('loses no inserted text', ({ text, first, second }) => {
    const { text: merged } = mergeSplices(text, first, second)
    for (const { text: inserted } of [...joinSplices(first), ...joinSplices(second)]) {
      const words = inserted.split(/\s+/).filter(Boolean)
      for (const word of words) expect(merged).toContain(word)
    }
  })

  property('only moves a splice that meets no other', ({ text, first, second }) => {
    const others = joinSplices(first)
    const apart = joinSplices(second).filter(({ start, end }) =>
      others.every((other) => other.end < start || other.start > end),
    )
    const moved = apart.map((one) => {
      const shift = others
        .filter(({ end }) => end < one.start)
        .reduce((sum, other) => sum + other.text.length - (other.end - other.start), 0)
      return splice(one.start + shift, one.end + shift, one.text)
    })
    expect(rebaseSplices(text, apart, first).splices).toEqual(joinSplices(moved))
  })

  property('over two edits at once makes its own edit once', ({ text, first, second }) => {
    const both = composeSplices(first, rebaseSplices(text, second, first).splices)
    const own = [splice(text.length, text.length, 'END')]
    const { splices, conflicts } = rebaseSplices(text, own, both)
    const after = applySplices(applySplices(text, both), splices)
    expect([after.split('END').length, conflicts]).toEqual([2, []])
  })
})

it('twenty writers in one text lose no word and repeat none', () => {
  const text = Array.from({ length: 40 }, (_, line) => `- item ${line} has some words in it`).join('\n')
  let seed = 7
  const random = (below: number) => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) % below
  const log: Splice[][] = []
  let server = text
  const writers = Array.from({ length: 20 }, (_, id) => ({
    id,
    version: 0,
    base: text,
    now: text,
    words: [] as string[],
  }))
  const save = (writer: (typeof writers)[number]) => {
    const came = log.slice(writer.version).reduce<Splice[]>(composeSplices, [])
    const { splices } = rebaseSplices(writer.base, diffTexts(writer.base, writer.now), came)
    server = applySplices(server, splices)
    log.push([...splices])
    Object.assign(writer, { version: log.length, base: server, now: server })
  }
  for (let round = 0; round < 20; round++) {
    for (const writer of writers) {
      const spaces = [...writer.now.matchAll(/(?<=\w) (?=\w)/g)]
      const { index } = spaces[random(random(3) === 0 ? 5 : spaces.length)]!
      const word = `w${writer.id}x${round}`
      writer.now = `${writer.now.slice(0, index)} ${word}${writer.now.slice(index)}`
      writer.words.push(word)
      if (random(2) === 0) save(writer)
    }
  }
  writers.forEach(save)
  const counts = writers.flatMap(({ words }) =>
    words.map((word) => server.split(new RegExp(`${word}\\b`)).length - 1),
  )
  expect(counts.filter((count) => count !== 1)).toEqual([])
  expect(server.split('\n').filter((line) => !line.startsWith('- item '))).toEqual([])
})
