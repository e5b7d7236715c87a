import { describe, expect, test } from 'vitest'
import { requireStorable } from './storable.js'

describe('texts that cannot be stored', () => {
  test.each([
    [{ title: 'a\0' }, 'body.title'],
    [{ title: '\ud800' }, 'body.title'],
    [{ title: '\udc00😀' }, 'body.title'],
    [{ changes: [{ operation: 'x' }, { files: [{ name: '\ud800' }] }] }, 'body.changes[1].files[0].name'],
    ['\0', 'body'],
    [{ body: { markdown: 'a\0' } }, 'body.body.markdown'],
    [{ comment: { markdown: '\udc00' } }, 'body.comment.markdown'],
    [{ document: { markdown: '\0' } }, 'body.document.markdown'],
    [{ changes: [{ title: '\0', document: { markdown: '\0' } }] }, 'body.changes[0].title'],
  ])('%j is refused by name', (value, path) => {
    expect(() => requireStorable(value, 'body')).toThrow(`The member "${path}" holds U+0000`)
  })

  test.each([
    null,
    5,
    '😀 שלום\t\n\x01',
    { changes: [{}, { operation: 'update_page', document: { markdown: '\0 \ud800' } }] },
    ['a', { b: [] }],
  ])('%j is let in', (value) => {
    expect(() => requireStorable(value, 'body')).not.toThrow()
  })

  test('so is a name', () => {
    expect(() => requireStorable({ values: { 'a\0': {} } }, 'body')).toThrow(
      'The name of a member of "body.values" holds U+0000',
    )
  })

  test('deep nesting does not overflow the stack', () => {
    let value: unknown = 'x'
    for (let depth = 0; depth < 50_000; depth += 1) value = [value]
    expect(() => requireStorable(value, '')).not.toThrow()
  })
})
