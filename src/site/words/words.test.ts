import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { english } from './en.js'
import { type PluralWord, pluralsIn } from './plurals.js'
import { fill, supportedLocale, wordsIn } from './words.js'

const languages = ['en', 'de', 'fr', 'es', 'pt', 'ja', 'zh', 'ko', 'ar', 'he'] as const
const keys = Object.keys(english) as (keyof typeof english)[]

const placeholdersIn = (sentence: string): string[] => (sentence.match(/\{2?\}/g) ?? []).toSorted()
const formsOf = (words: string | PluralWord): string[] =>
  typeof words === 'string' ? [words] : [0, 1, 2, 3, 11, 21, 100, 1_000_000].map((count) => words(count))

describe.each(languages)('the UI texts in %s', (language) => {
  const words = wordsIn(language)

  test('are complete, with the same placeholders', () => {
    for (const key of keys) {
      const [translated, original] = [words[key], english[key]]
      for (const one of formsOf(translated)) expect(one.trim(), key).not.toBe('')
      if (typeof translated === 'string' && typeof original === 'string')
        expect(placeholdersIn(translated), key).toEqual(placeholdersIn(original))
    }
  })

  test('are translated', () => {
    if (language === 'en') return
    const same = keys.filter((key) => words[key] === english[key])
    // Loanwords: "Prompt", "Version", "Pages".
    expect(same.length, String(same)).toBeLessThan(13)
  })

  test('have the plural categories of the platform', () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const forms = Object.fromEntries(categories.map((category) => [category, category]))
    const counted = (pluralsIn(language) as (forms: object) => PluralWord)(forms)
    const counts = [0, 1, 2, 3, 11, 100, 1_000_000]
    expect(new Set(counts.map(counted)).size).toBe(categories.length)
    for (const count of counts) expect(words.pagesFound(count), String(count)).not.toContain('{}')
  })
})

test('numbers are localized', () => {
  expect(wordsIn('en').pagesFound(1234)).toBe('1,234 pages')
  expect(wordsIn('de').pagesFound(1234)).toBe('1.234 Seiten')
  expect(wordsIn('ar').pagesFound(2)).toBe('صفحتان')
  expect(wordsIn('ar').pagesFound(5)).toMatch(/صفحات$/)
})

test('a language is identified by the primary subtag, with English as fallback', () => {
  expect(wordsIn('pt-BR').search).toBe('Pesquisar')
  expect(wordsIn('ZH-tw').search).toBe('搜索')
  expect(wordsIn('it').search).toBe('Search')
  expect(wordsIn('constructor').search).toBe('Search')
})

test.each([
  ['de-AT', 'de-AT'],
  ['pt-br', 'pt-BR'],
  ['tlh', 'en'],
  ['', 'en'],
  ['en-en-en-u', 'en'],
  ['a b', 'en'],
])('dates and numbers of %j are written by the rules of %s', (language, rules) => {
  expect(supportedLocale(language)).toBe(rules)
})

test('values of placeholders stay unchanged', () => {
  expect(fill(english.stars, '$&', '{}')).toBe('$& of {}')
})

test('every text is used', () => {
  const folder = fileURLToPath(new URL('../..', import.meta.url))
  const isLanguage = (name: string) => /words\/(?:..|words)\.ts$/.test(name)
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        /^(?:site|server\/sites)\/.*\.ts$/.test(name) && !name.endsWith('.test.ts') && !isLanguage(name),
    )
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  expect(keys.filter((key) => !new RegExp(`\\.${key}\\b`).test(sources))).toEqual([])
})
