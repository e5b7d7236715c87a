/** Validation and storage format of merge rules of organizations and spaces: checked when set, so that each can be met. */
import { parseExpression } from '../../core/conditions/parse.js'
import type { OrganizationId } from '../../core/ids.js'
import { ApiError } from '../../contract/errors.js'
import { type MergeRule, type SpaceMergeRules, peopleRules } from '../../contract/merge-rules.js'
import type { JsonText } from '../../store/db/columns.js'
import type { Db } from '../../store/db/database.js'
import { findMemberIds } from './store.js'

const rulesWithUsers = new Set<string>(peopleRules)

/** Returns the stored text, null for the default type. Throws 400 for invalid rules. */
export async function writeMergeRules(
  db: Db,
  organizationId: OrganizationId,
  { type, rules }: SpaceMergeRules,
  defaultType: SpaceMergeRules['type'],
): Promise<JsonText | null> {
  if (type !== 'rules') {
    if (rules !== undefined) refuse('mergeRules.rules', `goes with the type "rules", not with "${type}"`)
    return type === defaultType ? null : JSON.stringify({ type })
  }
  if (rules === undefined) return refuse('mergeRules.rules', 'is missing')
  for (const [at, rule] of rules.entries()) requireValidRule(rule, `mergeRules.rules[${at}]`)
  const people = await findMemberIds(
    db,
    organizationId,
    rules.flatMap(({ users = [] }) => users),
  )
  for (const [at, { users = [] }] of rules.entries()) {
    const wrong = users.findIndex((id) => !people.has(id))
    if (wrong === -1) continue
    const member = `mergeRules.rules[${at}].users[${wrong}]`
    throw new ApiError('invalid_reference', { member, thing: 'a member' })
  }
  return JSON.stringify({ type, rules })
}

/** Returns the stored rules. */
export function readMergeRules<Default extends SpaceMergeRules['type']>(
  text: JsonText | null,
  defaultType: Default,
): SpaceMergeRules | { readonly type: Default } {
  return text === null ? { type: defaultType } : (JSON.parse(text) as SpaceMergeRules)
}

/** Each kind of rule has exactly its own members. */
function requireValidRule({ rule, users, expression, message }: MergeRule, at: string): void {
  if (rulesWithUsers.has(rule) !== (users !== undefined))
    refuse(
      `${at}.users`,
      users === undefined ? `is missing: "${rule}" is about people` : `has no place in "${rule}"`,
    )
  if (rule !== 'custom') {
    if (expression !== undefined) refuse(`${at}.expression`, `has no place in "${rule}"`)
    if (message !== undefined) refuse(`${at}.message`, `has no place in "${rule}"`)
    return
  }
  if (expression === undefined) return refuse(`${at}.expression`, 'is missing')
  const parsed = parseExpression(expression)
  if (!parsed.ok) {
    const { message: problem } = parsed.problem
    throw new ApiError('invalid_expression', {
      member: `${at}.expression`,
      problem: problem.replace(/\.$/, ''),
    })
  }
}

function refuse(member: string, problem: string): never {
  throw new ApiError('invalid_request', { problem: `The member "${member}" ${problem}.` })
}
