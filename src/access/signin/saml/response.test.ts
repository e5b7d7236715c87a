/** The size of a response is limited before it is parsed: the endpoint is open to anonymous callers. */
import { expect, test } from 'vitest'
import { limits } from '../../../contract/limits.js'
import { parseXml } from './response.js'

const attributes = (count: number) => Array.from({ length: count }, (_, at) => `a${at}="x"`).join(' ')

test('a response within the limits is parsed', () => {
  const inner = '<b/>'.repeat(limits.xmlElements - 1)
  expect(parseXml(`<?xml version="1.0"?><a ${attributes(100)}>${inner}</a>`).childNodes).toHaveLength(
    limits.xmlElements - 1,
  )
})

test.each([
  ['elements in one another', `${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}`],
  ['elements beside one another', `<a>${'<b/>'.repeat(50_000)}</a>`],
  ['ends without beginnings', `<a>${'</b>'.repeat(50_000)}</a>`],
  ['attributes', `<a ${attributes(20_000)}/>`],
])('%s without number are not', (_, xml) => {
  expect(() => parseXml(xml)).toThrow('it has too many elements')
})
