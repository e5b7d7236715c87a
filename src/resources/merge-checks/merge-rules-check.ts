/** Merge rules as a check: each rule of the space, and what is missing. */
import type { MergeCheckItem } from '../../contract/merge-checks.js'
import type { MergeRule } from '../../contract/merge-rules.js'
import { evaluateMergeRules } from '../reviews/check-merge-rules.js'
import { type CheckContext, type CheckOutcome, countOf, nextOf, partOf, passed } from './check.js'

export async function checkMergeRules(context: CheckContext): Promise<CheckOutcome> {
  const { db, space, changeRequest, actor } = context
  const { rules, unmet, isBypassable } = await evaluateMergeRules(
    db,
    { space: space.row, changeRequest },
    actor,
  )
  const missing = new Map(unmet.map((one) => [one.at, one.missing]))
  const items = rules.flatMap((rule, at) =>
    rule.rule === 'allow_bypass' ? [] : [itemOf(rule, missing.get(at))],
  )
  if (items.length === 0) return passed('The space has no merge rules.')
  // What is missing is read first.
  const sorted = items.toSorted((one, other) => Number(one.isMet) - Number(other.isMet))
  const list = (limit: number) => ({
    items: [...partOf(context, sorted, limit)],
    ...nextOf(context, items.length, limit),
  })
  const count = items.length
  if (unmet.length === 0)
    return { status: 'passed', isBlocking: true, summary: 'All merge rules are met.', count, list }
  const summary = `${countOf(unmet.length, 'merge rule is', 'merge rules are')} not met.`
  return isBypassable
    ? { status: 'warning', isBlocking: false, summary: `${summary} You may merge without.`, count, list }
    : { status: 'failed', isBlocking: true, summary, count, list }
}

function itemOf({ rule, message }: MergeRule, missing: string | undefined): MergeCheckItem {
  const isMet = missing === undefined
  return { rule, isMet, message: isMet ? (message ?? requirements[rule]) : `Missing: ${missing}.` }
}

const requirements: Readonly<Record<MergeRule['rule'], string>> = {
  require_specific_reviewers: 'Everybody who has to has approved it.',
  require_one_of_specific_reviewers: 'One of those who have to has approved it.',
  allow_bypass: 'Some people may merge without.',
  require_at_least_one_review: 'Somebody has reviewed it.',
  require_at_least_one_approved_review: 'Somebody has approved it.',
  require_all_reviews_approved: 'Nobody asks for changes.',
  require_up_to_date_change_request: 'It is up to date with the space.',
  require_change_request_subject: 'It has a subject.',
  require_change_request_description: 'It has a description.',
  require_author_to_merge: 'Its author merges it.',
  custom: 'The rule of the space holds.',
}
