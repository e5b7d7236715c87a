/**
 * Conditions as a form: clauses about claims of the visitor, joined by "and" or by "or". An expression that does not fit is
 * edited as text. Pure.
 */

export const operators = ['is', 'isNot', 'includes', 'isTrue', 'isNotTrue'] as const
export type Operator = (typeof operators)[number]

export interface Clause {
  /** The name of the claim, with dots where it is inside of another one. */
  readonly claim: string
  readonly operator: Operator
  /** For the operators that compare. */
  readonly value: string | number | boolean
}

export interface ConditionForm {
  readonly join: '&&' | '||'
  readonly clauses: readonly Clause[]
}

const identifier = /^[A-Za-z_$][\w$]*$/
const claimPattern = /visitor\.claims((?:\.(?!includes\()[A-Za-z_$][\w$]*|\[(?:"[^"\\]*"|'[^'\\]*')\])+)/y
const valuePattern =
  /"((?:[^"\\]|\\["\\])*)"|'((?:[^'\\]|\\['\\])*)'|(true|false)\b|(-?\d+(?:\.\d+)?)(?![\w.])/y
const spacePattern = /\s*/y

/** Returns the form of an expression; undefined where it says more than a form can. */
export function readCondition(expression: string): ConditionForm | undefined {
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(expression) ?? undefined
    if (match !== undefined) at = pattern.lastIndex
    return match
  }
  const word = (words: string): boolean => {
    take(spacePattern)
    if (!expression.startsWith(words, at)) return false
    at += words.length
    return true
  }
  const value = (): string | number | boolean | undefined => {
    take(spacePattern)
    const match = take(valuePattern)
    if (match === undefined) return undefined
    const [, double, single, truth, number] = match
    if (truth !== undefined) return truth === 'true'
    if (number !== undefined) return Number(number)
    return (double ?? single!).replace(/\\(.)/g, '$1')
  }
  const clause = (): Clause | undefined => {
    const isNegated = word('!')
    take(spacePattern)
    const claim = claimOf(take(claimPattern)?.[1])
    if (claim === undefined) return undefined
    if (isNegated) return { claim, operator: 'isNotTrue', value: '' }
    if (word('.includes(') || word('?.includes(')) {
      const included = value()
      return included !== undefined && word(')')
        ? { claim, operator: 'includes', value: included }
        : undefined
    }
    // The longer operators first: one begins with the other.
    const isEqual = word('===') || word('==')
    if (isEqual || word('!==') || word('!=')) {
      const compared = value()
      return compared === undefined
        ? undefined
        : { claim, operator: isEqual ? 'is' : 'isNot', value: compared }
    }
    return { claim, operator: 'isTrue', value: '' }
  }

  const clauses: Clause[] = []
  let join: ConditionForm['join'] | undefined
  for (;;) {
    const next = clause()
    if (next === undefined) return undefined
    clauses.push(next)
    take(spacePattern)
    if (at === expression.length) return { join: join ?? '&&', clauses }
    const found = word('&&') ? '&&' : word('||') ? '||' : undefined
    if (found === undefined || (join !== undefined && found !== join)) return undefined
    join = found
  }
}

/** Returns the name of a claim from its members as they are written. */
function claimOf(members: string | undefined): string | undefined {
  if (members === undefined) return undefined
  const names = [...members.matchAll(/\.([\w$]+)|\["([^"]*)"\]|\['([^']*)'\]/g)].map(
    ([, plain, double, single]) => plain ?? double ?? single!,
  )
  // A dot in the name of a claim cannot be distinguished from a claim inside of another one.
  return names.some((name) => name === '' || name.includes('.')) ? undefined : names.join('.')
}

/** Returns the expression of a form; empty without clauses. Clauses without a claim are left out. */
export function printCondition({ join, clauses }: ConditionForm): string {
  return clauses
    .filter(({ claim }) => claim.trim() !== '')
    .map(printClause)
    .join(` ${join} `)
}

function printClause({ claim, operator, value }: Clause): string {
  const name = `visitor.claims${claim
    .trim()
    .split('.')
    .filter((part) => part !== '')
    .map((part) => (identifier.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`))
    .join('')}`
  const printed = JSON.stringify(value)
  switch (operator) {
    case 'is':
      return `${name} == ${printed}`
    case 'isNot':
      return `${name} != ${printed}`
    case 'includes':
      return `${name}.includes(${printed})`
    case 'isTrue':
      return name
    case 'isNotTrue':
      return `!${name}`
  }
}

/** Reads a value as it is typed: true, false and numbers are what they look like, everything else is text. */
export function readValue(words: string): string | number | boolean {
  if (words === 'true' || words === 'false') return words === 'true'
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(words) ? Number(words) : words
}
