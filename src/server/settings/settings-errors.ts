/** Error messages for invalid settings: which one, and what it may be. */
import type { ErrorObject } from 'ajv'
import { formats } from './formats.js'

/** Thrown for invalid settings; the message is for the operator. */
export class SettingsError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.length === 1 ? problems[0]! : ['These settings cannot be used:', ...problems].join('\n  '))
  }
}

/** Variables of the tests, and those that Kubernetes sets beside a service that is called octavo. */
const foreignVariables = /^OCTAVO_(?:TEST_|SERVICE_|PORT_\d)/

/** Returns the environment variables that look like settings and are none. */
export function unknownVariables(environment: NodeJS.ProcessEnv, known: readonly string[]): string[] {
  return Object.keys(environment).filter(
    (name) => name.startsWith('OCTAVO_') && !known.includes(name) && !foreignVariables.test(name),
  )
}

/** Returns the message for an unknown setting, with the nearest known name. */
export function unknownSetting(label: string, name: string, known: readonly string[]): string {
  const distances = known.map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
  const nearest = distances.toSorted((a, b) => a.distance - b.distance)[0]
  const isNear = nearest !== undefined && nearest.distance <= Math.max(2, name.length / 4)
  return `${label} is no setting${isNear ? `: did you mean ${nearest.candidate}?` : '.'}`
}

/** Levenshtein distance of two words, ignoring case. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [index, replaced] of [...other].entries()) {
      const same = row[index]! + (letter.toLowerCase() === replaced.toLowerCase() ? 0 : 1)
      next.push(Math.min(same, row[index + 1]! + 1, next[index]! + 1))
    }
    row = next
  }
  return row.at(-1)!
}

/** Returns a sentence for each invalid setting; `nameOf` returns the name that operators use. */
export function explainErrors(errors: readonly ErrorObject[], nameOf: (setting: string) => string): string[] {
  return errors.map(({ keyword, instancePath, params, parentSchema, data }) => {
    const name = nameOf(instancePath.slice(1))
    if (keyword === 'dependencies') {
      const { property, missingProperty } = params as { property: string; missingProperty: string }
      return `${nameOf(property)} needs ${nameOf(missingProperty)} too.`
    }
    // Secrets are not repeated, nor values that may contain one.
    const value = /SECRET|TOKEN|PASSWORD|PASSPHRASE|DATABASE_URL|SMTP_URL/.test(name)
      ? ''
      : `, not ${JSON.stringify(data)}`
    return `${name} must be ${allowed(parentSchema ?? {})}${value}.`
  })
}

function allowed(schema: Readonly<Record<string, unknown>>): string {
  const { type, format, minimum, maximum, minLength, maxLength } = schema
  if (typeof format === 'string') return formats[format as keyof typeof formats].allowed
  if (typeof schema['allowed'] === 'string') return schema['allowed']
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].join(', ')}`
  if (type === 'integer') return `a whole number from ${String(minimum)} to ${String(maximum)}`
  if (type === 'boolean') return '"true" or "false"'
  if (minLength !== undefined) return `at least ${String(minLength)} characters`
  return maxLength === undefined ? 'a text' : `at most ${String(maxLength)} characters`
}
