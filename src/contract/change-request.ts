/** A change request on the wire; revisions name the one that they were merged from. */
import Type, { type Static } from 'typebox'
import { Timestamp, Words, shape } from './shapes.js'
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
    /** Conflicts of the last update that nobody has resolved yet. */
    conflicts: Type.Integer(),
    urls: Type.Object({ app: Type.String(), location: Type.String() }),
  }),
)
export type ChangeRequest = Static<typeof ChangeRequest>
