import { expect, test } from 'vitest'
import { parseExpression } from '../../core/conditions/parse.js'
import { printCondition, readCondition, readValue } from './condition-form.js'

test.each([
  ['visitor.claims.plan == "pro"', '&&', [['plan', 'is', 'pro']]],
  ["visitor.claims.plan === 'pro'", '&&', [['plan', 'is', 'pro']]],
  ['visitor.claims.plan!="pro"', '&&', [['plan', 'isNot', 'pro']]],
  ['visitor.claims.isBetaUser', '&&', [['isBetaUser', 'isTrue', '']]],
  ['!visitor.claims.isBetaUser', '&&', [['isBetaUser', 'isNotTrue', '']]],
  ['visitor.claims.beta === true', '&&', [['beta', 'is', true]]],
  ['visitor.claims.seats == 10.5', '&&', [['seats', 'is', 10.5]]],
  ['visitor.claims.products.includes("api")', '&&', [['products', 'includes', 'api']]],
  ['visitor.claims["plan-kind"] == "a \\"b\\""', '&&', [['plan-kind', 'is', 'a "b"']]],
  ['visitor.claims.team.name == "x"', '&&', [['team.name', 'is', 'x']]],
  [
    ' visitor.claims.a == "1" || visitor.claims.b ',
    '||',
    [
      ['a', 'is', '1'],
      ['b', 'isTrue', ''],
    ],
  ],
] as const)(
  'reads %s as a form, and writes an expression with the same form',
  (expression, join, clauses) => {
    const form = { join, clauses: clauses.map(([claim, operator, value]) => ({ claim, operator, value })) }
    expect(readCondition(expression)).toEqual(form)
    const printed = printCondition(form)
    expect(parseExpression(printed)).toMatchObject({ ok: true })
    expect(readCondition(printed)).toEqual(form)
  },
)

test.each([
  '',
  'visitor.claims.a && visitor.claims.b || visitor.claims.c',
  '(visitor.claims.a)',
  'visitor.claims.a == visitor.claims.b',
  'visitor.claims.a > 3',
  'visitor.claims.a == "x" ? true : false',
  'space.vars.a == "x"',
  'visitor.claims == "x"',
  'visitor.claims["a.b"]',
  'visitor.claims.a == 1x',
  'visitor.claims.a ==',
  '!visitor.claims.a == "x"',
])('leaves %s to be edited as text', (expression) => {
  expect(readCondition(expression)).toBeUndefined()
})

test('leaves clauses without a claim out', () => {
  const clause = { claim: ' ', operator: 'is', value: 'x' } as const
  expect(printCondition({ join: '&&', clauses: [clause] })).toBe('')
  expect(printCondition({ join: '||', clauses: [clause, { ...clause, claim: 'a' }] })).toBe(
    'visitor.claims.a == "x"',
  )
})

test.each([
  ['true', true],
  ['10', 10],
  ['-0.5', -0.5],
  ['007', '007'],
  ['1e3', '1e3'],
  ['pro', 'pro'],
  ['', ''],
])('takes %s as typed for %s', (words, value) => {
  expect(readValue(words)).toBe(value)
})
