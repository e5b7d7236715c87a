/** Which fragments are rendered synchronously, and what happens to the deferred ones. */
import { describe, expect, test } from 'vitest'
import type { Block, Inline } from '../../core/document/types.js'
import type { PageFragment } from './context.js'
import { createPageFragments } from './fragments.js'
import { renderDocument } from './render.js'
import { contextOf, documentOf, paragraph } from './testing.js'

const code = (text: string): PageFragment => ({ kind: 'code', text, syntax: 'js' })
const span = { start: 0, end: 0 }

function deferredLengths(fragments: readonly PageFragment[]): number[] {
  const page = createPageFragments()
  const owners = fragments.map((fragment) => ({ piece: fragment }))
  for (const owner of owners) page.markup(owner, owner.piece)
  return owners.flatMap((owner, index) => (page.deferred.has(owner) ? [index] : []))
}

describe('deferred fragments', () => {
  test('are the long ones, and those beyond the allowance of the page', () => {
    expect(deferredLengths([code('let a = 1'), code('x '.repeat(600))])).toEqual([1])
    expect(deferredLengths(Array.from({ length: 10 }, () => code('x '.repeat(490))))).toEqual([6, 7, 8, 9])
  })

  test('include formulas with macros, however short', () => {
    const formulas = [
      '\\frac{a}{b}',
      '\\def\\a{b}\\a',
      '\\newcommand{\\a}{b}\\a',
      '\\let\\a=b',
      '\\gdef\\a{b}',
    ]
    expect(deferredLengths(formulas.map((text) => ({ kind: 'formula', text, display: true })))).toEqual([
      1, 2, 3, 4,
    ])
  })

  test('exclude those above the maximum length', () => {
    expect(
      deferredLengths([code('x'.repeat(100_001)), { kind: 'html', text: '<i>'.repeat(50_000) }]),
    ).toEqual([])
  })

  test('are text until their result is set, and markup or text then', () => {
    const block = { type: 'code', span, syntax: 'js', code: `let a = "${'x'.repeat(2_000)}"` } as Block
    const fragments = createPageFragments()
    const context = contextOf({ fragments })
    expect(renderDocument({ blocks: [block] }, context).toString()).not.toContain('hljs-')
    expect([...fragments.deferred.keys()]).toEqual([block])
    fragments.setResult(block, '<span class="hljs-keyword">let</span>')
    expect(renderDocument({ blocks: [block] }, context).toString()).toContain('hljs-keyword')
    fragments.setResult(block, undefined)
    expect(renderDocument({ blocks: [block] }, context).toString()).toContain('let a = &quot;xxx')
  })
})

describe('HTML of a writer', () => {
  const html = (text: string) => documentOf(paragraph({ type: 'inline-html', html: text }))

  test.each(['<div>', '<ul><li>', '<table><td>', '<b>', '<font size=1>', '<x>', '<em><p>'])(
    'that nests without end is text: %s',
    (tag) => {
      // 50,000 of them took the parser eight minutes, and it cannot be interrupted.
      const markup = renderDocument(html(tag.repeat(1_500 / tag.length)), contextOf()).toString()
      expect(markup).toContain('html-source')
      expect(markup).toContain('&lt;')
    },
  )

  test('with balanced tags is rendered, however much there is', () => {
    const row = '<tr><td><b>a</b><p>b<li>c</td></tr>'
    const markup = renderDocument(html(`<table>${row.repeat(50)}</table>`), contextOf()).toString()
    expect(markup.match(/<strong>|<b>/g)).toHaveLength(50)
  })

  test('cannot duplicate our own markup', () => {
    const children: Inline[] = [
      { type: 'inline-html', html: '<i>&#xe000;0&#xe001;' },
      { type: 'link', url: 'https://a.example', children: [{ type: 'text', text: 'once' }] },
      { type: 'inline-html', html: '&#xe000;0&#xe001;</i>' },
    ]
    const markup = renderDocument(documentOf(paragraph(...children)), contextOf()).toString()
    expect(markup.match(/once/g)).toHaveLength(1)
  })
})
