import { expect, test } from 'vitest'
import { type IndexedWord, type Lookup, chooseVariants, variantLookups, typoLookups } from './variants.js'

/** The words of a vocabulary that lookups return. */
function look(words: readonly string[], lookups: readonly Lookup[], language: string): IndexedWord[] {
  return lookups.flatMap((lookup) =>
    words
      .filter((word) => {
        if ('in' in lookup) return lookup.in.includes(word)
        const [least, most] = lookup.lengths ?? [0, 99]
        const is =
          'begins' in lookup ? word.startsWith(lookup.begins) : lookup.ends.some((end) => word.endsWith(end))
        return is && word.length >= least && word.length <= most
      })
      .map((word) => ({ word, pages: 3, language, space: 'space' })),
  )
}

function find(
  term: string,
  words: string,
  { language = 'en', isOpen = false, isMistyped = false } = {},
): string {
  const vocabulary = words.split(' ')
  const lookups = [
    { in: [term] },
    ...variantLookups(term, [language], isOpen),
    ...(isMistyped ? typoLookups(term) : []),
  ]
  const known = look(vocabulary, lookups, language)
  return chooseVariants(term, known, { isOpen, isMistyped })
    .map(({ word }) => word)
    .join(' ')
}

test.each([
  ['configuring', 'configuration configure configured confirm', {}, 'configuration configure configured'],
  ['policy', 'policies policed', {}, 'policies'],
  ['policies', 'policy', {}, 'policy'],
  ['use', 'using used user', {}, 'used using'],
  ['workflow', 'workflows workflow', {}, 'workflow workflows'],
  ['conf', 'configuration conflict con', { isOpen: true }, 'configuration conflict'],
  ['conf', 'configuration', {}, ''],
  [
    'einstellung',
    'datenbankeinstellungen einstellungen bank',
    { language: 'de' },
    'einstellungen datenbankeinstellungen',
  ],
  ['خادم', 'الخادم', { language: 'ar' }, 'الخادم'],
  ['настройка', 'настройки', { language: 'ru' }, 'настройки'],
  ['workflows', 'workflow', { language: 'zh-tw' }, 'workflow'],
  ['worflow', 'workflow worm', { isMistyped: true }, 'workflow'],
  ['worklfwo', 'workflow', { isMistyped: true }, 'workflow'],
  ['tesst', 'test tests', { isMistyped: true }, 'test tests'],
  ['abc', 'abd', { isMistyped: true }, ''],
  ['v21', 'v22', { isMistyped: true }, ''],
  ['数据', '数据 据库', {}, '数据'],
])('%s is answered, of %s, %o', (term, words, options, found) => {
  expect(find(term, words, options)).toBe(found)
})

test('the word itself comes before its inflections, and those before what was mistyped', () => {
  const known = ['tests', 'text', 'test', 'tester'].map((word) => ({
    word,
    pages: 1,
    language: 'en',
    space: 's',
  }))
  const found = chooseVariants('test', [...known, ...known], { isOpen: true, isMistyped: true })
  expect(found.map(({ word }) => word)).toEqual(['test', 'tests', 'tester', 'text'])
  // A word that was found in two ways is counted once.
  expect(found[0]!.pages).toBe(1)
})

test('the number of lookups is bounded for any word', () => {
  for (const term of ['x'.repeat(64), '💥'.repeat(20), 'constructor', '__proto__', 'a']) {
    for (const language of ['en', 'de', 'ar', 'zh', 'xx', null]) {
      const lookups = [...variantLookups(term, [language], true), ...typoLookups(term)]
      expect(lookups.length).toBeLessThanOrEqual(6)
    }
  }
})
