/**
 * Content: read endpoints for revisions, pages and files, below three base paths: a space, a change request, a
 * revision. Shapes and query members are the same below each.
 */
import Type, { type Static } from 'typebox'
import { type BasePath, endpoint, endpointAt, basePathOf } from './endpoint.js'
import { File, Git, Page, Tag, pageFields, requiredPageFields } from './pages.js'
import { PageText } from './page-text.js'
import { revisionMembers } from './revisions.js'
import { limits } from './limits.js'
import { IdentifierOf, ListOf, QueryFlag, Words, listQueryWith, shape } from './shapes.js'
import type { TagName } from './tags.js'

export const formats = ['markdown', 'document'] as const
export type Format = (typeof formats)[number]

export const ReusableContent = shape(
  'ReusableContent',
  Type.Object({
    id: Type.String(),
    title: Type.String(),
    path: Type.Optional(
      Type.String({ description: 'Where an export writes it; the includes of pages lead there.' }),
    ),
    document: Type.Optional(Type.String({ description: 'Id of its document; absent where it is empty.' })),
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
  metadata: QueryFlag({ default: true, description: 'False omits `git`.' }),
  computed: QueryFlag({
    default: true,
    description: 'False returns computed pages without the pages generated from them.',
  }),
}
const ContentQuery = Type.Object(readMembers)
/** Format of documents in the reply. */
const form = {
  evaluated: Type.Optional(
    Words(['true', 'false', 'deterministic-only'], {
      description:
        '"true" evaluates conditions and expressions for the caller; "deterministic-only" evaluates those that do not depend on the visitor.',
    }),
  ),
  dereferenced: Type.Optional(
    Words(['true', 'false', 'reusable-contents'], {
      description:
        '"true" and "reusable-contents" include the blocks of reusable contents where they are embedded.',
    }),
  ),
}
export type DocumentForm = Partial<Static<Type.TObject<typeof form>>>
const PageQuery = Type.Object({
  ...readMembers,
  format: Type.Optional(Words(formats, { description: 'The format of the text; both when absent.' })),
  ...form,
})
const DocumentQuery = Type.Object({
  ...form,
  schema: Type.Optional(
    Words(['current', 'next'], {
      description: 'Version of the document format; the response is the same for both.',
    }),
  ),
  spans: QueryFlag({
    default: false,
    description:
      'True adds `span` to the nodes of blocks: the range of their source in the text, in UTF-16 units.',
  }),
})
export type DocumentOptions = Static<typeof DocumentQuery>

/** A part of the page tree: which members of which pages. */
const PagesQuery = Type.Object({
  ...readMembers,
  fields: Type.Optional(
    Type.String({
      maxLength: 400,
      description: `Members of the pages in the reply, with commas in between: ${pageFields.map((name) => `\`${name}\``).join(', ')}. Always there: ${requiredPageFields.map((name) => `\`${name}\``).join(', ')}. All when absent.`,
    }),
  ),
  depth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.pathFolders,
      description:
        'Levels of the tree in the reply. The pages of the last one have `childCount` instead of `pages`. All levels when absent.',
    }),
  ),
  below: Type.Optional(IdentifierOf('the page whose subpages are returned; the top level when absent')),
})
export type PagesQuery = Static<typeof PagesQuery>

const PageTree = Type.Object({ pages: Type.Array(Page) })
const FilesQuery = listQueryWith(readMembers)

interface ContentNames {
  revision: string
  pages: string
  page: string
  pageByPath: string
  pageDocument: string
  pageText: string
  files: string
  file: string
  reusableContents: string
  reusableContent: string
  reusableContentDocument: string
  reusableContentText: string
}

/** The content endpoints below a base path with these parameters. */
export type ContentEndpoints<Params extends string> = ReturnType<typeof contentEndpoints<Params>>

function contentEndpoints<Params extends string>(
  place: BasePath<Params>,
  names: ContentNames,
  { tag, noun }: { readonly tag: TagName; readonly noun: 'space' | 'change request' | 'revision' },
) {
  return {
    revision: endpointAt(place, names.revision, 'GET', '', {
      summary: noun === 'revision' ? 'Get a revision' : `Get the current revision of a ${noun}`,
      description:
        'Returns a revision with its pages, files, tags and reusable contents, without their texts.',
      tag,
      readers: true,
      query: ContentQuery,
      reply: Revision,
      revisionTag: true,
      large: true,
    }),
    pages: endpointAt(place, names.pages, 'GET', '/pages', {
      summary: `List the pages of a ${noun}`,
      description:
        'Returns the page tree, without the texts of the pages. With `fields`, `depth` or `below` a part of it: such a reply is compressed, and its `ETag` changes with the reply, so that `If-None-Match` gets 304 while the tree is the same.',
      tag,
      readers: true,
      query: PagesQuery,
      reply: PageTree,
      revisionTag: true,
      large: true,
    }),
    page: endpointAt(place, names.page, 'GET', '/page/:pageId', {
      summary: `Get a page of a ${noun}`,
      description: 'Returns a page by its id, with its text as Markdown, as a document, or as both.',
      tag,
      readers: true,
      query: PageQuery,
      reply: Page,
      revisionTag: true,
      large: true,
    }),
    pageByPath: endpointAt(place, names.pageByPath, 'GET', '/path/:pagePath', {
      summary: `Get a page of a ${noun} by its path`,
      description: 'Returns a page by its path, with its text. Slashes in the path may be written as `%2F`.',
      tag,
      readers: true,
      query: PageQuery,
      reply: Page,
      revisionTag: true,
      large: true,
    }),
    pageDocument: endpointAt(place, names.pageDocument, 'GET', '/page/:pageId/document', {
      summary: `Get the document of a page of a ${noun}`,
      description: 'Returns the text of a page as a tree of blocks.',
      tag,
      readers: true,
      query: DocumentQuery,
      reply: Document,
      revisionTag: true,
      large: true,
    }),
    pageText: endpointAt(place, names.pageText, 'GET', '/page/:pageId/text', {
      summary: `Get the text of a page of a ${noun}`,
      description:
        'Returns the Markdown of a page with its hash, and its blocks with their positions in it, for editors.',
      tag,
      reply: PageText,
      large: true,
    }),
    files: endpointAt(place, names.files, 'GET', '/files', {
      summary: `List the files of a ${noun}`,
      description: 'Returns the files, such as images.',
      tag,
      readers: true,
      query: FilesQuery,
      reply: ListOf(File),
    }),
    file: endpointAt(place, names.file, 'GET', '/files/:fileId', {
      summary: `Get a file of a ${noun}`,
      description: 'Returns a file with the address of its bytes.',
      tag,
      readers: true,
      query: ContentQuery,
      reply: File,
    }),
    reusableContents: endpointAt(place, names.reusableContents, 'GET', '/reusable-contents', {
      summary: `List the reusable contents of a ${noun}`,
      description: 'Returns the reusable contents in the order of their paths, without their texts.',
      tag,
      readers: true,
      query: FilesQuery,
      reply: ListOf(ReusableContent),
    }),
    reusableContent: endpointAt(
      place,
      names.reusableContent,
      'GET',
      '/reusable-contents/:reusableContentId',
      {
        summary: `Get a reusable content of a ${noun}`,
        description: 'Returns a reusable content, without its text.',
        tag,
        readers: true,
        query: ContentQuery,
        reply: ReusableContent,
      },
    ),
    reusableContentDocument: endpointAt(
      place,
      names.reusableContentDocument,
      'GET',
      '/reusable-contents/:reusableContentId/document',
      {
        summary: `Get the document of a reusable content of a ${noun}`,
        description: 'Returns the text of a reusable content as a tree of blocks.',
        tag,
        readers: true,
        query: DocumentQuery,
        reply: Document,
        large: true,
      },
    ),
    reusableContentText: endpointAt(
      place,
      names.reusableContentText,
      'GET',
      '/reusable-contents/:reusableContentId/text',
      {
        summary: `Get the text of a reusable content of a ${noun}`,
        description:
          'Returns the Markdown of a reusable content with its hash, and its blocks with their positions in it, for editors.',
        tag,
        reply: PageText,
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
    pageText: 'getPageTextById',
    reusableContents: 'listReusableContents',
    reusableContent: 'getReusableContentById',
    reusableContentDocument: 'getReusableContentDocumentById',
    reusableContentText: 'getReusableContentTextById',
  },
  { tag: 'Content', noun: 'space' },
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
    pageText: 'getPageTextInChangeRequestById',
    reusableContents: 'listReusableContentsInChangeRequest',
    reusableContent: 'getReusableContentInChangeRequestById',
    reusableContentDocument: 'getReusableContentDocumentInChangeRequestById',
    reusableContentText: 'getReusableContentTextInChangeRequestById',
  },
  { tag: 'Content', noun: 'change request' },
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
    pageText: 'getPageTextInRevisionById',
    reusableContents: 'listReusableContentsInRevision',
    reusableContent: 'getReusableContentInRevisionById',
    reusableContentDocument: 'getReusableContentDocumentInRevisionById',
    reusableContentText: 'getReusableContentTextInRevisionById',
  },
  { tag: 'Revisions', noun: 'revision' },
)

export const getDocument = endpoint('getDocumentById', 'GET', '/spaces/:spaceId/documents/:documentId', {
  summary: 'Get a document',
  description: 'Returns a document by an id that a page or reusable content of the space has, or had.',
  tag: 'Content',
  readers: true,
  query: DocumentQuery,
  reply: Document,
  large: true,
})
