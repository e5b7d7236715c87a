import { expect, it } from 'vitest'
import { offsetOfPosition, positionOfOffset } from './selection-offsets.js'
import { everyConstruct, openText } from './testing.js'

it('finds the offset of a position, and back', () => {
  const { base, state } = openText(everyConstruct)
  for (const words of [
    'Words',
    'bold',
    'linked',
    'Heading two',
    'with two',
    'lines',
    'hint',
    'run(a)',
    'three',
    'text',
  ]) {
    let position = 0
    state.doc.descendants((node, at) => {
      const index = node.isText ? node.text!.indexOf(words) : -1
      if (index >= 0 && position === 0) position = at + index + words.length
    })
    const offset = offsetOfPosition(state.doc, position, base.text, base.origins)!
    expect([words, base.text.slice(offset - words.length, offset).replace(/\s+/, ' ')]).toEqual([
      words,
      words,
    ])
    expect([words, positionOfOffset(state.doc, offset, base.text, base.origins)]).toEqual([words, position])
  }
})

it('takes the end of the text, and what is before the blocks', () => {
  const { base, state } = openText('# T\n\n- a\n- b\n')
  expect(positionOfOffset(state.doc, base.text.length, base.text, base.origins)).toBe(9)
  expect(positionOfOffset(state.doc, 0, base.text, base.origins)).toBeUndefined()
})

it('reads no character in destinations and elements', () => {
  const text = `A [link](a.b.md "c.d") <kbd class="e.f">key</kbd>, ${'x'.repeat(90)}![](${'y.'.repeat(60)}).\n`
  const { base, state } = openText(text)
  const end = state.doc.content.size - 1
  expect(offsetOfPosition(state.doc, end, base.text, base.origins)).toBe(text.length - 1)
  const inside = positionOfOffset(state.doc, text.indexOf('b.md'), base.text, base.origins)!
  expect(state.doc.textBetween(1, inside)).toBe('A link')
})
