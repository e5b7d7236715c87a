import { expect, it } from 'vitest'
import { insertableBlocks } from '../schema.js'
import { openText } from '../testing.js'
import { findMatches } from './find.js'
import { findInsertable } from './slash-menu.js'

it('finds blocks by the start of a name, of a word in it, and of a keyword', () => {
  const blocks = insertableBlocks('2026-01-31')
  const found = (query: string, isInCell = false) =>
    findInsertable(blocks, query, { isInCell }).map(({ name }) => name)
  expect(found('tab')).toEqual(['table', 'tabs'])
  expect(found('Code')).toEqual(['code'])
  expect(found('list')).toEqual(expect.arrayContaining(['bullets', 'numbers', 'tasks']))
  expect(found('bullet list')).toEqual(['bullets'])
  expect(found('callout')).toContain('hint-info')
  expect(found('nothing like it')).toEqual([])
  expect(found('', true)).toEqual(['bullets', 'numbers', 'tasks', 'quote', 'code', 'image'])
  expect(new Set(blocks.map(({ name }) => name)).size).toBe(blocks.length)
})

it('finds words in texts, over marks, with and without case', () => {
  const { state } = openText('One **tw**o\n\n- two İ TWO\n')
  const texts = (query: string, isCaseSensitive = false) =>
    findMatches(state.doc, { query, isCaseSensitive }).map(({ from, to }) => state.doc.textBetween(from, to))
  expect(texts('two')).toEqual(['two', 'two', 'TWO'])
  expect(texts('two', true)).toEqual(['two', 'two'])
  expect(texts('')).toEqual([])
  expect(texts('(')).toEqual([])
})
