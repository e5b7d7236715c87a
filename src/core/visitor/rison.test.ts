import { expect, test } from 'vitest'
import { parseRison } from './rison.js'

test.each([
  ['(plan:pro,beta:!t,teams:!(a,b))', { plan: 'pro', beta: true, teams: ['a', 'b'] }],
  ["(name:'Ann !'the!' Writer !!')", { name: "Ann 'the' Writer !" }],
  ['()', {}],
  ['!()', []],
  ['(a:(b:(c:!f)),n:!n)', { a: { b: { c: false } }, n: null }],
  ['!(1,-2.5,1e3,0,01,1-2)', [1, -2.5, 1000, 0, '01', '1-2']],
  ["('a b':é)", { 'a b': 'é' }],
])('%s', (text, value) => {
  expect(parseRison(text)).toEqual(value)
})

test('creates an own member for any name, without changing a prototype', () => {
  const value = parseRison('(__proto__:(isAdmin:!t))') as Record<string, unknown>
  expect(Object.keys(value)).toEqual(['__proto__'])
  expect(value['isAdmin']).toBeUndefined()
})

test.each([
  '',
  '(',
  '(a)',
  '(a:)',
  '(a:b',
  '!x',
  '!(a',
  '!(a,)',
  "'a",
  "'a!b'",
  '(a:b)c',
  '(a:b,)',
  '!('.repeat(1000),
])('is not %s', (text) => {
  expect(parseRison(text)).toBeUndefined()
})
