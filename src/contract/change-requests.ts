/** Change requests: a branch of a space's content with its own revision history, reviewed and merged. */
import Type, { type Static } from 'typebox'
import { ChangeOutcome, ChangesBody, ChangesQuery, InsertedFile } from './changes.js'
import { endpoint } from './endpoint.js'
import { limits } from './limits.js'
import { File } from './pages.js'
import { ListOf, Timestamp, Words, listQueryWith, shape } from './shapes.js'
import { User } from './users.js'

export const changeRequestStatuses = ['draft', 'open', 'archived', 'merged'] as const
export type ChangeRequestStatus = (typeof changeRequestStatuses)[number]

export const ChangeRequest = shape(
  'ChangeRequest',
  Type.Object({
    object: Type.Literal('change-request'),
    id: Type.String(),
    number: Type.Integer(),
    status: Words(changeRequestStatuses),
    subject: Type.String(),
    description: Type.Optional(
      Type.Unsafe<object>({
        type: 'object',
        additionalProperties: true,
        description: 'A document; where one change request is asked for, and has one.',
      }),
    ),
    space: Type.String(),
    createdBy: User,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Type.String(),
    revisionInitial: Type.String(),
    revisionMergedAncestor: Type.Optional(Type.String()),
    revisionMerged: Type.Optional(Type.String()),
    mergedBy: Type.Optional(User),
    mergedAt: Type.Optional(Timestamp),
    comments: Type.Integer(),
    outdated: Type.Boolean(),
    /** Unresolved conflicts of the last update. */
    conflicts: Type.Integer(),
    urls: Type.Object({ app: Type.String(), location: Type.String() }),
  }),
)
export type ChangeRequest = Static<typeof ChangeRequest>

const place = '/spaces/:spaceId/change-requests'
const one = `${place}/:changeRequestId` as const
const tag = 'change-requests'

/** Filters by user ids. */
const PeopleFilters = {
  creator: Type.Optional(Type.String({ maxLength: 64, description: 'Who began it.' })),
  contributor: Type.Optional(Type.String({ maxLength: 64, description: 'Who wrote in it, or commented.' })),
  requestedReviewer: Type.Optional(
    Type.String({ maxLength: 64, description: 'Who was asked to review it, by name or in a team.' }),
  ),
}

export const listChangeRequests = endpoint('listChangeRequestsForSpace', 'GET', place, {
  summary: 'The change requests of a space, newest first',
  tag,
  query: listQueryWith({
    status: Type.Optional(Words([...changeRequestStatuses, 'all'] as const, { default: 'open' })),
    ...PeopleFilters,
  }),
  reply: ListOf(ChangeRequest),
})

export const Subject = Type.String({ maxLength: 100 })
export const Description = Type.Object({ markdown: Type.String({ maxLength: 10_000 }) })

export const createChangeRequest = endpoint('createChangeRequest', 'POST', place, {
  summary: 'Begin a change request on the current content',
  tag,
  body: Type.Object({
    subject: Type.Optional(Subject),
    description: Type.Optional(Description),
    agentTaskId: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  bodyRequired: false,
  reply: ChangeRequest,
  success: 201,
})

export const getChangeRequest = endpoint('getChangeRequestById', 'GET', one, {
  summary: 'One change request, by id or number',
  tag,
  readers: true,
  reply: ChangeRequest,
})

export const updateChangeRequest = endpoint('updateChangeRequestById', 'PATCH', one, {
  summary: 'Change the subject or status',
  tag,
  body: Type.Object({
    subject: Type.Optional(Subject),
    description: Type.Optional(Description),
    status: Type.Optional(Words(['draft', 'open', 'archived'] as const)),
  }),
  bodyRequired: false,
  reply: ChangeRequest,
})

const Contributor = shape(
  'Contributor',
  Type.Object({
    user: User,
    actionType: Words(['edit', 'comment'] as const),
    count: Type.Integer({ description: 'How often they wrote in it, or said something.' }),
    updatedAt: Timestamp,
  }),
)
export type Contributor = Static<typeof Contributor>

export const listContributors = endpoint('getContributorsByChangeRequestId', 'GET', `${one}/contributors`, {
  summary: 'Who wrote in a change request and who commented, the latest first',
  tag,
  reply: ListOf(Contributor),
})

export const changeContent = endpoint('updateChangeRequestContent', 'POST', `${one}/content`, {
  summary: 'Change pages and files: all of the batch or nothing, one new revision',
  tag,
  query: ChangesQuery,
  body: ChangesBody,
  large: true,
  reply: Type.Unsafe<
    | ChangeRequest
    | { changeRequest: ChangeRequest; changes: ChangeOutcome[]; insertedFiles: Static<typeof InsertedFile>[] }
  >({
    anyOf: [
      ChangeRequest,
      Type.Object({
        changeRequest: ChangeRequest,
        changes: Type.Array(ChangeOutcome),
        insertedFiles: Type.Array(InsertedFile),
      }),
    ],
  }),
})

export const uploadChangeRequestFile = endpoint('uploadFileInChangeRequest', 'POST', `${one}/content/files`, {
  summary: 'Upload one file, as multipart/form-data or as the body itself',
  tag: 'content',
  upload: true,
  reply: File,
  success: 201,
})

/** A merge conflict; `ours` is the change request, `theirs` the space. */
export const Conflict = shape(
  'Conflict',
  Type.Object({
    id: Type.String(),
    kind: Type.String(),
    page: Type.Optional(Type.String()),
    path: Type.Optional(Type.String()),
    member: Type.Optional(Type.String()),
    base: Type.Optional(Type.Unknown()),
    ours: Type.Optional(Type.Unknown()),
    theirs: Type.Optional(Type.Unknown()),
  }),
)
export type Conflict = Static<typeof Conflict>

export const mergeChangeRequest = endpoint('mergeChangeRequest', 'POST', `${one}/merge`, {
  summary: 'Merge into the main content; with conflicts nothing is written',
  tag,
  reply: Type.Object({
    revision: Type.String(),
    result: Words(['merge', 'conflicts'] as const),
    conflicts: Type.Optional(Type.Array(Conflict)),
    warnings: Type.Optional(
      Type.Array(Type.Object({ message: Type.String() }), {
        description: 'What the merge rules missed, for who may merge past them.',
      }),
    ),
  }),
})

export const updateFromSpace = endpoint('updateChangeRequest', 'POST', `${one}/update`, {
  summary: 'Bring the main content into the change request; its own side is kept where both changed',
  tag,
  body: Type.Object({ strategy: Type.Optional(Words(['changes', 'primary'] as const)) }),
  bodyRequired: false,
  reply: Type.Object({
    revision: Type.String(),
    result: Words(['update', 'conflicts'] as const),
    conflicts: Type.Optional(Type.Array(Conflict)),
    settled: Type.Optional(
      Type.Array(Conflict, { description: 'With a strategy: what it has settled, each with both sides.' }),
    ),
  }),
})

export const listConflicts = endpoint('listChangeRequestConflicts', 'GET', `${one}/conflicts`, {
  summary: 'The conflicts that wait for a decision',
  tag,
  reply: Type.Object({ conflicts: Type.Array(Conflict) }),
})

export const resolveConflicts = endpoint('resolveChangeRequestConflicts', 'POST', `${one}/conflicts`, {
  summary: 'Decide conflicts, by page and block',
  tag,
  body: Type.Object({
    resolutions: Type.Array(
      Type.Object({
        id: Type.String({ maxLength: 256 }),
        take: Words(['ours', 'theirs', 'text'] as const),
        text: Type.Optional(Type.String({ maxLength: limits.bodyBytes })),
      }),
      { minItems: 1, maxItems: 1000 },
    ),
  }),
  reply: ChangeRequest,
})

export const listOrganizationChangeRequests = endpoint(
  'listChangeRequestsForOrganization',
  'GET',
  '/orgs/:organizationId/change-requests',
  {
    summary: 'The change requests of all spaces that you may read, newest first',
    tag,
    query: listQueryWith({
      status: Type.Optional(Words([...changeRequestStatuses, 'all'] as const, { default: 'open' })),
      ...PeopleFilters,
    }),
    reply: ListOf(ChangeRequest),
  },
)
