/** Imports of file trees into spaces, and exports of them. */
import Type, { type Static } from 'typebox'
import { problemKinds } from '../core/pages/import-problems.js'
import { type BasePath, endpoint, endpointAt, basePathOf } from './endpoint.js'
import { ListOf, ListQuery, Timestamp, Url, Words, shape } from './shapes.js'

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

export const importRunStatuses = ['in-progress', 'completed', 'failed', 'cancelled'] as const

export const ImportRun = shape(
  'ImportRun',
  Type.Object({
    object: Type.Literal('import-run'),
    id: Type.String(),
    status: Words(importRunStatuses),
    source: Type.String(),
    url: Type.String(),
    space: Type.String(),
    changeRequest: Type.Optional(Type.String()),
    page: Type.Optional(Type.String({ description: 'What it goes below.' })),
    startedBy: Type.String({ description: 'Id of a user.' }),
    startedAt: Timestamp,
    completedAt: Type.Optional(Timestamp),
    progress: Type.Object({
      stage: Words(['fetching', 'placing'] as const),
      done: Type.Integer({ description: 'Addresses or files that were looked at.' }),
      found: Type.Integer({ description: 'Those that are known so far.' }),
    }),
    revision: Type.Optional(Type.String({ description: 'That it made.' })),
    result: Type.Optional(ImportResult),
    error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
    urls: Type.Object({ location: Type.String() }),
  }),
)
export type ImportRun = Static<typeof ImportRun>

export const listImportRuns = endpoint('listImportRuns', 'GET', '/spaces/:spaceId/imports', {
  summary: 'Imports from an address into the space and its change requests, the latest first',
  tag: 'content',
  query: ListQuery,
  reply: ListOf(ImportRun),
})

export const getImportRun = endpoint('getImportRun', 'GET', '/spaces/:spaceId/imports/:importRunId', {
  summary: 'How far an import from an address is, or what came of it',
  tag: 'content',
  reply: ImportRun,
})

export const cancelImportRun = endpoint(
  'cancelImportRun',
  'POST',
  '/spaces/:spaceId/imports/:importRunId/cancel',
  {
    summary: 'End an import from an address; nothing of it will be seen',
    tag: 'content',
    reply: ImportRun,
  },
)

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
export type ImportSource = (typeof importSources)[number]

export const importSplits = ['headings', 'none'] as const
export type ImportSplit = (typeof importSplits)[number]

/** The import endpoints below a base path with these parameters. */
export type ImportEndpoints<Params extends string> = ReturnType<typeof importEndpoints<Params>>

function importEndpoints<Params extends string>(
  place: BasePath<Params>,
  names: { readonly whole: string; readonly below: string },
  tag: string,
) {
  const declared = {
    tag,
    body: Type.Object({
      url: Url,
      source: Words(importSources),
      split: Type.Optional(
        Words(importSplits, {
          description:
            'Of documents of Word: "headings" makes a page of each part below a heading of the first level, where there are several; it is the default. "none" makes one page.',
        }),
      ),
    }),
    reply: ImportResult,
    success: 201,
    accepted: ImportRun,
    location: '/spaces/:spaceId/revisions/:revision',
  } as const
  return {
    whole: endpointAt(place, names.whole, 'POST', '/import', {
      ...declared,
      summary: 'Import from an address: a tree replaces the content, a single text becomes one more page',
    }),
    below: endpointAt(place, names.below, 'POST', '/page/:pageId/import', {
      ...declared,
      summary: 'Import from an address below a page; everything else stays as it is',
    }),
  }
}

export const spaceImports = importEndpoints(
  basePathOf('/spaces/:spaceId/content'),
  { whole: 'importContentInSpace', below: 'importContentInPageById' },
  'content',
)

export const changeRequestImports = importEndpoints(
  basePathOf('/spaces/:spaceId/change-requests/:changeRequestId/content'),
  { whole: 'importContentInChangeRequest', below: 'importContentInChangeRequestPageById' },
  'content',
)

export const importSpaceArchive = endpoint(
  'importArchiveInSpace',
  'POST',
  '/spaces/:spaceId/content/archive',
  {
    summary: 'Replace the content by a zip of files, sent as the body or as multipart/form-data',
    tag: 'content',
    upload: true,
    reply: ImportResult,
    success: 201,
    location: '/spaces/:spaceId/revisions/:revision',
  },
)

export const exportSpaceArchive = endpoint(
  'exportArchiveOfSpace',
  'GET',
  '/spaces/:spaceId/content/archive',
  {
    summary: 'The content as a zip of files, each byte for byte as it was imported or edited',
    tag: 'content',
    bytes: 'application/zip',
  },
)
