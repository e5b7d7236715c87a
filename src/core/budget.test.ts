import { expect, test } from 'vitest'
import { createBudget, OverBudget, pageLimits } from './budget.js'

const limits = { steps: 10, output: 100, includes: 2, depth: 3 }

test('spending is counted, and nothing is counted past the limit', () => {
  const budget = createBudget(limits)
  budget.spend('steps')
  budget.spend('steps', 8)
  expect(() => budget.spend('steps', 2)).toThrow(new OverBudget('steps', 10))
  expect([budget.spent('steps'), budget.left('steps')]).toEqual([9, 1])
  budget.spend('steps')
  expect(() => budget.spend('steps')).toThrow('Takes more than 10 steps')
})

test('each resource has its own message', () => {
  const budget = createBudget({ ...limits, output: 2000 })
  expect(() => budget.spend('output', 2001)).toThrow('Becomes longer than 2,000 characters')
  expect(() => budget.spend('includes', 3)).toThrow('Includes more than 2 texts')
})

test('an expensive attempt uses up its share, and the rest is unaffected', () => {
  const budget = createBudget(limits)
  const results = [2, 5, 2].map((cost) =>
    budget.attempt(
      { steps: 3 },
      (share) => {
        for (let step = 0; step < cost; step++) share.spend('steps')
        return 'read'
      },
      (over) => over.message,
    ),
  )
  expect(results).toEqual(['read', 'Takes more than 3 steps', 'read'])
  expect(budget.spent('steps')).toBe(7)
})

test('a share never exceeds what the whole has left', () => {
  const budget = createBudget(limits)
  budget.spend('steps', 8)
  const share = budget.share({ steps: 1000 })
  expect(share.left('steps')).toBe(2)
  share.spend('steps', 2)
  expect(() => share.spend('steps')).toThrow('Takes more than 10 steps')
})

test('a failed attempt gives back its output, not its steps', () => {
  const budget = createBudget(limits)
  const work = (share: typeof budget): string => {
    share.spend('output', 90)
    share.spend('steps', 4)
    share.spend('output', 90)
    return 'read'
  }
  expect(budget.attempt({}, work, () => 'text')).toBe('text')
  expect(
    budget.nested(
      () => work(budget),
      () => 'text',
    ),
  ).toBe('text')
  expect([budget.spent('output'), budget.spent('steps')]).toEqual([0, 8])
})

test('depth is released on return, and continues inside a share', () => {
  const budget = createBudget(limits)
  const dive = (inner: typeof budget, level: number): string =>
    inner.nested(
      () => (level === 2 ? inner.attempt({}, (share) => dive(share, 3), String) : dive(inner, level + 1)),
      (over) => `${level}: ${over.message}`,
    )
  expect(dive(budget, 1)).toBe('4: Nested deeper than 3 levels')
  expect(dive(budget, 1)).toBe('4: Nested deeper than 3 levels')
})

test('other errors are rethrown', () => {
  const broken = () => {
    throw new TypeError('broken')
  }
  const budget = createBudget(pageLimits)
  expect(() => budget.attempt({}, broken, () => 'text')).toThrow('broken')
  expect(() => budget.nested(broken, () => 'text')).toThrow('broken')
})
