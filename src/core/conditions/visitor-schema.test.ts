import { expect, test } from 'vitest'
import type { Json } from '../json-schema/json.js'
import { suggestConditions } from './suggestions.js'
import { type VisitorSchema, filterClaims, readVisitorSchema } from './visitor-schema.js'

function schemaOf(properties: Json, more: Readonly<Record<string, Json>> = {}): VisitorSchema {
  const read = readVisitorSchema({ type: 'object', properties, ...more })
  if ('problem' in read) throw new Error(read.problem)
  return read
}

/** Returns the accepted claims of a visitor with these signed claims. */
function claimsOf(properties: Json, signed: Json, more?: Readonly<Record<string, Json>>): unknown {
  const { unsigned, ...claims } = filterClaims(schemaOf(properties, more), {
    signed: signed as Record<string, Json>,
    unsigned: {},
  })
  expect(unsigned).toEqual({})
  return claims
}

const plan = { type: 'string', enum: ['free', 'pro'] }

test.each<[what: string, properties: Json, signed: Json, expected: Json]>([
  ['a claim that is named and valid', { plan }, { plan: 'pro' }, { plan: 'pro' }],
  ['no claim that is not named', { plan }, { plan: 'pro', iat: 1, exp: 2, isAdmin: true }, { plan: 'pro' }],
  ['no invalid claim', { plan, seats: { type: 'number' } }, { plan: 'PRO', seats: 3 }, { seats: 3 }],
  [
    'the named members of an object',
    { team: { type: 'object', properties: { name: { type: 'string' } } } },
    { team: { name: 'a', secret: 1 } },
    { team: { name: 'a' } },
  ],
  [
    'nothing of an object with an invalid member',
    { team: { type: 'object', properties: { name: { type: 'string' } } } },
    { team: { name: 1 } },
    {},
  ],
  [
    'the named members of each item',
    { teams: { type: 'array', items: { $ref: '#/definitions/team' } } },
    { teams: [{ name: 'a', secret: 1 }, { name: 'b' }] },
    { teams: [{ name: 'a' }, { name: 'b' }] },
  ],
  [
    'the members that one of several schemas names',
    { who: { anyOf: [{ properties: { a: {} } }, { allOf: [{ properties: { b: {} } }] }] } },
    { who: { a: 1, b: 2, c: 3 } },
    { who: { a: 1, b: 2 } },
  ],
  [
    'all of an object without named members',
    { free: { type: 'object' } },
    { free: { a: [1] } },
    { free: { a: [1] } },
  ],
  ['no signed claim called unsigned', { unsigned: { type: 'object' } }, { unsigned: { a: 1 } }, {}],
  ['no members of Object.prototype', { plan }, { toString: 1, valueOf: 2 }, {}],
])('a site accepts %s', (_, properties, signed, expected) => {
  const more = { definitions: { team: { type: 'object', properties: { name: { type: 'string' } } } } }
  expect(claimsOf(properties, signed, more)).toEqual(expected)
})

test('unsigned claims are filtered separately and never count as signed', () => {
  const schema = schemaOf({
    plan,
    unsigned: { type: 'object', properties: { language: { enum: ['fr', 'en'] }, level: { type: 'number' } } },
  })
  const unsigned = { language: 'fr', level: 'high', plan: 'pro' }
  expect(filterClaims(schema, { signed: {}, unsigned })).toEqual({ unsigned: { language: 'fr' } })
  expect(filterClaims(schemaOf({ plan }), { signed: {}, unsigned })).toEqual({ unsigned: {} })
})

test.each(['__proto__', 'constructor', 'prototype'])('a claim named %s is always dropped', (name) => {
  const properties = JSON.parse(`{"${name}":{},"a":{"type":"object"}}`) as Json
  const signed = JSON.parse(`{"${name}":{"isAdmin":true},"a":{"${name}":{"isAdmin":true},"b":1}}`) as Json
  const claims = claimsOf(properties, signed) as Record<string, unknown>
  expect(claims).toEqual({ a: { b: 1 } })
  expect(claims['isAdmin']).toBeUndefined()
})

test('claims over the budget are dropped, their siblings are not', () => {
  const definitions = {
    loop: { $ref: '#/definitions/loop' },
    deep: { properties: { a: { $ref: '#/definitions/deep' } } },
  }
  const properties = {
    plan,
    loop: { $ref: '#/definitions/loop' },
    many: { type: 'array', uniqueItems: true },
    deep: { $ref: '#/definitions/deep' },
    unsigned: { type: 'object', $comment: 'x', allOf: [{ $ref: '#/definitions/loop' }] },
  }
  const deep = Array.from({ length: 5_000 }).reduce<Json>((inner) => ({ a: inner }), {})
  const many = Array.from({ length: 100_000 }, (_, at) => at)
  expect(claimsOf(properties, { loop: 1, many, deep, plan: 'pro' }, { definitions })).toEqual({ plan: 'pro' })
})

test('suggests conditions for the values of claims, as valid expressions', () => {
  const schema = schemaOf({
    'cost center': { type: 'object', properties: { 'a"b': { type: 'boolean' } } },
    free: { type: 'string' },
    many: { enum: Array.from({ length: 1_000 }, (_, at) => `v${at}`) },
  })
  const suggested = suggestConditions(schema)
  expect(suggested[0]).toEqual({
    description: 'cost center.a"b: true',
    condition: 'visitor.claims["cost center"]["a\\"b"] === true',
  })
  expect(suggested).toHaveLength(500)
})
