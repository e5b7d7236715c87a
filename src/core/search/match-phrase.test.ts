import { expect, test } from 'vitest'
import { phraseText, phraseMatcher } from './match-phrase.js'
import { isSpaceless, spellOut } from './words.js'

const texts = [
  '',
  'agent',
  'Install the agent.',
  'The agents: install-agent, agent_install and AGENT/INSTALL',
  'reinstall agents; agent',
  'an agent -- install -- the agent   install\n\nagent',
  'Größe der Größen, größer',
  'Der Agent\u00a0der Größe',
  '大数据库系统',
  'agent数据 库',
  'v2.1 and 2 1 and 21',
]
const runs = [
  'agent',
  'install',
  'install agent',
  'agent install',
  'install agent install',
  'the agent install agent',
  'größe',
  'der größe',
  'agent der größe',
  '数据',
  '据库',
  '数据 库',
  'agent 数据',
  '2 1',
  '21',
  '1',
]

/** The words as in a spelled-out text; scripts without spaces have no word boundaries. */
function spelledBetween(words: string): string {
  const [before, behind] = [words[0]!, words.at(-1)!].map((one) => (isSpaceless(one) ? '' : ' '))
  return before! + words + behind!
}

test.each(runs)('%s matches where the spelled-out text contains it', (words) => {
  const stands = phraseMatcher(words)
  const found = texts.filter((text) => stands(phraseText(text)))
  expect(found).toEqual(texts.filter((text) => spellOut(text).includes(spelledBetween(words))))
})

test('matches are matches of the query', () => {
  const held = runs.map((words) => texts.filter((text) => phraseMatcher(words)(phraseText(text))).length)
  expect(held.filter((count) => count > 0).length).toBeGreaterThan(10)
  expect(phraseMatcher('')('any text')).toBe(false)
})
