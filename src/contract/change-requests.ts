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
        description: 'The description as a document; absent in lists, and where there is none.',
      }),
    ),
    descriptionMarkdown: Type.Optional(
      Type.String({ description: 'The description as it is written; absent where `description` is.' }),
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
    permissions: Type.Optional(
      Type.Object(
        {
          view: Type.Boolean(),
          comment: Type.Boolean(),
          edit: Type.Boolean({
            description: 'Whether you may change its content, and whether it is open to changes.',
          }),
          update: Type.Boolean({
            description: 'Whether you may change its subject, description and status.',
          }),
          review: Type.Boolean(),
          merge: Type.Boolean({
            description:
              'Whether you may merge it, if its conflicts are resolved and the merge rules are met.',
          }),
        },
        { description: 'What you may do with it now; absent where it is only mentioned.' },
      ),
    ),
    urls: Type.Object({ app: Type.String(), location: Type.String() }),
  }),
)
export type ChangeRequest = Static<typeof ChangeRequest>

const place = '/spaces/:spaceId/change-requests'
const one = `${place}/:changeRequestId` as const
const tag = 'Change requests'

/** Filters by user ids. */
const PeopleFilters = {
  creator: Type.Optional(Type.String({ maxLength: 64, description: 'Id of the user who created it.' })),
  contributor: Type.Optional(
    Type.String({ maxLength: 64, description: 'Id of a user who edited it or commented on it.' }),
  ),
  requestedReviewer: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Id of a user who was asked to review it, by name or as a member of a team.',
    }),
  ),
}

export const listChangeRequests = endpoint('listChangeRequestsForSpace', 'GET', place, {
  summary: 'List the change requests of a space',
  description: 'Returns the change requests of a space, newest first.',
  tag,
  query: listQueryWith({
    status: Type.Optional(
      Words([...changeRequestStatuses, 'all'] as const, {
        default: 'open',
        description: 'Only change requests with this status.',
      }),
    ),
    ...PeopleFilters,
  }),
  reply: ListOf(ChangeRequest),
})

export const Subject = Type.String({ maxLength: 100 })
export const Description = Type.Object({ markdown: Type.String({ maxLength: 10_000 }) })

export const createChangeRequest = endpoint('createChangeRequest', 'POST', place, {
  summary: 'Create a change request',
  description: 'Starts a change request on the current content of the space.',
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
  summary: 'Get a change request',
  description: 'Returns a change request by its id or its number.',
  tag,
  readers: true,
  reply: ChangeRequest,
})

export const updateChangeRequest = endpoint('updateChangeRequestById', 'PATCH', one, {
  summary: 'Update a change request',
  description: 'Changes the subject, description or status.',
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
    count: Type.Integer({ description: 'Number of edits or comments.' }),
    updatedAt: Timestamp,
  }),
)
export type Contributor = Static<typeof Contributor>

export const listContributors = endpoint('getContributorsByChangeRequestId', 'GET', `${one}/contributors`, {
  summary: 'List the contributors of a change request',
  description: 'Returns who edited a change request and who commented on it, latest first.',
  tag,
  reply: ListOf(Contributor),
})

export const changeContent = endpoint('updateChangeRequestContent', 'POST', `${one}/content`, {
  summary: 'Edit the content of a change request',
  description: 'Applies a batch of changes to pages and files as one new revision: all of them or none.',
  tag,
  query: ChangesQuery,
  revisionTag: true,
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
  summary: 'Upload a file to a change request',
  description: 'Adds one file, sent as multipart/form-data or as the body itself.',
  tag: 'Content',
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
  summary: 'Merge a change request',
  description:
    'Merges the change request into the content of the space. If there are conflicts nothing is written, and `result` is `conflicts`.',
  tag,
  reply: Type.Object({
    revision: Type.String(),
    result: Words(['merge', 'conflicts'] as const),
    conflicts: Type.Optional(Type.Array(Conflict)),
    warnings: Type.Optional(
      Type.Array(Type.Object({ message: Type.String() }), {
        description: 'Unmet merge rules, for those who may bypass them.',
      }),
    ),
  }),
})

export const updateFromSpace = endpoint('updateChangeRequest', 'POST', `${one}/update`, {
  summary: 'Update a change request from its space',
  description:
    'Merges the content of the space into the change request. Where both changed the same, the side of the change request is kept and a conflict is reported, unless `strategy` settles it.',
  tag,
  body: Type.Object({ strategy: Type.Optional(Words(['changes', 'primary'] as const)) }),
  bodyRequired: false,
  reply: Type.Object({
    revision: Type.String(),
    result: Words(['update', 'conflicts'] as const),
    conflicts: Type.Optional(Type.Array(Conflict)),
    settled: Type.Optional(
      Type.Array(Conflict, {
        description: 'With a strategy: the conflicts that it has resolved, with both sides.',
      }),
    ),
  }),
})

export const listConflicts = endpoint('listChangeRequestConflicts', 'GET', `${one}/conflicts`, {
  summary: 'List the conflicts of a change request',
  description: 'Returns the conflicts that are not resolved yet.',
  tag,
  reply: Type.Object({ conflicts: Type.Array(Conflict) }),
})

export const resolveConflicts = endpoint('resolveChangeRequestConflicts', 'POST', `${one}/conflicts`, {
  summary: 'Resolve the conflicts of a change request',
  description: 'Resolves conflicts of pages and blocks by taking one side, or a text.',
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
    summary: 'List the change requests of an organization',
    description: 'Returns the change requests of all spaces that you may read, newest first.',
    tag,
    query: listQueryWith({
      status: Type.Optional(
        Words([...changeRequestStatuses, 'all'] as const, {
          default: 'open',
          description: 'Only change requests with this status.',
        }),
      ),
      ...PeopleFilters,
    }),
    reply: ListOf(ChangeRequest),
  },
)
