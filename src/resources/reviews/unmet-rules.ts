/** Evaluates merge rules against facts of a change request: pure, without I/O. */
import { createBudget } from '../../core/budget.js'
import { conditionLimits, evaluate } from '../../core/conditions/evaluate.js'
import { parseExpression } from '../../core/conditions/parse.js'
import type { MergeRule } from '../../contract/merge-rules.js'

/** The latest review of a reviewer. */
export interface LatestReview {
  readonly status: 'approved' | 'changes-requested'
  readonly reviewer: { readonly id: string }
  /** The content changed since, or the reviewer is requested again. */
  readonly outdated: boolean
  /** The reviewer is an author of a revision of the change request, and no one reviews their own work. */
  readonly contributor: boolean
}

export interface MergeFacts {
  readonly changeRequest: {
    readonly id: string
    readonly number: number
    readonly subject: string
    /** Markdown. */
    readonly description: string
    /** The space has revisions that the change request has not taken in. */
    readonly outdated: boolean
    readonly createdBy: { readonly id: string }
  }
  /** One per user who may currently review, contributors among them. */
  readonly reviews: readonly LatestReview[]
  /** The user who merges. */
  readonly actor: { readonly id: string }
}

export interface UnmetRule {
  /** Index of the rule. */
  readonly at: number
  /** Ready to follow "Missing:". */
  readonly missing: string
}

/** Returns the rules that are not met, in their order; `nameOf` returns display names. */
export function findUnmetRules(
  rules: readonly MergeRule[],
  facts: MergeFacts,
  nameOf: (userId: string) => string,
): UnmetRule[] {
  return rules.flatMap((rule, at) => {
    const missing = missingFor(rule, facts, nameOf)
    return missing === undefined ? [] : [{ at, missing }]
  })
}

/** True when a rule allows the actor to bypass the others. */
export function mayBypass(rules: readonly MergeRule[], { actor }: MergeFacts): boolean {
  return rules.some(({ rule, users = [] }) => rule === 'allow_bypass' && users.includes(actor.id))
}

function missingFor(
  { rule, users = [], expression = '', message }: MergeRule,
  { changeRequest, reviews, actor }: MergeFacts,
  nameOf: (userId: string) => string,
): string | undefined {
  const author = changeRequest.createdBy.id
  const current = reviews.filter(({ outdated, contributor }) => !outdated && !contributor)
  const contributors = new Set(reviews.flatMap((one) => (one.contributor ? [one.reviewer.id] : [])))
  const approvalOf = (id: string) =>
    contributors.has(id) ? `${nameOf(id)} (who wrote in it, and is no reviewer)` : nameOf(id)
  const approvers = new Set(
    current.filter(({ status }) => status === 'approved').map(({ reviewer }) => reviewer.id),
  )
  const unless = (isMet: boolean, missing: string) => (isMet ? undefined : missing)
  switch (rule) {
    case 'allow_bypass':
      return undefined
    case 'require_at_least_one_review':
      return unless(
        current.some(({ reviewer }) => reviewer.id !== author),
        'a review of its content as it is now by somebody else than its author and contributors',
      )
    case 'require_at_least_one_approved_review':
      return unless(
        [...approvers].some((id) => id !== author),
        'an approval of its content as it is now by somebody else than its author and contributors',
      )
    case 'require_all_reviews_approved': {
      // New content does not settle requested changes: only another review of the same reviewer does, also of one who
      // has contributed since.
      const asking = reviews.filter(({ status }) => status === 'changes-requested')
      const names = asking.map(({ reviewer }) => nameOf(reviewer.id)).join(', ')
      return unless(asking.length === 0, `the approval of ${names}, who asked for changes`)
    }
    case 'require_specific_reviewers': {
      const names = users.filter((id) => !approvers.has(id)).map(approvalOf)
      return unless(names.length === 0, `the approval of ${names.join(' and ')}`)
    }
    case 'require_one_of_specific_reviewers':
      return unless(
        users.some((id) => approvers.has(id)),
        `the approval of ${users.map(approvalOf).join(' or ')}`,
      )
    case 'require_up_to_date_change_request':
      return unless(!changeRequest.outdated, 'an update: the space has changed since')
    case 'require_change_request_subject':
      return unless(changeRequest.subject.trim() !== '', 'a subject')
    case 'require_change_request_description':
      return unless(changeRequest.description.trim() !== '', 'a description')
    case 'require_author_to_merge':
      return unless(actor.id === author, `its author, ${nameOf(author)}, to merge it`)
    case 'custom': {
      const inputs = { changeRequest, reviews: current, actor }
      const problem = problemOf(expression, inputs)
      return problem === undefined ? undefined : (message ?? problem)
    }
  }
}

/** Returns why an expression is not true, undefined when it is. */
function problemOf(source: string, inputs: Readonly<Record<string, unknown>>): string | undefined {
  const parsed = parseExpression(source)
  if (!parsed.ok) return `that the expression ${source} can be read`
  try {
    const value = evaluate(parsed.expression, inputs, createBudget(conditionLimits))
    return value ? undefined : `that the expression ${source} holds`
  } catch (error) {
    const { message } = error as Error
    return `that the expression ${source} can be worked out (${message.replace(/\.$/, '')})`
  }
}
