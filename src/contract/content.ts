/**
 * Content: revisions, pages and files, as they are seen at three doors: a space, a change request,
 * a revision. The shapes and query members are the same behind each.
 */
import Type, { type Static } from 'typebox'
import { type Place, endpointBelow, placeOf } from './endpoint.js'
import { File, Git, Page, Tag } from './pages.js'
import { revisionMembers } from './revisions.js'
import { ListOf, QueryFlag, Words, listQueryWith, shape } from './shapes.js'

export const formats = ['markdown', 'document'] as const
export type Format = (typeof formats)[number]

export const Revision = shape(
  'Revision',
  Type.Object({
    ...revisionMembers,
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
