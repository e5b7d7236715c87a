import { describe, expect, test } from 'vitest'
import { createBudget } from '../budget.js'
import { printed } from './claim-reader.js'
import { conditionLimits, evaluate, holds } from './evaluate.js'
import { parseExpression } from './parse.js'

const fullBudget = () => createBudget(conditionLimits)

const inputs = {
  visitor: {
    claims: {
      isBeta: true,
      plan: 'pro',
      seats: 12,
      products: ['api', 'web'],
      teams: [
        { name: 'a', size: 1 },
        { name: 'b', size: 5 },
      ],
      unsigned: { language: 'fr' },
      nothing: null,
    },
  },
  space: { vars: { version: '2.1', max: 10 } },
  page: { vars: {} },
}

function value(source: string): unknown {
  const parsed = parseExpression(source)
  if (!parsed.ok) throw new Error(parsed.problem.message)
  return evaluate(parsed.expression, inputs, fullBudget())
}

describe('an expression has the same value as in JavaScript', () => {
  test.each([
    ['visitor.claims.isBeta === true', true],
    ['visitor.claims.unsigned.language === "fr"', true],
    ["visitor.claims['plan'] == 'pro' && !visitor.claims.trial", true],
    ['visitor.claims.products.includes("api")', true],
    ['visitor.claims.products[1]', 'web'],
    ['visitor.claims.products.length > 1', true],
    ['visitor.claims.products.at(-1)', 'web'],
    ['visitor.claims.teams.some(team => team.size > 4)', true],
    ['visitor.claims.teams.every((team, index) => team.size > index)', true],
    ['visitor.claims.teams.map(t => t.name).includes("b")', true],
    ['visitor.claims.teams.filter(t => t.size > 1).length', 1],
    ['visitor.claims.teams.find(t => t.name == "b").size', 5],
    ['visitor.claims.teams.some(t => visitor.claims.teams.some(u => u.size > t.size))', true],
    ['"  Pro ".trim().toLowerCase() === visitor.claims.plan', true],
    ['visitor.claims.plan.startsWith("p") ? "yes" : "no"', 'yes'],
    ['"plan" in visitor.claims', true],
    ['"toString" in visitor.claims', false],
    ['visitor.claims.seats >= 10 && visitor.claims.seats < 20', true],
    ['visitor.claims.seats == "12"', true],
    ['visitor.claims.seats === "12"', false],
    ['1 + 2 * 3 - 4 / 2 % 3', 5],
    ['"a" + 1', 'a1'],
    ['"v" + true', 'vtrue'],
    ['-visitor.claims.seats', -12],
    ['visitor.claims.missing', undefined],
    ['visitor.claims.missing?.deeper.still', undefined],
    ['visitor.claims.nothing?.x()?.y === undefined', undefined],
    ['visitor.claims.missing?.trim()', undefined],
    ['visitor.claims.missing ?? "none"', 'none'],
    ['typeof visitor.claims.missing', 'undefined'],
    ['visitor.claims.nothing == undefined', true],
    ['(visitor.claims.isBeta)', true],
    ['[1, "a"].includes(1)', true],
    ['visitor.claims.toString', undefined],
    ['visitor.claims.products.map', undefined],
    ['"abc".length', 3],
    ['"abc"[1]', 'b'],
  ])('%s', (source, expected) => {
    if (source.includes('x()')) expect(parseExpression(source).ok).toBe(false)
    else expect(value(source)).toEqual(expected)
  })
})

describe('a text with a missing part is missing', () => {
  test.each([
    '"Seats: " + visitor.claims.missing',
    'visitor.claims.missing + " seats"',
    '"Seats: " + visitor.claims.nothing',
    '"Seats: " + (visitor.claims.missing + 1)',
    '"Seats: " + 1 / 0',
  ])('%s', (source) => expect(value(source)).toBeUndefined())

  test.each([
    ['"plan-" + visitor.claims.missing === "plan-pro"', false],
    ['"plan-" + visitor.claims.missing !== "plan-pro"', true],
  ])('%s: %s', (source, expected) => expect(value(source)).toBe(expected))
})

test.each([
  ['visitor.claims.missing + 1', ''],
  ['-visitor.claims.missing', ''],
  ['1 / 0', ''],
  ['visitor.claims.nothing', ''],
  ['visitor.claims.products', ''],
  ['visitor.claims.seats + 1', '13'],
  ['visitor.claims.isBeta', 'true'],
])('%s is printed as %j', (source, expected) => {
  expect(printed(value(source))).toBe(expected)
})

describe('a condition', () => {
  test.each([
    ['', true],
    ['  ', true],
    ['visitor.claims.isBeta', true],
    ['visitor.claims.missing', false],
    ['visitor.claims.missing.deeper', false],
    ['!visitor.claims.missing.deeper', false],
    ['unknown', false],
    ['!unknown', false],
    ['visitor.claims.isBeta = true', false],
    ['visitor.claims.isBeta; true', false],
    ['true true', false],
    ['true, true', false],
    ['(true', false],
    ['true)', false],
    ['}', false],
  ])('%j holds: %s', (source, expected) => {
    expect(holds(source, inputs, fullBudget())).toBe(expected)
  })
})

describe('nothing outside the language is accepted', () => {
  const attacks = [
    'process.version',
    'globalThis',
    'this',
    'this.constructor',
    'import("fs")',
    'import.meta',
    'require("fs")',
    'eval("1")',
    'Function("return 1")()',
    'new Date()',
    '[].constructor.constructor("return process")()',
    '"".constructor.fromCharCode(65)',
    'visitor["constructor"]["constructor"]("return 1")()',
    'visitor.claims.products["map"](x => x)',
    'visitor.claims.products.map.call(1)',
    '[1].map(x => process.version)',
    '[1].map(function (x) { return 1 })',
    '[1].map(x => { return 1 })',
    '[1].map(async x => 1)',
    '[1].map((x = process) => x)',
    '[1].map(({ constructor }) => constructor)',
    '(() => 1)()',
    'x => x',
    '/(a+)+$/.test("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!")',
    '"a".match(/a/)',
    '"a".repeat(1e9)',
    '"a".padEnd(1e9)',
    '[].concat([1])',
    '1n',
    '`a${1}`',
    'visitor.claims.toString()',
    'visitor.claims.plan = "x"',
    'visitor.claims.seats++',
    'delete visitor.claims.plan',
    'void 0',
    '({ a: 1 })',
    '[...visitor.claims.products]',
    '"a"["__proto__"]["x"]["y"]',
    'visitor.__proto__.polluted',
    'visitor.claims.products.prototype.x',
    'await 1',
    'yield 1',
    'class {}',
    'a instanceof b',
    '1 << 30',
    '2 ** 99999',
    'super.x',
    'visitor.claims.#x',
    '[1].map(__proto__ => __proto__.x.y)',
    '[,]',
    '('.repeat(1024),
    '['.repeat(1024),
    '!'.repeat(1025),
    `${'['.repeat(200)}${']'.repeat(200)}.x.y`,
  ]
  test.each(attacks)('%s', (source) => {
    expect(() => value(source)).toThrow()
    expect(holds(source, inputs, fullBudget())).toBe(false)
    expect(holds(`!(${source})`, inputs, fullBudget())).toBe(false)
  })

  test.each(['__proto__', 'constructor', 'prototype'])(
    '%s is no member, even where the claims hold one',
    (key) => {
      const hostile = {
        visitor: JSON.parse(`{ "${key}": { "a": 1 }, "toString": 1, "valueOf": 2 }`) as object,
      }
      expect(holds(`visitor.${key} || visitor["${key}"] || "${key}" in visitor`, hostile, fullBudget())).toBe(
        false,
      )
      expect(holds('visitor == 1 || visitor + "" == "1"', hostile, fullBudget())).toBe(false)
      expect(holds(key, JSON.parse(`{ "${key}": 1 }`) as Record<string, unknown>, fullBudget())).toBe(false)
    },
  )

  test('the steps are counted', () => {
    const long = Array.from({ length: 300 }, (_, index) => index)
    expect(() => {
      const parsed = parseExpression('l.map(a => l.map(b => l.map(c => c)))')
      if (parsed.ok) evaluate(parsed.expression, { l: long }, fullBudget())
    }).toThrow('more than 10,000 steps')
    const wide = { l: 'x'.repeat(1_000_000) }
    // Comparing or counting a long text reads every character of it.
    const inputs = { l: 'x'.repeat(600_000), o: [] }
    for (const use of ['+l', '-l', 'l == 1', 'l < 1', 'l * 1', 'l === "a"', 'o[l]', 'l in o', 'o.at(l)']) {
      expect(holds(`[1].map(x => ${use})`, inputs, fullBudget())).toBe(true)
      expect(holds(`[1, 2].map(x => ${use})`, inputs, fullBudget())).toBe(false)
    }
    expect(holds(`${Array(100).fill('l').join(' + ')} != ""`, wide, fullBudget())).toBe(false)
  })

  test('all conditions of a page share one budget; over it none holds', () => {
    const budget = createBudget({ ...conditionLimits, steps: 500 })
    const list = { l: Array.from({ length: 90 }, (_, index) => index) }
    const results = Array.from({ length: 10 }, () => holds('l.some(a => a == 89)', list, budget))
    expect(results).toEqual([true, ...Array.from({ length: 9 }, () => false)])
    expect(holds('l.some(a => a == 89)', list, fullBudget())).toBe(true)
  })

  test('deep but allowed expressions are evaluated', () => {
    expect(value(`${'!'.repeat(1000)}true`)).toBe(true)
    expect(value(Array(500).fill('1').join('+'))).toBe(500)
    expect(value(`${'('.repeat(190)}1${')'.repeat(190)}`)).toBe(1)
  })
})

test('a syntax error has a position', () => {
  const source = 'visitor.claims.plan.match("x")'
  const parsed = parseExpression(source)
  expect(parsed).toMatchObject({
    ok: false,
    problem: { message: 'The method match is not part of the language.' },
  })
  if (!parsed.ok) expect(source.slice(parsed.problem.span.start, parsed.problem.span.end)).toBe('match')
})
