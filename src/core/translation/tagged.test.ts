import { expect, test } from 'vitest'
import { parseInline } from './inline.js'
import { withoutDirectionControls } from './tagged.js'

test.each([
  ['pay', '\u202eyap\u202c', 'yap'],
  ['a **b**', '\u2066<g1>b\u2069</g1>\u2067', '<g1>b</g1>'],
  ['\u2066x\u2069 it', 'es \u2066x\u2069\u202e', 'es \u2066x\u2069'],
  ['Hello!', 'שלום!\u200f', 'שלום!\u200f'],
])('the answer to %j has no other controls of text direction', (source, answer, line) => {
  expect(withoutDirectionControls(answer, parseInline(source, 'markdown'))).toBe(line)
})
