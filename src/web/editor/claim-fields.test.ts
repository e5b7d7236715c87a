import { expect, test } from 'vitest'
import { claimFieldsOf, claimsOf } from './claim-fields.js'

test('the claims of a schema are fields, and filled fields are claims', () => {
  const fields = claimFieldsOf({
    type: 'object',
    properties: {
      plan: { type: 'string', enum: ['free', 'pro'], description: 'What they pay.' },
      seats: { type: 'number', description: 'How many.' },
      beta: { type: 'boolean', description: 'Takes part.' },
      products: { type: 'array', items: { type: 'string' }, description: 'What they have.' },
      unsigned: { type: 'object', properties: { language: { type: 'string', description: 'Reads.' } } },
    },
  })
  expect(fields.map(({ path, type, values }) => [path.join('.'), type, values])).toEqual([
    ['plan', 'string', ['free', 'pro']],
    ['seats', 'number', []],
    ['beta', 'boolean', []],
    ['products', 'string', []],
    ['unsigned.language', 'string', []],
  ])
  const values = new Map([
    ['plan', 'pro'],
    ['seats', '3'],
    ['beta', 'false'],
    ['products', 'maps, routes,'],
    ['unsigned.language', ''],
  ])
  expect(claimsOf(fields, values)).toEqual({
    plan: 'pro',
    seats: 3,
    beta: false,
    products: ['maps', 'routes'],
  })
  expect(claimsOf(fields, new Map([['unsigned.language', 'de']]))).toEqual({ unsigned: { language: 'de' } })
})
