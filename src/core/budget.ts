/**
 * What one piece of work over people's text may cost. One value is made where a text comes in, and handed to
 * whatever reads, renders, colours, merges or measures it. It counts work and never time, so the same text
 * always gives the same result.
 *
 * Who works calls `spend` in its loops; past the limit that throws `OverBudget`, which the nearest `piece` or
 * `nested` catches: that piece becomes plain text with the error's message as its warning, and the rest stands.
 * A piece may be given a share, so that one greedy block leaves something to those behind it.
 */

/** What is used up; depth is not: it is given back on the way up. */
export type Resource = 'steps' | 'output' | 'includes'

export interface Limits {
  /** One step is a node, a token, a cell, or up to a hundred characters of one: tens to hundreds of nanoseconds. */
  readonly steps: number
  /** Characters put out. */
  readonly output: number
  /** Texts put into a text. */
  readonly includes: number
  /** Levels of calls that stand in one another; every visitor of a document may recurse so deep. */
  readonly depth: number
}

/** For one page and everything shown in it: far above what a page of a person takes, below a second of work. */
export const pageLimits: Limits = { steps: 4_000_000, output: 10_000_000, includes: 200, depth: 100 }

export interface Budget {
  /** Counts what is about to be done; throws OverBudget, and counts nothing, when so much is not left. */
  spend(resource: Resource, amount?: number): void
  left(resource: Resource): number
  spent(resource: Resource): number
  /**
   * Returns what `work` returns, or what `instead` returns when it went over the budget. `work` gets a budget of
   * at most `share` out of this one and must use that. `instead` spends nothing: it is to be linear in its piece.
   */
  piece<Value>(
    share: Partial<Limits>,
    work: (budget: Budget) => Value,
    instead: (over: OverBudget) => Value,
  ): Value
  /** Returns what `work` returns one level deeper, or what `instead` returns when it went over the budget. */
  nested<Value>(work: () => Value, instead: (over: OverBudget) => Value): Value
  /** Returns a budget of at most `limits` that takes from this one; for work that waits, where `piece` cannot be used. */
  share(limits: Partial<Limits>): Budget
}

/** Thrown past a limit; the message says which, ready to be followed by `: shown as text`. */
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

/** Returns a budget of which nothing is spent yet. */
export function createBudget(limits: Limits = pageLimits): Budget {
  return budgetOf({ limits, used: { steps: 0, output: 0, includes: 0 }, parent: undefined, level: 0 })
}

function budgetOf(account: Account): Budget {
  const { limits, used } = account
  const share = (asked: Partial<Limits>): Budget =>
    budgetOf({
      limits: { ...limits, ...asked },
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
    piece(asked, work, instead) {
      const budget = share(asked)
      return caught(
        () => work(budget),
        (over) => {
          // What the piece had put out is not shown.
          const dropped = budget.spent('output')
          for (let one: Account | undefined = account; one; one = one.parent) one.used.output -= dropped
          return instead(over)
        },
      )
    },
    nested(work, instead) {
      if (account.level >= limits.depth) return instead(new OverBudget('depth', limits.depth))
      const output = used.output
      account.level++
      try {
        return caught(work, (over) => {
          const dropped = used.output - output
          for (let one: Account | undefined = account; one; one = one.parent) one.used.output -= dropped
          return instead(over)
        })
      } finally {
        account.level--
      }
    },
    share,
  }
}

function caught<Value>(work: () => Value, instead: (over: OverBudget) => Value): Value {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error
    return instead(error)
  }
}
