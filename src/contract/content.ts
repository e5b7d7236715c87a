/**
 * Content: revisions, pages and files, as they are seen at three doors: a space, a change request,
 * a revision. The shapes and query members are the same behind each.
 */
import Type, { type Static } from 'typebox'
import { ChangeRequest } from './change-request.js'
import { type Place, endpointBelow, placeOf } from './endpoint.js'
import { problemKinds } from '../core/pages/problems.js'
import { limits } from './limits.js'
import { ListOf, QueryFlag, Timestamp, Url, Words, listQueryWith, shape } from './shapes.js'

export const formats = ['markdown', 'document'] as const
export type Format = (typeof formats)[number]
export const pageTypes = ['document', 'group', 'link', 'computed'] as const
export const revisionTypes = ['edits', 'merge', 'rollback', 'update', 'computed'] as const

const Git = Type.Object({ oid: Type.String(), path: Type.String() })

export const ContentRef = shape(
  'ContentRef',
  Type.Object({ kind: Type.String() }, { additionalProperties: true, description: 'What a link points to.' }),
)

export const PageLayout = shape(
  'PageLayout',
  Type.Object({
    width: Words(['default', 'wide']),
    cover: Type.Boolean(),
    coverSize: Words(['hero', 'full']),
    coverMask: Words(['none', 'radial']),
    title: Type.Boolean(),
    description: Type.Boolean(),
    tableOfContents: Type.Boolean(),
    outline: Type.Boolean(),
    pagination: Type.Boolean(),
    metadata: Type.Boolean(),
    tags: Type.Boolean(),
    actions: Type.Boolean(),
    anchors: Type.Boolean(),
  }),
)

/** A tag that a page carries, by its name. */
export interface PageTag {
  tag: { kind: 'tag'; tag: string }
  primary?: boolean
}

export interface Page {
  id: string
  title: string
  type: (typeof pageTypes)[number]
  kind?: 'sheet' | 'group' | 'link'
  emoji?: string
  icon?: string
  createdAt?: string
  updatedAt?: string
  slug?: string
  path?: string
  description?: string
  linkTitle?: string
  tags?: readonly PageTag[]
  condition?: string
  documentId?: string
  pages?: Page[]
  hidden?: boolean
  noIndex?: boolean
  noRobotsIndex?: boolean
  layout?: Static<typeof PageLayout>
  cover?: { ref?: object; refDark?: object; yPos: number }
  variables?: Readonly<Record<string, string | number | boolean>>
  git?: { oid: string; path: string }
  urls?: { app: string }
  target?: object
  href?: string
  computed?: object
  computedSeed?: string
  markdown?: string
  document?: object
}

/** Written out for the OpenAPI document; pages are serialised without it, for speed. */
export const Page = shape(
  'Page',
  Type.Unsafe<Page>({
    type: 'object',
    required: ['id', 'title', 'type'],
    properties: {
      id: { type: 'string' },
      title: { type: 'string' },
      type: { type: 'string', enum: [...pageTypes] },
      kind: { type: 'string', enum: ['sheet', 'group', 'link'], deprecated: true },
      emoji: { type: 'string' },
      icon: { type: 'string' },
      createdAt: Timestamp,
      updatedAt: Timestamp,
      slug: { type: 'string' },
      path: { type: 'string' },
      description: { type: 'string' },
      linkTitle: { type: 'string' },
      tags: {
        type: 'array',
        items: {
          type: 'object',
          required: ['tag'],
          properties: { tag: ContentRef, primary: { type: 'boolean' } },
        },
      },
      condition: { type: 'string' },
      documentId: { type: 'string' },
      pages: { type: 'array', items: { type: 'object', description: 'Pages below this one, same shape.' } },
      hidden: { type: 'boolean' },
      noIndex: { type: 'boolean' },
      noRobotsIndex: { type: 'boolean' },
      layout: PageLayout,
      cover: {
        type: 'object',
        properties: { ref: ContentRef, refDark: ContentRef, yPos: { type: 'number' } },
      },
      variables: { type: 'object' },
      git: Git,
      urls: { type: 'object', properties: { app: { type: 'string' } } },
      target: ContentRef,
      href: { type: 'string' },
      computed: { type: 'object' },
      computedSeed: { type: 'string' },
      markdown: { type: 'string', description: 'Exactly the stored text; with "format" markdown or absent.' },
      document: {
        type: 'object',
        description: 'The text as a tree of blocks; with "format" document or absent.',
      },
    },
  }),
)

export const File = shape(
  'File',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    contentType: Type.String(),
    downloadURL: Type.String({
      description:
        'Opens the bytes without a header, for the one who asked: for six to twelve hours, and while they may read the space.',
    }),
    size: Type.Integer(),
    dimensions: Type.Optional(Type.Object({ width: Type.Integer(), height: Type.Integer() })),
    git: Type.Optional(Git),
  }),
)
export type File = Static<typeof File>

export const tagColors = [
  'default',
  'green',
  'blue',
  'red',
  'orange',
  'yellow',
  'purple',
  'pink',
  'violet',
  'cyan',
  '$primary',
  '$info',
  '$success',
  '$warning',
  '$danger',
  '$tint',
] as const

export const Tag = shape(
  'RevisionTag',
  Type.Object({
    slug: Type.String({ description: 'The name by which pages refer to it.' }),
    label: Type.String(),
    color: Words(tagColors),
    icon: Type.Optional(Type.String()),
  }),
)
export type Tag = Static<typeof Tag>

export const Revision = shape(
  'Revision',
  Type.Object({
    object: Type.Literal('revision'),
    id: Type.String(),
    type: Words(revisionTypes),
    parents: Type.Array(Type.String()),
    pages: Type.Array(Page),
    files: Type.Array(File),
    reusableContents: Type.Array(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        document: Type.Optional(Type.String()),
        git: Type.Optional(Git),
      }),
    ),
    tags: Type.Array(Tag),
    variables: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
    ),
    createdAt: Timestamp,
    mergedFrom: Type.Optional(ChangeRequest),
    urls: Type.Object({
      app: Type.String(),
      published: Type.Optional(Type.String()),
      public: Type.Optional(Type.String()),
    }),
  }),
)
export type Revision = Static<typeof Revision>

/** Members that clients of this API send with every content read. */
const readMembers = {
  metadata: QueryFlag({ default: true, description: 'False omits "git".' }),
  computed: QueryFlag({ default: true, description: 'False leaves computed pages unexpanded.' }),
}
const ContentQuery = Type.Object(readMembers)
const PageQuery = Type.Object({
  ...readMembers,
  format: Type.Optional(Words(formats, { description: 'Absent: both members.' })),
  evaluated: Type.Optional(Words(['true', 'false', 'deterministic-only'])),
})

const PageTree = Type.Object({ pages: Type.Array(Page) })
const FilesQuery = listQueryWith(readMembers)

interface ContentNames {
  revision: string
  pages: string
  page: string
  pageByPath: string
  files: string
  file: string
}

/** The read operations of content behind one door, whose path has these parameters. */
export type ContentEndpoints<Params extends string> = ReturnType<typeof contentEndpoints<Params>>

function contentEndpoints<Params extends string>(place: Place<Params>, names: ContentNames, tag: string) {
  return {
    revision: endpointBelow(place, names.revision, 'GET', '', {
      summary: 'The whole revision: pages, files, reusable contents',
      tag,
      query: ContentQuery,
      reply: Revision,
      large: true,
    }),
    pages: endpointBelow(place, names.pages, 'GET', '/pages', {
      summary: 'The page tree',
      tag,
      query: ContentQuery,
      reply: PageTree,
      large: true,
    }),
    page: endpointBelow(place, names.page, 'GET', '/page/:pageId', {
      summary: 'One page by id, with its text',
      tag,
      query: PageQuery,
      reply: Page,
      large: true,
    }),
    pageByPath: endpointBelow(place, names.pageByPath, 'GET', '/path/:pagePath', {
      summary: 'One page by path; slashes in the path are written %2F',
      tag,
      query: PageQuery,
      reply: Page,
      large: true,
    }),
    files: endpointBelow(place, names.files, 'GET', '/files', {
      summary: 'The files, such as images',
      tag,
      query: FilesQuery,
      reply: ListOf(File),
    }),
    file: endpointBelow(place, names.file, 'GET', '/files/:fileId', {
      summary: 'One file',
      tag,
      query: ContentQuery,
      reply: File,
    }),
  }
}

export const spaceContent = contentEndpoints(
  placeOf('/spaces/:spaceId/content'),
  {
    revision: 'getCurrentRevision',
    pages: 'listPages',
    page: 'getPageById',
    pageByPath: 'getPageByPath',
    files: 'listFiles',
    file: 'getFileById',
  },
  'content',
)

export const changeRequestContent = contentEndpoints(
  placeOf('/spaces/:spaceId/change-requests/:changeRequestId/content'),
  {
    revision: 'getRevisionOfChangeRequestById',
    pages: 'listPagesInChangeRequest',
    page: 'getPageInChangeRequestById',
    pageByPath: 'getPageInChangeRequestByPath',
    files: 'listFilesInChangeRequestById',
    file: 'getFileInChangeRequestById',
  },
  'content',
)

export const revisionContent = contentEndpoints(
  placeOf('/spaces/:spaceId/revisions/:revisionId'),
  {
    revision: 'getRevisionById',
    pages: 'listPagesInRevisionById',
    page: 'getPageInRevisionById',
    pageByPath: 'getPageInRevisionByPath',
    files: 'listFilesInRevisionById',
    file: 'getFileInRevisionById',
  },
  'revisions',
)

/* Writing: one batch, one revision. */

const BatchName = Type.String({ minLength: 1, maxLength: 256 })
/** An id, or the name of something in the batch. */
const Reference = Type.String({ maxLength: 256 })
const PageText = Type.Object({ markdown: Type.String({ maxLength: limits.bodyBytes }) })
const pageMembers = {
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  slug: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  emoji: Type.Optional(Type.String({ maxLength: 50 })),
  icon: Type.Optional(Type.String({ maxLength: 50 })),
  description: Type.Optional(Type.String({ maxLength: 300 })),
  hidden: Type.Optional(Type.Boolean()),
  noIndex: Type.Optional(Type.Boolean()),
  noRobotsIndex: Type.Optional(Type.Boolean()),
  condition: Type.Optional(Type.String({ maxLength: 1024 })),
  at: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Index among the siblings; absent means the end.' }),
  ),
}

export const InsertPage = Type.Object({
  operation: Type.Literal('insert_page'),
  document: PageText,
  ...pageMembers,
  into: Type.Optional(
    Type.String({ maxLength: 256, description: 'The parent: its id, or the "ref" of a page of this batch.' }),
  ),
  ref: Type.Optional(BatchName),
})
export const UpdatePage = Type.Object({
  operation: Type.Literal('update_page'),
  page: Reference,
  document: Type.Optional(PageText),
  ...pageMembers,
  into: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 256,
      description: 'The new parent; null is the top level.',
    }),
  ),
})
export const DeletePage = Type.Object({ operation: Type.Literal('delete_page'), page: Reference })
export const RevertPage = Type.Object({
  operation: Type.Literal('revert_page'),
  page: Reference,
  revision: Type.Optional(
    Type.String({ maxLength: 64, description: 'Absent: the base of the change request.' }),
  ),
})
export const InsertFiles = Type.Object({
  operation: Type.Literal('insert_files'),
  files: Type.Array(
    Type.Object({
      name: Type.String({ minLength: 1, maxLength: 256 }),
      ref: Type.Optional(BatchName),
      contentType: Type.Optional(Type.String({ maxLength: 255 })),
      url: Type.Optional(Url),
      base64: Type.Optional(Type.String({ maxLength: 1_400_000, description: 'At most 1 MB of bytes.' })),
    }),
    { minItems: 1, maxItems: 20 },
  ),
})

export const Change = Type.Union([InsertPage, UpdatePage, DeletePage, RevertPage, InsertFiles])
export type Change = Static<typeof Change>

/** Told apart by `operation`, so that a wrong member is named instead of "matches no alternative". */
export const ChangesBody = Type.Object({
  changes: Type.Unsafe<Change[]>({
    type: 'array',
    minItems: 1,
    maxItems: 50,
    items: {
      type: 'object',
      required: ['operation'],
      discriminator: { propertyName: 'operation' },
      oneOf: [InsertPage, UpdatePage, DeletePage, RevertPage, InsertFiles],
    },
  }),
})
export const ChangesQuery = Type.Object({
  compat: QueryFlag({ default: true, description: 'False answers what each change made.' }),
})

export const ChangeOutcome = Type.Object({
  object: Words(['created_page', 'updated_page', 'deleted_page']),
  ref: Type.Optional(Type.String()),
  page: Type.Unsafe<string | { object: 'page'; id: string; urls: { location: string } }>({
    type: ['string', 'object'],
  }),
})
export type ChangeOutcome = Static<typeof ChangeOutcome>

/** A file of a change, with the name that the batch gave it. */
export const InsertedFile = Type.Object({ ...File.properties, ref: Type.Optional(Type.String()) })

/* Whole trees of files: an import replaces the content by what an archive holds, an export gives it back. */

const ImportProblem = Type.Object({
  kind: Words(problemKinds),
  path: Type.String({ description: 'Of the file, from the root of the tree.' }),
  line: Type.Optional(Type.Integer({ description: 'From 1.' })),
  message: Type.String(),
})

export const ImportResult = shape(
  'ImportResult',
  Type.Object({
    revision: Type.String(),
    importedResources: Type.Integer({ description: 'Pages and files that were imported.' }),
    totalResources: Type.Integer({ description: 'The same, with what is unlisted and what was left out.' }),
    pages: Type.Integer({ description: 'Pages that have a text.' }),
    files: Type.Integer({ description: 'Pictures and other files, reusable contents among them.' }),
    unlisted: Type.Integer({ description: 'Markdown files that are kept, and no pages.' }),
    leftOut: Type.Integer({ description: 'Files and whole folders that did not come in.' }),
    language: Type.Optional(Type.String({ description: 'Of the texts, where it is clear.' })),
    problemCount: Type.Integer(),
    problems: Type.Array(ImportProblem, {
      description: 'What an author should look at, the gravest first; at most 10,000 are listed.',
    }),
  }),
)
export type ImportResult = Static<typeof ImportResult>

export const importSources = [
  'website',
  'docx',
  'markdown',
  'html',
  'zip',
  'confluence',
  'github-wiki',
  'notion',
  'google-docs',
] as const
