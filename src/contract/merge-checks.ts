/** Merge checks: the checklist of a change request, of which some checks block the merge and others only warn. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { mergeRuleNames } from './merge-rules.js'
import { Words, shape } from './shapes.js'

export const mergeCheckIds = [
  'changes',
  'merge-rules',
  'conflicts',
  'up-to-date',
  'links',
  'alternative-texts',
  'texts',
  'comments',
] as const
export type MergeCheckId = (typeof mergeCheckIds)[number]
export const mergeCheckStatuses = ['passed', 'warning', 'failed', 'running'] as const

const MergeCheckItem = shape(
  'MergeCheckItem',
  Type.Object({
    message: Type.String(),
    isMet: Type.Optional(Type.Boolean({ description: 'Of a merge rule: whether it is met.' })),
    rule: Type.Optional(Words(mergeRuleNames)),
    page: Type.Optional(
      Type.Object({ id: Type.String(), title: Type.String(), path: Type.Optional(Type.String()) }),
    ),
    file: Type.Optional(Type.String({ description: 'Path of the text, where it is a reusable content.' })),
    line: Type.Optional(Type.Integer({ minimum: 1, description: 'Line of the text.' })),
    destination: Type.Optional(Type.String({ description: 'The destination of a link, as it is written.' })),
    conflict: Type.Optional(Type.String({ description: 'Id of a conflict.' })),
    comment: Type.Optional(Type.String({ description: 'Id of a comment.' })),
  }),
)
export type MergeCheckItem = Static<typeof MergeCheckItem>

const checkMembers = {
  id: Words(mergeCheckIds),
  title: Type.String(),
  status: Words(mergeCheckStatuses, {
    description:
      '"running" while only a part of many changed texts has been checked: each request checks a further part.',
  }),
  blocking: Type.Boolean({ description: 'Whether the merge is refused unless it passes.' }),
  summary: Type.String(),
  count: Type.Integer({ description: 'Number of items.' }),
  items: Type.Array(MergeCheckItem),
  more: Type.Optional(Type.Integer({ description: 'Number of further items.' })),
  next: Type.Optional(
    Type.Object(
      { page: Type.String() },
      { description: 'Present when there are more items: `page` of the request for the next ones.' },
    ),
  ),
}

export const MergeCheck = shape('MergeCheck', Type.Object(checkMembers))
export type MergeCheck = Static<typeof MergeCheck>

export const MergeChecks = shape(
  'MergeChecks',
  Type.Object({
    object: Type.Literal('change-request-checks'),
    revision: Type.String({ description: 'The revision of the change request that was checked.' }),
    spaceRevision: Type.String({ description: 'The revision of the space that it would be merged into.' }),
    mergeable: Type.Boolean({ description: 'Whether no check would refuse the merge to you.' }),
    checks: Type.Array(MergeCheck),
  }),
)
export type MergeChecks = Static<typeof MergeChecks>

const place = '/spaces/:spaceId/change-requests/:changeRequestId/checks'
const tag = 'Reviews'
const limit = (byDefault: number) =>
  Type.Integer({ minimum: 0, maximum: 1000, default: byDefault, description: 'Items of each check at most.' })

export const getMergeChecks = endpoint('getChangeRequestChecks', 'GET', place, {
  summary: 'Get the merge checklist of a change request',
  description:
    'Returns what stands between a change request and its merge: the merge rules with what is missing, conflicts with the space, links that it breaks, images without alternative texts, unresolved comments. Only checks that are `blocking` refuse the merge.',
  tag,
  query: Type.Object({ limit: limit(20) }),
  reply: MergeChecks,
})

export const getMergeCheck = endpoint('getChangeRequestCheck', 'GET', `${place}/:checkId`, {
  summary: 'Get one merge check of a change request',
  description: 'Returns one check of the merge checklist, with its items page by page.',
  tag,
  query: Type.Object({
    limit: limit(100),
    page: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: 'The `next.page` of the previous response. It names the content that was checked.',
      }),
    ),
  }),
  reply: MergeCheck,
})
