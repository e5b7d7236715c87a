/** Semantic diff of two revisions: pages and files created, edited, moved, deleted, and blocks inside of pages. */
import Type, { type Static } from 'typebox'
import { ChangeRequest } from './change-requests.js'
import { readMembers } from './content.js'
import { endpoint } from './endpoint.js'
import { pageTypes } from './pages.js'
import { QueryFlag, Words, shape } from './shapes.js'

const PageNamed = Type.Object({
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
const ReusableContentNamed = Type.Object({
  id: Type.String(),
  title: Type.String(),
  document: Type.Optional(Type.String()),
})
/** Absent where the version has none. */
const Attribute = Type.Object({ before: Type.Optional(Type.Unknown()), after: Type.Optional(Type.Unknown()) })
const Attributes = Type.Record(Type.String(), Attribute, {
  description: 'By the names of members, as they are in pages, files and reusable contents.',
})

const Keys = Type.Object({ before: Type.String(), after: Type.String() })
const blockKind = { block: Type.String({ description: 'The "type" of the block in its document.' }) }
const BlockChange = shape(
  'BlockChange',
  Type.Union([
    Type.Object({
      type: Words(['added', 'removed'] as const),
      key: Type.String({ description: 'Where it stands in the document that has it.' }),
      ...blockKind,
      words: Type.String(),
    }),
    Type.Object({ type: Words(['moved'] as const), key: Keys, ...blockKind, words: Type.String() }),
    Type.Object({
      type: Words(['edited'] as const),
      key: Keys,
      ...blockKind,
      words: Type.Optional(
        Type.Array(
          Type.Object({ change: Words(['same', 'added', 'removed'] as const), text: Type.String() }),
          {
            description: 'The words of before and after in one row; absent where only its settings changed.',
          },
        ),
      ),
    }),
  ]),
)
export type BlockChange = Static<typeof BlockChange>

/** With `blocks`: the changes inside of a document. */
const textChanges = {
  blocks: Type.Optional(
    Type.Array(BlockChange, {
      description: 'Absent where not asked for, or where there was too much to read.',
    }),
  ),
  moreBlocks: Type.Optional(Type.Integer({ description: 'How many blocks are left out.' })),
}
const said = { summary: Type.String({ description: 'The change in words.' }) }

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
    summary: Type.String({ description: 'All of it in words, also what the limit leaves out.' }),
    changes: Type.Array(SemanticChange),
    more: Type.Optional(Type.Integer({ description: 'How many are left out, because of the limit.' })),
  }),
)

const Query = Type.Object({
  ...readMembers,
  limit: Type.Integer({ minimum: 0, maximum: 1000, default: 10 }),
  blocks: QueryFlag({
    default: false,
    description: 'True also tells the blocks that changed, with the words.',
  }),
})

export const getRevisionChanges = endpoint(
  'getRevisionSemanticChanges',
  'GET',
  '/spaces/:spaceId/revisions/:revisionId/changes',
  {
    summary: 'What a revision changed: of what stood before it on its line',
    tag: 'revisions',
    query: Query,
    reply: SemanticChanges,
  },
)

export const getChangeRequestChanges = endpoint(
  'getChangeRequestChanges',
  'GET',
  '/spaces/:spaceId/change-requests/:changeRequestId/changes',
  {
    summary: 'What a change request changes: of the content of the space that it last took in',
    tag: 'change-requests',
    query: Query,
    reply: SemanticChanges,
  },
)
