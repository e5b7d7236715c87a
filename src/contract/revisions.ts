/** Revision history of a space and of a change request. */
import Type, { type Static } from 'typebox'
import { ChangeRequest } from './change-requests.js'
import { type BasePath, endpointAt, basePathOf } from './endpoint.js'
import { ListOf, QueryFlag, Timestamp, Words, listQueryWith, shape } from './shapes.js'
import { User } from './users.js'

export const revisionTypes = ['edits', 'merge', 'rollback', 'update', 'computed'] as const

/** Members of a revision besides its content. */
export const revisionMembers = {
  object: Type.Literal('revision'),
  id: Type.String(),
  number: Type.Integer({
    description: 'Position in the history of its space or change request, from 1.',
  }),
  type: Words(revisionTypes),
  message: Type.Optional(Type.String({ description: 'Description of the change.' })),
  sourceRevision: Type.Optional(
    Type.String({
      description: 'For the type "computed": the revision that it was computed from for readers of a site.',
    }),
  ),
  parents: Type.Array(Type.String(), {
    description: 'The previous revision, then the one that was merged.',
  }),
  changeRequest: Type.Optional(
    Type.String({
      description: 'The change request to whose history it belongs; absent in the history of a space.',
    }),
  ),
  createdBy: Type.Optional(User),
  createdAt: Timestamp,
  mergedFrom: Type.Optional(ChangeRequest),
}

export const ListedRevision = shape(
  'ListedRevision',
  Type.Object({
    ...revisionMembers,
    authors: Type.Array(User, {
      description:
        'Who wrote what it contains: for a merge, everyone who edited the change request, last first; else who created it.',
    }),
    summary: Type.Optional(
      Type.String({
        description:
          'With `summary`: what it changed, in words. Absent where it changed too much to compare.',
      }),
    ),
    urls: Type.Object({ app: Type.String(), location: Type.String() }),
  }),
)
export type ListedRevision = Static<typeof ListedRevision>

/** The history endpoint below a base path with these parameters. */
export type HistoryEndpoints<Params extends string> = ReturnType<typeof historyEndpoints<Params>>

function historyEndpoints<Params extends string>(
  place: BasePath<Params>,
  names: { name: string; summary: string; description: string },
) {
  return {
    list: endpointAt(place, names.name, 'GET', '/revisions', {
      summary: names.summary,
      description: names.description,
      tag: 'Revisions',
      query: listQueryWith({
        summary: QueryFlag({
          default: false,
          description: 'True describes in words what each revision changed from the one before.',
        }),
      }),
      reply: ListOf(ListedRevision),
    }),
  }
}

export const spaceHistory = historyEndpoints(basePathOf('/spaces/:spaceId'), {
  name: 'listRevisions',
  summary: 'List the revisions of a space',
  description: 'Returns the history of a space, newest first.',
})

export const changeRequestHistory = historyEndpoints(
  basePathOf('/spaces/:spaceId/change-requests/:changeRequestId'),
  {
    name: 'listRevisionsInChangeRequest',
    summary: 'List the revisions of a change request',
    description: 'Returns the history of a change request since its `revisionInitial`, newest first.',
  },
)
