/**
 * Merge rules: checked in the transaction of the merge, so that what was approved is what is merged. Concurrent
 * reviews, edits and changes of the rules come before it or after it.
 */
import { ApiError } from '../../contract/errors.js'
import type { MergeRule } from '../../contract/merge-rules.js'
import type { UserId } from '../../core/ids.js'
import { listRevisionAuthors } from '../../store/content/revisions.js'
import type { Db } from '../../store/db/database.js'
import type { CheckMergeRules } from '../change-requests/merge.js'
import { readMergeRules } from '../organizations/merge-rules.js'
import { findOrganization } from '../organizations/store.js'
import type { SpaceRow } from '../spaces/store.js'
import { findPeopleOf } from '../users/store.js'
import { findReviewers, listLatestReviews } from './store.js'
import { type LatestReview, type MergeFacts, findUnmetRules, mayBypass } from './unmet-rules.js'

/** Returns warnings for unmet rules that the actor may bypass; throws 409 with all unmet rules for everyone else. */
export const checkMergeRules: CheckMergeRules = async (tx, { space, changeRequest }, actor) => {
  const rules = await rulesOf(tx, space)
  if (rules.length === 0) return []
  const { organization_id: organizationId, id: spaceId } = space
  const reviews = await listLatestReviews(tx, changeRequest)
  const reviewers = reviews.map((row) => row.reviewer_id)
  const able = await findReviewers(tx, organizationId, spaceId, reviewers)
  const branch = { organizationId, spaceId, changeRequestId: changeRequest.id }
  const contributors = new Set(await listRevisionAuthors(tx, branch))
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
  const people = await findPeopleOf(tx, organizationId, [...named, ...reviewers, changeRequest.created_by])
  const unmet = findUnmetRules(rules, facts, (id) => people.get(id as UserId)?.display_name ?? id)
  if (unmet.length === 0) return []
  const missing = unmet.map((one) => one.missing)
  if (mayBypass(rules, facts)) return missing.map((one) => ({ message: `Merged without ${one}.` }))
  throw new ApiError(
    'merge_rules_unmet',
    { missing: missing.join('; ') },
    unmet.map((one) => ({ path: `mergeRules.rules[${one.at}]`, message: `misses ${one.missing}` })),
  )
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
