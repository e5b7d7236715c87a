/** Merge rules by a table: requirement and message of each rule. */
import { describe, expect, test } from 'vitest'
import { type MergeRule, mergeRuleNames } from '../../contract/merge-rules.js'
import { type LatestReview, type MergeFacts, findUnmetRules, mayBypass } from './unmet-rules.js'

const said = (id: string, status: LatestReview['status'], outdated = false): LatestReview => ({
  reviewer: { id },
  status,
  outdated,
  contributor: false,
})
/** A review of somebody who wrote in the change request. */
const contributed = (id: string, status: LatestReview['status']): LatestReview => ({
  ...said(id, status),
  contributor: true,
})
const [yes, no] = ['approved', 'changes-requested'] as const

function factsOf(
  reviews: readonly LatestReview[],
  changeRequest: Partial<MergeFacts['changeRequest']> = {},
  actor = 'merger',
): MergeFacts {
  const author = { id: 'author' }
  const plain = { id: 'c', number: 1, subject: '', description: '', outdated: false, createdBy: author }
  return { changeRequest: { ...plain, ...changeRequest }, reviews, actor: { id: actor } }
}

const missing = (rule: MergeRule, facts: MergeFacts) =>
  findUnmetRules([rule], facts, (id) => id.toUpperCase()).map((one) => one.missing)[0]

const two = 'reviews.filter(r => r.status === "approved").length >= 2'
const cases: readonly (readonly [MergeRule, MergeFacts, string | undefined])[] = [
  [{ rule: 'require_at_least_one_review' }, factsOf([]), 'a review of its content'],
  [{ rule: 'require_at_least_one_review' }, factsOf([said('ann', no)]), undefined],
  [{ rule: 'require_at_least_one_review' }, factsOf([said('ann', yes, true)]), 'a review of its content'],
  [{ rule: 'require_at_least_one_review' }, factsOf([said('author', yes)]), 'somebody else than its author'],

  [
    { rule: 'require_at_least_one_review' },
    factsOf([contributed('ann', yes)]),
    'its author and contributors',
  ],
  [{ rule: 'require_at_least_one_review' }, factsOf([contributed('ann', yes), said('bob', no)]), undefined],

  [
    { rule: 'require_at_least_one_approved_review' },
    factsOf([contributed('ann', yes)]),
    'its author and contributors',
  ],
  [
    { rule: 'require_at_least_one_approved_review' },
    factsOf([said('ann', no)]),
    'an approval of its content',
  ],
  [{ rule: 'require_at_least_one_approved_review' }, factsOf([said('ann', no), said('bob', yes)]), undefined],
  [{ rule: 'require_at_least_one_approved_review' }, factsOf([said('ann', yes, true)]), 'an approval'],
  [{ rule: 'require_at_least_one_approved_review' }, factsOf([said('author', yes)]), 'an approval'],

  [{ rule: 'require_all_reviews_approved' }, factsOf([]), undefined],
  [{ rule: 'require_all_reviews_approved' }, factsOf([said('ann', yes, true)]), undefined],
  [
    { rule: 'require_all_reviews_approved' },
    factsOf([said('ann', yes), said('bob', no)]),
    'the approval of BOB',
  ],
  // Further edits do not settle requested changes.
  [{ rule: 'require_all_reviews_approved' }, factsOf([said('ann', no, true)]), 'the approval of ANN'],

  [
    { rule: 'require_specific_reviewers', users: ['ann', 'bob', 'cy'] },
    factsOf([said('ann', yes), said('bob', no)]),
    'the approval of BOB and CY',
  ],
  [
    { rule: 'require_specific_reviewers', users: ['ann', 'bob'] },
    factsOf([said('ann', yes), said('bob', yes)]),
    undefined,
  ],
  [{ rule: 'require_specific_reviewers', users: ['author'] }, factsOf([said('author', yes)]), undefined],
  [
    { rule: 'require_one_of_specific_reviewers', users: ['ann', 'bob'] },
    factsOf([said('cy', yes), said('ann', yes, true), said('bob', no)]),
    'the approval of ANN or BOB',
  ],
  [
    { rule: 'require_one_of_specific_reviewers', users: ['ann', 'bob'] },
    factsOf([said('bob', yes)]),
    undefined,
  ],

  [
    { rule: 'require_specific_reviewers', users: ['ann', 'bob'] },
    factsOf([contributed('ann', yes), said('bob', yes)]),
    'the approval of ANN (who wrote in it',
  ],
  [
    { rule: 'require_one_of_specific_reviewers', users: ['ann', 'bob'] },
    factsOf([contributed('ann', yes)]),
    'the approval of ANN (who wrote in it, and is no reviewer) or BOB',
  ],
  // They asked for changes all the same.
  [{ rule: 'require_all_reviews_approved' }, factsOf([contributed('ann', no)]), 'the approval of ANN'],
  [{ rule: 'require_all_reviews_approved' }, factsOf([contributed('ann', yes)]), undefined],

  [{ rule: 'require_up_to_date_change_request' }, factsOf([], { outdated: true }), 'an update'],
  [{ rule: 'require_up_to_date_change_request' }, factsOf([]), undefined],
  [{ rule: 'require_change_request_subject' }, factsOf([], { subject: '  ' }), 'a subject'],
  [{ rule: 'require_change_request_subject' }, factsOf([], { subject: 'Why' }), undefined],
  [{ rule: 'require_change_request_description' }, factsOf([], { description: '\n' }), 'a description'],
  [{ rule: 'require_change_request_description' }, factsOf([], { description: 'Why' }), undefined],
  [{ rule: 'require_author_to_merge' }, factsOf([]), 'its author, AUTHOR, to merge it'],
  [{ rule: 'require_author_to_merge' }, factsOf([], {}, 'author'), undefined],

  [
    { rule: 'custom', expression: two },
    factsOf([said('ann', yes), said('bob', yes, true)]),
    `that the expression ${two}`,
  ],
  [{ rule: 'custom', expression: two }, factsOf([said('ann', yes), said('bob', yes)]), undefined],
  [
    { rule: 'custom', expression: two },
    factsOf([said('ann', yes), contributed('bob', yes)]),
    `that the expression ${two}`,
  ],
  [{ rule: 'custom', expression: two, message: 'two approvals' }, factsOf([]), 'two approvals'],
  [{ rule: 'custom', expression: 'review.size > 1' }, factsOf([]), 'The name review is not known'],
  [{ rule: 'custom', expression: 'changeRequest.createdBy.id !== actor.id' }, factsOf([]), undefined],
  [{ rule: 'custom', expression: '!!changeRequest.description' }, factsOf([]), 'that the expression'],
  [
    { rule: 'custom', expression: '!changeRequest.outdated' },
    factsOf([], { outdated: true }),
    'that the expression',
  ],
  [{ rule: 'allow_bypass', users: ['ann'] }, factsOf([]), undefined],
]

describe('a rule', () => {
  test.each(cases.map(([rule, facts, expected]) => [JSON.stringify(rule), facts, expected] as const))(
    '%s',
    (rule, facts, expected) => {
      const found = missing(JSON.parse(rule) as MergeRule, facts)
      if (expected === undefined) expect(found).toBeUndefined()
      else expect(found).toContain(expected)
    },
  )

  test('of every name is in the table', () => {
    expect(new Set(cases.map(([{ rule }]) => rule))).toEqual(new Set(mergeRuleNames))
  })
})

test('all unmet rules are returned, in order', () => {
  const rules: MergeRule[] = [
    { rule: 'require_change_request_subject' },
    { rule: 'require_up_to_date_change_request' },
    { rule: 'require_at_least_one_review' },
  ]
  expect(findUnmetRules(rules, factsOf([]), String).map(({ at }) => at)).toEqual([0, 2])
})

test('only named users may bypass the rules', () => {
  const rules: MergeRule[] = [
    { rule: 'require_specific_reviewers', users: ['other'] },
    { rule: 'allow_bypass', users: ['boss', 'chief'] },
  ]
  const as = (actor: string) => mayBypass(rules, factsOf([], {}, actor))
  expect([as('boss'), as('chief'), as('author'), as('other')]).toEqual([true, true, false, false])
})
