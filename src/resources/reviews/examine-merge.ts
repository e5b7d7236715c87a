/**
 * The merge rules of a space, asked in the transaction of the merge: what was approved is what is merged, and whoever
 * reviews, edits or changes the rules meanwhile comes before it or after it.
 */
import { ApiError } from '../../contract/errors.js'
import type { MergeRule } from '../../contract/merge-rules.js'
import type { UserId } from '../../core/ids.js'
import type { Db } from '../../store/db/database.js'
import type { ExamineMerge } from '../change-requests/merge.js'
import { readMergeRules } from '../organizations/merge-rules.js'
import { findOrganization } from '../organizations/store.js'
import type { SpaceRow } from '../spaces/store.js'
import { findPeopleOf } from '../users/store.js'
import { findReviewers, listLastReviews } from './store.js'
import { type LastReview, type MergeFacts, findUnmet, mayBypass } from './unmet-rules.js'

/** Returns what somebody merges past who may; throws 409 with all that is missing for everybody else. */
export const examineMerge: ExamineMerge = async (tx, { space, changeRequest }, actor) => {
  const rules = await rulesOf(tx, space)
  if (rules.length === 0) return []
  const { organization_id: organizationId, id: spaceId } = space
  const reviews = await listLastReviews(tx, changeRequest)
  const reviewers = reviews.map((row) => row.reviewer_id)
  const able = await findReviewers(tx, organizationId, spaceId, reviewers)
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
        status: row.status as LastReview['status'],
        reviewer: { id: row.reviewer_id },
        outdated: row.is_outdated === 1,
      })),
    actor: { id: actor.userId },
  }
  const named = rules.flatMap(({ users = [] }) => users) as UserId[]
  const people = await findPeopleOf(tx, organizationId, [...named, ...reviewers, changeRequest.created_by])
  const unmet = findUnmet(rules, facts, (id) => people.get(id as UserId)?.display_name ?? id)
  if (unmet.length === 0) return []
  const missing = unmet.map((one) => one.missing)
  if (mayBypass(rules, facts)) return missing.map((one) => ({ message: `Merged without ${one}.` }))
  throw new ApiError(
    'merge_rules_unmet',
    { missing: missing.join('; ') },
    unmet.map((one) => ({ path: `mergeRules.rules[${one.at}]`, message: `misses ${one.missing}` })),
  )
}

/** What the space says itself, or its organization. */
async function rulesOf(
  db: Db,
  { organization_id: id, merge_rules: own }: SpaceRow,
): Promise<readonly MergeRule[]> {
  const said = readMergeRules(own, 'inherit')
  const valid =
    said.type === 'inherit' ? readMergeRules((await findOrganization(db, id))!.merge_rules, 'none') : said
  return 'rules' in valid ? (valid.rules ?? []) : []
}
