/**
 * Content: read endpoints for revisions, pages and files, below three base paths: a space, a change request, a
 * revision. Shapes and query members are the same below each.
 */
import Type, { type Static } from 'typebox'
import { type BasePath, endpoint, endpointAt, basePathOf } from './endpoint.js'
import { File, Git, Page, Tag } from './pages.js'
import { revisionMembers } from './revisions.js'
import { ListOf, QueryFlag, Words, listQueryWith, shape } from './shapes.js'

export const formats = ['markdown', 'document'] as const
export type Format = (typeof formats)[number]

export const ReusableContent = shape(
  'ReusableContent',
  Type.Object({
    id: Type.String(),
    title: Type.String(),
    document: Type.Optional(
      Type.String({ description: 'The id of its document; absent where it is empty.' }),
    ),
    git: Type.Optional(Git),
  }),
)
export type ReusableContent = Static<typeof ReusableContent>

/** A document as a tree of blocks. */
export const Document = shape(
  'Document',
  Type.Unsafe<object>({
    type: 'object',
    required: ['object', 'data', 'nodes'],
    properties: {
      object: { type: 'string', enum: ['document'] },
      data: { type: 'object' },
      nodes: { type: 'array', items: { type: 'object' } },
    },
  }),
)

export const Revision = shape(
  'Revision',
  Type.Object({
    ...revisionMembers,
    pages: Type.Array(Page),
    files: Type.Array(File),
    reusableContents: Type.Array(ReusableContent),
    tags: Type.Array(Tag),
    variables: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
    ),
    urls: Type.Object({
      app: Type.String(),
      published: Type.Optional(Type.String()),
      public: Type.Optional(Type.String()),
    }),
  }),
)
export type Revision = Static<typeof Revision>

/** Members that clients of this API send with every content read. */
export const readMembers = {
  metadata: QueryFlag({ default: true, description: 'False omits "git".' }),
  computed: QueryFlag({ default: true, description: 'False leaves computed pages unexpanded.' }),
}
const ContentQuery = Type.Object(readMembers)
/** Format of documents in the reply. */
const form = {
  evaluated: Type.Optional(
    Words(['true', 'false', 'deterministic-only'], {
      description:
        'True works out conditions and expressions for whoever asks; "deterministic-only" those that ask nothing of a visitor.',
    }),
  ),
  dereferenced: Type.Optional(
    Words(['true', 'false', 'reusable-contents'], {
      description: 'Puts the blocks of reusable contents where they are shown.',
    }),
  ),
}
export type DocumentForm = Partial<Static<Type.TObject<typeof form>>>
const PageQuery = Type.Object({
  ...readMembers,
  format: Type.Optional(Words(formats, { description: 'Absent: both members.' })),
  ...form,
})
const DocumentQuery = Type.Object({ ...form, schema: Type.Optional(Words(['current', 'next'])) })

const PageTree = Type.Object({ pages: Type.Array(Page) })
const FilesQuery = listQueryWith(readMembers)

interface ContentNames {
  revision: string
  pages: string
  page: string
  pageByPath: string
  pageDocument: string
  files: string
  file: string
  reusableContent: string
  reusableContentDocument: string
}

/** The content endpoints below a base path with these parameters. */
export type ContentEndpoints<Params extends string> = ReturnType<typeof contentEndpoints<Params>>

function contentEndpoints<Params extends string>(place: BasePath<Params>, names: ContentNames, tag: string) {
  return {
    revision: endpointAt(place, names.revision, 'GET', '', {
      summary: 'The whole revision: pages, files, reusable contents',
      tag,
      readers: true,
      query: ContentQuery,
      reply: Revision,
      large: true,
    }),
    pages: endpointAt(place, names.pages, 'GET', '/pages', {
      summary: 'The page tree',
      tag,
      readers: true,
      query: ContentQuery,
      reply: PageTree,
      large: true,
    }),
    page: endpointAt(place, names.page, 'GET', '/page/:pageId', {
      summary: 'One page by id, with its text',
      tag,
      readers: true,
      query: PageQuery,
      reply: Page,
      large: true,
    }),
    pageByPath: endpointAt(place, names.pageByPath, 'GET', '/path/:pagePath', {
      summary: 'One page by path; slashes in the path are written %2F',
      tag,
      readers: true,
      query: PageQuery,
      reply: Page,
      large: true,
    }),
    pageDocument: endpointAt(place, names.pageDocument, 'GET', '/page/:pageId/document', {
      summary: 'The document of a page',
      tag,
      readers: true,
      query: DocumentQuery,
      reply: Document,
      large: true,
    }),
    files: endpointAt(place, names.files, 'GET', '/files', {
      summary: 'The files, such as images',
      tag,
      readers: true,
      query: FilesQuery,
      reply: ListOf(File),
    }),
    file: endpointAt(place, names.file, 'GET', '/files/:fileId', {
      summary: 'One file',
      tag,
      readers: true,
      query: ContentQuery,
      reply: File,
    }),
    reusableContent: endpointAt(
      place,
      names.reusableContent,
      'GET',
      '/reusable-contents/:reusableContentId',
      { summary: 'One reusable content', tag, readers: true, query: ContentQuery, reply: ReusableContent },
    ),
    reusableContentDocument: endpointAt(
      place,
      names.reusableContentDocument,
      'GET',
      '/reusable-contents/:reusableContentId/document',
      {
        summary: 'The document of a reusable content',
        tag,
        readers: true,
        query: DocumentQuery,
        reply: Document,
        large: true,
      },
    ),
  }
}

export const spaceContent = contentEndpoints(
  basePathOf('/spaces/:spaceId/content'),
  {
    revision: 'getCurrentRevision',
    pages: 'listPages',
    page: 'getPageById',
    pageByPath: 'getPageByPath',
    files: 'listFiles',
    file: 'getFileById',
    pageDocument: 'getPageDocumentById',
    reusableContent: 'getReusableContentById',
    reusableContentDocument: 'getReusableContentDocumentById',
  },
  'content',
)

export const changeRequestContent = contentEndpoints(
  basePathOf('/spaces/:spaceId/change-requests/:changeRequestId/content'),
  {
    revision: 'getRevisionOfChangeRequestById',
    pages: 'listPagesInChangeRequest',
    page: 'getPageInChangeRequestById',
    pageByPath: 'getPageInChangeRequestByPath',
    files: 'listFilesInChangeRequestById',
    file: 'getFileInChangeRequestById',
    pageDocument: 'getPageDocumentInChangeRequestById',
    reusableContent: 'getReusableContentInChangeRequestById',
    reusableContentDocument: 'getReusableContentDocumentInChangeRequestById',
  },
  'content',
)

export const revisionContent = contentEndpoints(
  basePathOf('/spaces/:spaceId/revisions/:revisionId'),
  {
    revision: 'getRevisionById',
    pages: 'listPagesInRevisionById',
    page: 'getPageInRevisionById',
    pageByPath: 'getPageInRevisionByPath',
    files: 'listFilesInRevisionById',
    file: 'getFileInRevisionById',
    pageDocument: 'getPageDocumentInRevisionById',
    reusableContent: 'getReusableContentInRevisionById',
    reusableContentDocument: 'getReusableContentDocumentInRevisionById',
  },
  'revisions',
)

export const getDocument = endpoint('getDocumentById', 'GET', '/spaces/:spaceId/documents/:documentId', {
  summary: 'A document by the id that a page or a reusable content of the space gives, or gave',
  tag: 'content',
  readers: true,
  query: DocumentQuery,
  reply: Document,
  large: true,
})
