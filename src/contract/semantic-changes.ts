/** Semantic diff of two revisions: pages and files created, edited, moved, deleted, and blocks inside of pages. */
import Type, { type Static } from 'typebox'
import { ChangeRequest } from './change-requests.js'
import { readMembers } from './content.js'
import { endpoint } from './endpoint.js'
import { pageTypes } from './pages.js'
import { QueryFlag, Words, shape } from './shapes.js'

export const PageNamed = Type.Object({
  id: Type.String(),
  type: Words(pageTypes),
  title: Type.String(),
  path: Type.Optional(Type.String()),
})
const FileNamed = Type.Object({
  id: Type.String(),
  name: Type.String(),
  contentType: Type.String(),
  downloadURL: Type.String(),
})
export const ReusableContentNamed = Type.Object({
  id: Type.String(),
  title: Type.String(),
  document: Type.Optional(Type.String()),
})
/** Absent where the version has none. */
export const Attribute = Type.Object({
  before: Type.Optional(Type.Unknown()),
  after: Type.Optional(Type.Unknown()),
})
const Attributes = Type.Record(Type.String(), Attribute, {
  description:
    'Changed members of the page, file or reusable content, or changed variables or tags, by name.',
})

export const WordChanges = Type.Object({
  change: Words(['same', 'added', 'removed'] as const),
  text: Type.String(),
})

const Keys = Type.Object({ before: Type.String(), after: Type.String() })
const blockKind = { block: Type.String({ description: 'The `type` of the block in its document.' }) }
const BlockChange = shape(
  'BlockChange',
  Type.Union([
    Type.Object({
      type: Words(['added', 'removed'] as const),
      key: Type.String({ description: 'The key of the block in the document that has it.' }),
      ...blockKind,
      words: Type.String(),
    }),
    Type.Object({ type: Words(['moved'] as const), key: Keys, ...blockKind, words: Type.String() }),
    Type.Object({
      type: Words(['edited'] as const),
      key: Keys,
      ...blockKind,
      words: Type.Optional(
        Type.Array(WordChanges, {
          description: 'The text before and after, word by word; absent if only settings changed.',
        }),
      ),
    }),
  ]),
)
export type BlockChange = Static<typeof BlockChange>

/** With `blocks`: the changes inside of a document. */
const textChanges = {
  blocks: Type.Optional(
    Type.Array(BlockChange, {
      description: 'Changed blocks; absent if not requested, or if there are too many.',
    }),
  ),
  moreBlocks: Type.Optional(Type.Integer({ description: 'Number of omitted blocks.' })),
}
const said = { summary: Type.String({ description: 'Description of the change.' }) }

export const SemanticChange = shape(
  'RevisionSemanticChange',
  Type.Union([
    Type.Object({ type: Words(['page_created', 'page_deleted'] as const), page: PageNamed, ...said }),
    Type.Object({
      type: Words(['page_edited'] as const),
      page: PageNamed,
      attributes: Attributes,
      ...textChanges,
      ...said,
    }),
    Type.Object({
      type: Words(['page_moved'] as const),
      page: PageNamed,
      parent: Type.Object({ before: Type.Optional(PageNamed), after: Type.Optional(PageNamed) }),
      ...said,
    }),
    Type.Object({ type: Words(['file_created', 'file_deleted'] as const), file: FileNamed, ...said }),
    Type.Object({ type: Words(['file_edited'] as const), file: FileNamed, attributes: Attributes, ...said }),
    Type.Object({ type: Words(['variables_edited'] as const), variables: Attributes, ...said }),
    Type.Object({ type: Words(['tags_edited'] as const), tags: Attributes, ...said }),
    Type.Object({
      type: Words(['reusable_content_created', 'reusable_content_deleted'] as const),
      reusableContent: ReusableContentNamed,
      ...said,
    }),
    Type.Object({
      type: Words(['reusable_content_edited'] as const),
      reusableContent: ReusableContentNamed,
      attributes: Attributes,
      ...textChanges,
      ...said,
    }),
  ]),
)
export type SemanticChange = Static<typeof SemanticChange>

const SemanticChanges = shape(
  'RevisionSemanticChanges',
  Type.Object({
    mergedFrom: Type.Optional(ChangeRequest),
    summary: Type.String({ description: 'Description of all changes, including omitted ones.' }),
    changes: Type.Array(SemanticChange),
    more: Type.Optional(Type.Integer({ description: 'Number of changes beyond the limit.' })),
    next: Type.Optional(
      Type.Object(
        { page: Type.String() },
        { description: 'Present when there are more changes: `page` of the request for the next part.' },
      ),
    ),
  }),
)

const changesQuery = {
  ...readMembers,
  page: Type.Optional(
    Type.String({
      maxLength: 1024,
      description:
        'The `next.page` of the previous response. It names the two compared revisions, so that all parts are of one comparison, also while the content is edited.',
    }),
  ),
  limit: Type.Integer({
    minimum: 0,
    maximum: 1000,
    default: 10,
    description: 'Maximum number of changes in the response.',
  }),
  blocks: QueryFlag({
    default: false,
    description: 'True includes the changed blocks with their text.',
  }),
}
const Query = Type.Object(changesQuery)

/** A content of a space: the id of a revision, or `change-request:` and the id or number of a change request. */
const ComparedContent = Type.String({ pattern: '^(?:change-request:)?[\\w-]{1,100}$' })
export const compared = {
  from: {
    ...ComparedContent,
    description:
      'The content before: the id of a revision, or `change-request:` and the id or number of a change request, for its current content.',
  },
  to: Type.Optional({
    ...ComparedContent,
    description: 'The content after, named like `from`; the current content of the space when absent.',
  }),
}

export const getRevisionChanges = endpoint(
  'getRevisionSemanticChanges',
  'GET',
  '/spaces/:spaceId/revisions/:revisionId/changes',
  {
    summary: 'Get the changes of a revision',
    description: 'Compares a revision with the one before it: pages, files and, if asked for, blocks.',
    tag: 'Revisions',
    query: Query,
    reply: SemanticChanges,
  },
)

export const getChangeRequestChanges = endpoint(
  'getChangeRequestChanges',
  'GET',
  '/spaces/:spaceId/change-requests/:changeRequestId/changes',
  {
    summary: 'Get the changes of a change request',
    description:
      'Compares a change request with the content of the space that it was last updated from: pages, files and, if asked for, blocks.',
    tag: 'Change requests',
    query: Query,
    reply: SemanticChanges,
  },
)

export const compareContent = endpoint('compareContent', 'GET', '/spaces/:spaceId/compare', {
  summary: 'Compare two contents of a space',
  description:
    'Compares two revisions or change requests of a space: pages, files and, if asked for, blocks. Any two can be compared, in either direction.',
  tag: 'Revisions',
  query: Type.Object({ ...changesQuery, ...compared }),
  reply: SemanticChanges,
})
