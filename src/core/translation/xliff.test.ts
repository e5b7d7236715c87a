import { describe, expect, test } from 'vitest'
import { type ReadXliff, parseXliff } from './xliff.js'

const limits = { text: 100_000, depth: 32, units: 200_000 }

function read(body: string): { readonly steps: number; readonly found: ReadXliff } {
  const xml = `<xliff version="1.2"><file original="p" source-language="en" target-language="de"><body>${body}</body></file></xliff>`
  const reading = parseXliff(xml, limits)
  for (let steps = 0; ; steps++) {
    const step = reading.next()
    if (step.done === true) return { steps, found: step.value }
  }
}

const unit = (target: string, source = 'a', id = 'u') =>
  `<trans-unit id="${id}"><source>${source}</source><target>${target}</target></trans-unit>`

describe('a large document is read in short steps', () => {
  test.each([
    ['units', unit('words')],
    ['codes', unit('<g id="1">a</g><x id="2"/>'.repeat(500))],
    ['entities', unit('&amp;&#233;'.repeat(2_000))],
    ['comments', '<!-- a -->'],
    ['elements', '<note/>'],
    ['attributes', `<note d="${'&lt;'.repeat(2_000)}"/>`],
  ])('of %s', (_, piece) => {
    const body = piece.repeat(Math.ceil(1_000_000 / piece.length))
    const { steps } = read(body)
    expect(steps).toBeGreaterThan(body.length / 50_000)
  })

  test.each([
    ['a translation', unit('a'.repeat(200_000))],
    ['a translation of many pieces', unit('<x id="1"/>'.repeat(50_000))],
    ['a text of entities', unit('a', '&amp;'.repeat(50_000))],
    ['a text of what begins entities', unit('a', '&'.repeat(200_000))],
  ])('%s that no step could hold is refused', (_, body) => {
    expect(() => read(body)).toThrow('longer than 100000 characters')
  })

  test('ignored content may be long', () => {
    const { found } = read(`<internal-file>${'QUJD'.repeat(100_000)}</internal-file>${unit('b &amp; c')}`)
    expect(found.units).toEqual([{ original: 'p', id: 'u', target: 'b &amp; c' }])
  })
})
