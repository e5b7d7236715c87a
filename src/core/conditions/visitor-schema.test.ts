import { expect, test } from 'vitest'
import type { Json } from '../json-schema/json.js'
import { suggestConditions } from './suggestions.js'
import { type VisitorSchema, cutClaims, readVisitorSchema } from './visitor-schema.js'

function schemaOf(properties: Json, more: Readonly<Record<string, Json>> = {}): VisitorSchema {
  const read = readVisitorSchema({ type: 'object', properties, ...more })
  if ('problem' in read) throw new Error(read.problem)
  return read
}

/** Returns what is known of somebody whose signed claims are these. */
function known(properties: Json, signed: Json, more?: Readonly<Record<string, Json>>): unknown {
  const { unsigned, ...claims } = cutClaims(schemaOf(properties, more), {
    signed: signed as Record<string, Json>,
    unsigned: {},
  })
  expect(unsigned).toEqual({})
  return claims
}

const plan = { type: 'string', enum: ['free', 'pro'] }

test.each<[what: string, properties: Json, signed: Json, expected: Json]>([
  ['what is named and fits', { plan }, { plan: 'pro' }, { plan: 'pro' }],
  ['not what is not named', { plan }, { plan: 'pro', iat: 1, exp: 2, isAdmin: true }, { plan: 'pro' }],
  ['not what does not fit', { plan, seats: { type: 'number' } }, { plan: 'PRO', seats: 3 }, { seats: 3 }],
  [
    'of an object what is named',
    { team: { type: 'object', properties: { name: { type: 'string' } } } },
    { team: { name: 'a', secret: 1 } },
    { team: { name: 'a' } },
  ],
  [
    'nothing of an object in which something does not fit',
    { team: { type: 'object', properties: { name: { type: 'string' } } } },
    { team: { name: 1 } },
    {},
  ],
  [
    'of each item what is named',
    { teams: { type: 'array', items: { $ref: '#/definitions/team' } } },
    { teams: [{ name: 'a', secret: 1 }, { name: 'b' }] },
    { teams: [{ name: 'a' }, { name: 'b' }] },
  ],
  [
    'what one of several schemas names',
    { who: { anyOf: [{ properties: { a: {} } }, { allOf: [{ properties: { b: {} } }] }] } },
    { who: { a: 1, b: 2, c: 3 } },
    { who: { a: 1, b: 2 } },
  ],
  [
    'all of an object of which nothing is named',
    { free: { type: 'object' } },
    { free: { a: [1] } },
    { free: { a: [1] } },
  ],
  ['not what signed claims call unsigned', { unsigned: { type: 'object' } }, { unsigned: { a: 1 } }, {}],
  ['nothing by the name of what every object has', { plan }, { toString: 1, valueOf: 2 }, {}],
])('a site knows %s', (_, properties, signed, expected) => {
  const more = { definitions: { team: { type: 'object', properties: { name: { type: 'string' } } } } }
  expect(known(properties, signed, more)).toEqual(expected)
})

test('what visitors say of themselves is cut by itself, and never taken for what was signed', () => {
  const schema = schemaOf({
    plan,
    unsigned: { type: 'object', properties: { language: { enum: ['fr', 'en'] }, level: { type: 'number' } } },
  })
  const said = { language: 'fr', level: 'high', plan: 'pro' }
  expect(cutClaims(schema, { signed: {}, unsigned: said })).toEqual({ unsigned: { language: 'fr' } })
  expect(cutClaims(schemaOf({ plan }), { signed: {}, unsigned: said })).toEqual({ unsigned: {} })
})

test.each(['__proto__', 'constructor', 'prototype'])('a claim of the name %s is never there', (name) => {
  const properties = JSON.parse(`{"${name}":{},"a":{"type":"object"}}`) as Json
  const signed = JSON.parse(`{"${name}":{"isAdmin":true},"a":{"${name}":{"isAdmin":true},"b":1}}`) as Json
  const claims = known(properties, signed) as Record<string, unknown>
  expect(claims).toEqual({ a: { b: 1 } })
  expect(claims['isAdmin']).toBeUndefined()
})

test('claims that take too much are not there, and those beside them are', () => {
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
  expect(known(properties, { loop: 1, many, deep, plan: 'pro' }, { definitions })).toEqual({ plan: 'pro' })
})

test('conditions are suggested for what a claim may be, in words that an expression reads', () => {
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
