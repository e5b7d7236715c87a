/**
 * Merge rules: checked in the transaction of the merge, so that what was approved is what is merged. Concurrent
 * reviews, edits and changes of the rules come before it or after it.
 */
import { ApiError } from '../../contract/errors.js'
import type { MergeRule } from '../../contract/merge-rules.js'
import type { UserId } from '../../core/ids.js'
import { listRevisionAuthors } from '../../store/content/revisions.js'
import type { Actor } from '../../access/signin/actor.js'
import type { Db } from '../../store/db/database.js'
import type { CheckMergeRules } from '../change-requests/merge.js'
import type { MergeRows } from '../change-requests/optimistic-merge.js'
import { readMergeRules } from '../organizations/merge-rules.js'
import { findOrganization } from '../organizations/store.js'
import type { SpaceRow } from '../spaces/store.js'
import { findPeopleOf } from '../users/store.js'
import { findReviewers, listLatestReviews } from './store.js'
import {
  type LatestReview,
  type MergeFacts,
  type UnmetRule,
  findUnmetRules,
  mayBypass,
} from './unmet-rules.js'

/** The rules that apply to a space, and those that a change request does not meet. */
export interface RuleVerdict {
  readonly rules: readonly MergeRule[]
  readonly unmet: readonly UnmetRule[]
  /** Whether the actor may merge without them. */
  readonly isBypassable: boolean
}

/** Returns warnings for unmet rules that the actor may bypass; throws 409 with all unmet rules for everyone else. */
export const checkMergeRules: CheckMergeRules = async (tx, rows, actor) => {
  const { unmet, isBypassable } = await evaluateMergeRules(tx, rows, actor)
  if (unmet.length === 0) return []
  const missing = unmet.map((one) => one.missing)
  if (isBypassable) return missing.map((one) => ({ message: `Merged without ${one}.` }))
  throw new ApiError(
    'merge_rules_unmet',
    { missing: missing.join('; ') },
    unmet.map((one) => ({ path: `mergeRules.rules[${one.at}]`, message: `misses ${one.missing}` })),
  )
}

/** Returns the merge rules of a change request, and which of them are unmet if the actor merged it now. */
export async function evaluateMergeRules(
  db: Db,
  { space, changeRequest }: MergeRows,
  actor: Pick<Actor, 'userId'>,
): Promise<RuleVerdict> {
  const rules = await rulesOf(db, space)
  if (rules.length === 0) return { rules, unmet: [], isBypassable: false }
  const { organization_id: organizationId, id: spaceId } = space
  const reviews = await listLatestReviews(db, changeRequest)
  const reviewers = reviews.map((row) => row.reviewer_id)
  const able = await findReviewers(db, organizationId, spaceId, reviewers)
  const branch = { organizationId, spaceId, changeRequestId: changeRequest.id }
  const contributors = new Set(await listRevisionAuthors(db, branch))
  const facts: MergeFacts = {
    changeRequest: {
      id: changeRequest.id,
      number: changeRequest.number,
      subject: changeRequest.subject,
      description: changeRequest.description,
      outdated: changeRequest.revision_merged_ancestor_id !== space.revision_id,
      createdBy: { id: changeRequest.created_by },
    },
    reviews: reviews
      .filter((row) => able.has(row.reviewer_id))
      .map((row) => ({
        status: row.status as LatestReview['status'],
        reviewer: { id: row.reviewer_id },
        outdated: row.is_outdated === 1,
        contributor: contributors.has(row.reviewer_id),
      })),
    actor: { id: actor.userId },
  }
  const named = rules.flatMap(({ users = [] }) => users) as UserId[]
  const people = await findPeopleOf(db, organizationId, [...named, ...reviewers, changeRequest.created_by])
  const unmet = findUnmetRules(rules, facts, (id) => people.get(id as UserId)?.display_name ?? id)
  return { rules, unmet, isBypassable: mayBypass(rules, facts) }
}

/** Returns the rules of the space, or those of its organization when it inherits them. */
async function rulesOf(
  db: Db,
  { organization_id: id, merge_rules: spaceRules }: SpaceRow,
): Promise<readonly MergeRule[]> {
  const own = readMergeRules(spaceRules, 'inherit')
  const effective =
    own.type === 'inherit' ? readMergeRules((await findOrganization(db, id))!.merge_rules, 'none') : own
  return 'rules' in effective ? (effective.rules ?? []) : []
}
