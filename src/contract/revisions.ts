/** Revision history of a space and of a change request. */
import Type, { type Static } from 'typebox'
import { ChangeRequest } from './change-requests.js'
import { type BasePath, endpointAt, basePathOf } from './endpoint.js'
import { ListOf, ListQuery, Timestamp, Words, shape } from './shapes.js'
import { User } from './users.js'

export const revisionTypes = ['edits', 'merge', 'rollback', 'update', 'computed'] as const

/** Members of a revision besides its content. */
export const revisionMembers = {
  object: Type.Literal('revision'),
  id: Type.String(),
  number: Type.Integer({
    description: 'Its place on the line of its space or change request, counted from 1.',
  }),
  type: Words(revisionTypes),
  message: Type.Optional(Type.String({ description: 'What it brought, in words.' })),
  sourceRevision: Type.Optional(
    Type.String({
      description: 'Of type "computed": what it was made of; readers of a site are shown it so.',
    }),
  ),
  parents: Type.Array(Type.String(), {
    description: 'The revision that it was made on, then the one that it took in.',
  }),
  changeRequest: Type.Optional(
    Type.String({ description: 'Whose line it is on; absent on that of a space.' }),
  ),
  createdBy: Type.Optional(User),
  createdAt: Timestamp,
  mergedFrom: Type.Optional(ChangeRequest),
}

export const ListedRevision = shape(
  'ListedRevision',
  Type.Object({ ...revisionMembers, urls: Type.Object({ app: Type.String(), location: Type.String() }) }),
)
export type ListedRevision = Static<typeof ListedRevision>

/** The history endpoint below a base path with these parameters. */
export type HistoryEndpoints<Params extends string> = ReturnType<typeof historyEndpoints<Params>>

function historyEndpoints<Params extends string>(
  place: BasePath<Params>,
  { name, summary }: { name: string; summary: string },
) {
  return {
    list: endpointAt(place, name, 'GET', '/revisions', {
      summary,
      tag: 'revisions',
      query: ListQuery,
      reply: ListOf(ListedRevision),
    }),
  }
}

export const spaceHistory = historyEndpoints(basePathOf('/spaces/:spaceId'), {
  name: 'listRevisions',
  summary: 'The history of a space, newest first',
})

export const changeRequestHistory = historyEndpoints(
  basePathOf('/spaces/:spaceId/change-requests/:changeRequestId'),
  {
    name: 'listRevisionsInChangeRequest',
    summary: 'What was written in a change request, newest first; it began on its "revisionInitial"',
  },
)
