/** Merge rules: requirements for merging a change request, set by an organization for all its spaces, or by a space. */
import Type, { type Static } from 'typebox'
import { maxExpressionLength } from '../core/conditions/limits.js'
import { Identifier, Words } from './shapes.js'

/** Rules with a list of users. */
export const peopleRules = [
  'require_specific_reviewers',
  'require_one_of_specific_reviewers',
  'allow_bypass',
] as const
export const mergeRuleNames = [
  ...peopleRules,
  'require_at_least_one_review',
  'require_at_least_one_approved_review',
  'require_all_reviews_approved',
  'require_up_to_date_change_request',
  'require_change_request_subject',
  'require_change_request_description',
  'require_author_to_merge',
  'custom',
] as const

/** Small enough to be returned with each space of a list. */
const maxRules = 10
const maxPeople = 30

export const MergeRule = Type.Object({
  rule: Words(mergeRuleNames),
  users: Type.Optional(
    Type.Array(Identifier, {
      minItems: 1,
      maxItems: maxPeople,
      description: 'Ids of users, for the rules about specific people.',
    }),
  ),
  expression: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: maxExpressionLength,
      description: 'For "custom": an expression over `changeRequest`, `reviews` and `actor`.',
    }),
  ),
  message: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'For "custom": the message if the expression is false.',
    }),
  ),
})
export type MergeRule = Static<typeof MergeRule>

const rules = Type.Optional(
  Type.Array(MergeRule, {
    maxItems: maxRules,
    description: 'For the type "rules": all of them must be met.',
  }),
)

export const OrganizationMergeRules = Type.Object({ type: Words(['none', 'rules'] as const), rules })
export type OrganizationMergeRules = Static<typeof OrganizationMergeRules>

export const SpaceMergeRules = Type.Object({ type: Words(['inherit', 'none', 'rules'] as const), rules })
export type SpaceMergeRules = Static<typeof SpaceMergeRules>
