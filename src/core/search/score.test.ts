import { expect, test } from 'vitest'
import { type ScoredText, createScorer, rarityWeight } from './score.js'

const word = (...variants: [string, number][]) => ({
  variants: variants.map(([name, quality]) => ({ word: name, quality })),
  weight: rarityWeight(3),
})
const text = (title: string, heading = '', body = ''): ScoredText => ({ title, heading, body, holds: 'some' })

const twoWords = createScorer({
  text: 'install agent',
  words: [word(['install', 1], ['installs', 0.9]), word(['agent', 1], ['agents', 0.9], ['aged', 0.6])],
})

test.each([
  [
    'a title alone comes before one that says more',
    text('Install agent'),
    text('Install agent and server on Windows'),
  ],
  ['a title before a heading', text('Install agent'), text('Server', 'Install agent')],
  [
    'a heading before a text',
    text('Server', 'Install agent'),
    text('Server', 'Notes', 'You may install it. An agent is there.'),
  ],
  [
    'together and in order before apart',
    text('A', '', 'To install agent one'),
    text('A', '', 'The agent. Then install it.'),
  ],
  ['the word itself before its inflection', text('Install agent'), text('Install agents')],
  ['an inflection before what was mistyped', text('Install agents'), text('Install aged')],
  ['all words before some', text('A', '', 'An agent. Then install it.'), text('Agent')],
  ['a part of a compound in a title is a word', text('AgentInstall install'), text('AgentX')],
])('%s', (_, better, worse) => {
  expect(twoWords(better)).toBeGreaterThan(twoWords(worse))
})

test('sections that match no more than half of a query score below 0', () => {
  expect(twoWords(text('Install'))).toBeLessThan(0)
  expect(twoWords(text('Install the agent'))).toBeGreaterThan(0)
})

test('the index match of a section counts though its text was not read', () => {
  const unread = { title: 'A', heading: '', body: undefined }
  const [phrase, words, some] = (['phrase', 'words', 'some'] as const).map((holds) =>
    twoWords({ ...unread, holds }),
  )
  expect(phrase).toBeGreaterThan(words!)
  expect(words).toBeGreaterThan(some!)
})

test('scripts without spaces get the adjacency bonus, too', () => {
  const score = createScorer({ text: '数据库', words: [word(['数据', 1]), word(['据库', 1])] })
  expect(score(text('A', '', '大数据库系统'))).toBeGreaterThan(score(text('A', '', '数据，据库')))
})

test('names with signs are found as they are written', () => {
  const score = createScorer({ text: '--install', words: [word(['install', 1])] })
  expect(score(text('Flags', '', 'Pass --install once.'))).toBeGreaterThan(
    score(text('A', '', 'You install it.')),
  )
})

test('rare words weigh more', () => {
  expect(rarityWeight(1)).toBeGreaterThan(rarityWeight(10))
  expect(rarityWeight(10)).toBeGreaterThan(rarityWeight(10_000))
})
