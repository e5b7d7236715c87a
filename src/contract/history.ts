/** History of one page: the revisions that changed it, blame by block, and restoring from a revision. */
import Type, { type Static } from 'typebox'
import { ChangeRequest, Subject } from './change-requests.js'
import { type BasePath, basePathOf, endpoint, endpointAt } from './endpoint.js'
import { limits } from './limits.js'
import { pageTypes } from './pages.js'
import { ListedRevision } from './revisions.js'
import { IdentifierOf, ListOf, ListQuery, Timestamp, Words, shape } from './shapes.js'
import type { TagName } from './tags.js'
import { User } from './users.js'

export const pageChangeKinds = [
  'created',
  'deleted',
  'text',
  'title',
  'path',
  'position',
  'settings',
] as const
export type PageChangeKind = (typeof pageChangeKinds)[number]

const PageRevision = shape(
  'PageRevision',
  Type.Object({
    revision: ListedRevision,
    changes: Type.Array(Words(pageChangeKinds), {
      description:
        '`position` is the parent or the order among siblings; `path` also changes with a parent; `settings` are all other members, such as the icon.',
    }),
    page: Type.Object(
      {
        id: Type.String(),
        type: Words(pageTypes),
        title: Type.String(),
        path: Type.Optional(Type.String()),
      },
      { description: 'The page in this revision; of a deleted page, in the one before.' },
    ),
  }),
)
export type PageRevision = Static<typeof PageRevision>

const BlameSource = shape(
  'BlameSource',
  Type.Object({
    revision: Type.Object(ListedRevision.properties, {
      description:
        'The revision in this history. For what came with a change request it is the merge, and `mergedFrom` the change request.',
    }),
    authors: Type.Array(User, { description: 'Who wrote it, in the change request where it came with one.' }),
    changedAt: Type.String({ format: 'date-time', description: 'When it was written.' }),
  }),
)

export const PageBlame = shape(
  'PageBlame',
  Type.Object({
    revision: Type.String({ description: 'The revision of the text.' }),
    blocks: Type.Array(
      Type.Object({
        key: Type.String({ description: 'The key of the block in the document of the page.' }),
        block: Type.String({ description: 'The `type` of the block in its document.' }),
        span: Type.Object(
          { start: Type.Integer(), end: Type.Integer() },
          { description: 'The range of its source in the text, in UTF-16 units.' },
        ),
        source: Type.Optional(
          Type.Integer({ description: 'Index in `sources`; absent for a block whose change was not found.' }),
        ),
        before: Type.Optional(
          Type.Unsafe<string>({
            ...Timestamp,
            description: 'Where `source` is absent: it has not changed since this time.',
          }),
        ),
      }),
    ),
    sources: Type.Array(BlameSource),
  }),
)
export type PageBlame = Static<typeof PageBlame>

/** The endpoints of a page's history below a base path with these parameters. */
export type PageHistoryEndpoints<Params extends string> = ReturnType<typeof pageHistoryEndpoints<Params>>

function pageHistoryEndpoints<Params extends string>(
  place: BasePath<Params>,
  { suffix, noun, tag }: { readonly suffix: string; readonly noun: string; readonly tag: TagName },
) {
  return {
    history: endpointAt(place, `listPageHistory${suffix}`, 'GET', '/page/:pageId/history', {
      summary: `List the revisions that changed a page of a ${noun}`,
      description: `Returns the revisions in which the page was changed, newest first, also those in which it was renamed or moved. A response examines at most ${limits.examinedRevisions} revisions: it may have fewer items than \`limit\`, or none, and a \`next\` that continues.`,
      tag,
      query: ListQuery,
      reply: ListOf(PageRevision),
    }),
    blame: endpointAt(place, `getPageBlame${suffix}`, 'GET', '/page/:pageId/blame', {
      summary: `Get who changed the blocks of a page of a ${noun}`,
      description: `Returns for each block of the current text the revision that changed it last, and who wrote it. It looks at ${limits.blamedVersions} versions of the text at most: a block that has not changed in them has no \`source\`.`,
      tag,
      reply: PageBlame,
      large: true,
    }),
  }
}

export const spacePageHistory = pageHistoryEndpoints(basePathOf('/spaces/:spaceId/content'), {
  suffix: '',
  noun: 'space',
  tag: 'Content',
})

export const changeRequestPageHistory = pageHistoryEndpoints(
  basePathOf('/spaces/:spaceId/change-requests/:changeRequestId/content'),
  { suffix: 'InChangeRequest', noun: 'change request', tag: 'Content' },
)

export const restoreRevision = endpoint(
  'restoreRevision',
  'POST',
  '/spaces/:spaceId/revisions/:revisionId/restore',
  {
    summary: 'Restore a revision in a change request',
    description:
      'Creates a change request in which the whole content, or some pages, are as in the revision. Nothing changes in the space before it is merged, and what came since stays in the history.',
    tag: 'Revisions',
    body: Type.Object({
      pages: Type.Optional(
        Type.Array(IdentifierOf('a page of the revision'), {
          minItems: 1,
          maxItems: limits.restoredPages,
          description:
            'The pages to restore, each with its text, title, settings and position; the whole content when absent. A page that was deleted comes back under its id, with those of its subpages that were deleted too.',
        }),
      ),
      subject: Type.Optional(Subject),
    }),
    bodyRequired: false,
    reply: ChangeRequest,
    success: 201,
  },
)
