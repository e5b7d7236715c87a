/**
 * Work budget: limits what processing one user-supplied text may cost. One budget is created where a text enters and
 * passed to all code that parses, renders, highlights, merges or measures it. It counts work and never time, so the
 * same text always gives the same result.
 *
 * Code calls `spend` in its loops; past the limit that throws `OverBudget`, which the nearest `attempt` or `nested`
 * catches: that fragment becomes plain text with the error's message as its warning, and the rest is unaffected.
 * A fragment may get only a share, so that one expensive block leaves something for those after it.
 */

/** Consumable resources; depth is not one, since it is released on return. */
export type Resource = 'steps' | 'output' | 'includes'

export interface Limits {
  /** One step is a node, a token, a cell, or up to a hundred characters of one: tens to hundreds of nanoseconds. */
  readonly steps: number
  /** Characters of output. */
  readonly output: number
  /** Texts included in a text. */
  readonly includes: number
  /** Levels of nested calls; every recursive walk of a document may go this deep. */
  readonly depth: number
}

/** For one page with everything included in it: far above what a hand-written page takes, below a second of work. */
export const pageLimits: Limits = { steps: 4_000_000, output: 10_000_000, includes: 200, depth: 100 }

export interface Budget {
  /** Counts work about to be done; throws OverBudget, and counts nothing, when not enough is left. */
  spend(resource: Resource, amount?: number): void
  left(resource: Resource): number
  spent(resource: Resource): number
  /**
   * Returns what `work` returns, or what `fallback` returns when it goes over the budget. `work` receives a budget of
   * at most `share` out of this one and must use that. `fallback` spends nothing: it must be linear in its input.
   */
  attempt<Value>(
    share: Partial<Limits>,
    work: (budget: Budget) => Value,
    fallback: (over: OverBudget) => Value,
  ): Value
  /** Returns what `work` returns one level deeper, or what `fallback` returns when it goes over the budget. */
  nested<Value>(work: () => Value, fallback: (over: OverBudget) => Value): Value
  /** Returns a budget of at most `limits` that draws on this one; for asynchronous work, where `attempt` cannot be used. */
  share(limits: Partial<Limits>): Budget
}

/** Thrown past a limit; the message names the limit and can be followed by `: shown as text`. */
export class OverBudget extends Error {
  constructor(
    readonly resource: keyof Limits,
    readonly limit: number,
  ) {
    super(messages[resource](limit.toLocaleString('en')))
  }
}

const messages: Readonly<Record<keyof Limits, (limit: string) => string>> = {
  steps: (limit) => `Takes more than ${limit} steps`,
  output: (limit) => `Becomes longer than ${limit} characters`,
  includes: (limit) => `Includes more than ${limit} texts`,
  depth: (limit) => `Nested deeper than ${limit} levels`,
}

interface Account {
  readonly limits: Limits
  readonly used: Record<Resource, number>
  readonly parent: Account | undefined
  level: number
}

/** Returns a new budget. */
export function createBudget(limits: Limits = pageLimits): Budget {
  return budgetOf({ limits, used: { steps: 0, output: 0, includes: 0 }, parent: undefined, level: 0 })
}

function budgetOf(account: Account): Budget {
  const { limits, used } = account
  const share = (overrides: Partial<Limits>): Budget =>
    budgetOf({
      limits: { ...limits, ...overrides },
      used: { steps: 0, output: 0, includes: 0 },
      parent: account,
      level: account.level,
    })
  return {
    spend(resource, amount = 1) {
      for (let one: Account | undefined = account; one; one = one.parent) {
        if (one.used[resource] + amount > one.limits[resource])
          throw new OverBudget(resource, one.limits[resource])
      }
      for (let one: Account | undefined = account; one; one = one.parent) one.used[resource] += amount
    },
    left(resource) {
      let left = Infinity
      for (let one: Account | undefined = account; one; one = one.parent)
        left = Math.min(left, one.limits[resource] - one.used[resource])
      return left
    },
    spent: (resource) => used[resource],
    attempt(shareLimits, work, fallback) {
      const budget = share(shareLimits)
      return catchOverBudget(
        () => work(budget),
        (over) => {
          // The output of the failed attempt is discarded.
          const dropped = budget.spent('output')
          for (let one: Account | undefined = account; one; one = one.parent) one.used.output -= dropped
          return fallback(over)
        },
      )
    },
    nested(work, fallback) {
      if (account.level >= limits.depth) return fallback(new OverBudget('depth', limits.depth))
      const output = used.output
      account.level++
      try {
        return catchOverBudget(work, (over) => {
          const dropped = used.output - output
          for (let one: Account | undefined = account; one; one = one.parent) one.used.output -= dropped
          return fallback(over)
        })
      } finally {
        account.level--
      }
    },
    share,
  }
}

function catchOverBudget<Value>(work: () => Value, fallback: (over: OverBudget) => Value): Value {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error
    return fallback(error)
  }
}
