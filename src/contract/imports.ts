/** Imports of file trees into spaces, and exports of them. */
import Type, { type Static } from 'typebox'
import { problemKinds } from '../core/pages/import-problems.js'
import { type BasePath, endpoint, endpointAt, basePathOf } from './endpoint.js'
import { limits } from './limits.js'
import { ListOf, ListQuery, Timestamp, Url, Words, shape } from './shapes.js'

const ImportProblem = Type.Object({
  kind: Words(problemKinds),
  path: Type.String({ description: 'Path of the file from the root of the tree.' }),
  line: Type.Optional(Type.Integer({ description: 'Number of the line, from 1.' })),
  message: Type.String(),
})

/** What becomes of content that the source does not have. */
export const importModes = ['update', 'replace'] as const
export const importChangeTypes = ['removed', 'changed', 'added'] as const

export const ImportResult = shape(
  'ImportResult',
  Type.Object({
    revision: Type.String(),
    importedResources: Type.Integer({ description: 'Number of imported pages and files.' }),
    totalResources: Type.Integer({ description: 'The same, with unlisted and omitted files.' }),
    pages: Type.Integer({ description: 'Number of pages with text.' }),
    files: Type.Integer({ description: 'Number of images and other files, including reusable contents.' }),
    unlisted: Type.Integer({
      description: 'Number of Markdown files that were imported without becoming pages.',
    }),
    leftOut: Type.Integer({ description: 'Number of files and folders that were not imported.' }),
    language: Type.Optional(Type.String({ description: 'Detected language of the texts.' })),
    mode: Words(importModes),
    added: Type.Integer({ description: 'Number of pages, files and other texts that were added.' }),
    changed: Type.Integer({ description: 'Number of pages, files and other texts that were changed.' }),
    removed: Type.Integer({
      description: 'Number of pages, files and other texts that were removed; 0 with the mode "update".',
    }),
    changes: Type.Array(
      Type.Object({
        type: Words(importChangeTypes),
        page: Type.Optional(Type.String({ description: 'Id of a page.' })),
        path: Type.String({
          description: 'Path of a page, URL of a link, or path of a file from the root of the tree.',
        }),
      }),
      { description: 'The same one by one, removals first; at most 1,000.' },
    ),
    problemCount: Type.Integer(),
    problems: Type.Array(ImportProblem, {
      description: 'Problems that an author should look at, most severe first; at most 10,000.',
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
    url: Type.String({ description: 'The address; of an uploaded file `upload:` and its name.' }),
    space: Type.String(),
    changeRequest: Type.Optional(Type.String()),
    page: Type.Optional(Type.String({ description: 'Id of the page to import below.' })),
    startedBy: Type.String({ description: 'Id of the user who started it.' }),
    startedAt: Timestamp,
    completedAt: Type.Optional(Timestamp),
    progress: Type.Object({
      stage: Words(['fetching', 'placing'] as const),
      done: Type.Integer({ description: 'Number of addresses or files that were processed.' }),
      found: Type.Integer({ description: 'Number of addresses or files found so far.' }),
    }),
    revision: Type.Optional(Type.String({ description: 'The revision that was created.' })),
    result: Type.Optional(ImportResult),
    error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
    urls: Type.Object({ location: Type.String() }),
  }),
)
export type ImportRun = Static<typeof ImportRun>

export const listImportRuns = endpoint('listImportRuns', 'GET', '/spaces/:spaceId/imports', {
  summary: 'List imports',
  description:
    'Returns the imports of files and addresses into the space and its change requests, latest first.',
  tag: 'Content',
  query: ListQuery,
  reply: ListOf(ImportRun),
})

export const getImportRun = endpoint('getImportRun', 'GET', '/spaces/:spaceId/imports/:importRunId', {
  summary: 'Get an import',
  description: 'Returns the progress of an import, or its result.',
  tag: 'Content',
  reply: ImportRun,
})

export const cancelImportRun = endpoint(
  'cancelImportRun',
  'POST',
  '/spaces/:spaceId/imports/:importRunId/cancel',
  {
    summary: 'Cancel an import',
    description: 'Stops an import. Nothing of it becomes visible.',
    tag: 'Content',
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

/** Sources that are files; a website is read page by page instead. */
export type ImportFileSource = Exclude<ImportSource, 'website'>
export const importFileSources = importSources.filter((source) => source !== 'website')

export const importSplits = ['headings', 'none'] as const
export type ImportSplit = (typeof importSplits)[number]

const mode = Type.Optional(
  Words(importModes, {
    default: 'update',
    description:
      'What becomes of content that the source does not have: "update" leaves it as it is, "replace" removes it.',
  }),
)

const split = Type.Optional(
  Words(importSplits, {
    description:
      'For Word documents: "headings", the default, creates a page for each top-level heading where there are several; "none" creates one page.',
  }),
)

const whenAccepted = `An import that takes longer than ${limits.importSeconds} seconds is answered 202 and continues.`

/** The import endpoints below a base path with these parameters. */
export type ImportEndpoints<Params extends string> = ReturnType<typeof importEndpoints<Params>>

function importEndpoints<Params extends string>(
  place: BasePath<Params>,
  names: { readonly whole: string; readonly below: string },
  noun: string,
) {
  const source = {
    url: Url,
    source: Words(importSources),
    split,
  }
  const declared = {
    tag: 'Content',
    reply: ImportResult,
    success: 201,
    accepted: ImportRun,
    preferences: ['respond-async', 'wait'],
    location: '/spaces/:spaceId/revisions/:revision',
  } as const
  return {
    whole: endpointAt(place, names.whole, 'POST', '/import', {
      ...declared,
      body: Type.Object({ ...source, mode }),
      summary: `Import content into a ${noun}`,
      description: `Imports from an address. Of a site or an archive, pages at the same path are updated, and those that an import brought and that were moved; others are added. A single document becomes a page, and updates it when the address is imported again. With the mode "replace" the content is that of the source. ${whenAccepted}`,
    }),
    below: endpointAt(place, names.below, 'POST', '/page/:pageId/import', {
      ...declared,
      body: Type.Object({
        ...source,
        mode: Type.Optional(Words(['update'], { description: 'Below a page nothing is replaced.' })),
      }),
      summary: `Import content below a page of a ${noun}`,
      description: `Imports from an address below a page. The other content stays as it is. ${whenAccepted}`,
    }),
  }
}

export const spaceImports = importEndpoints(
  basePathOf('/spaces/:spaceId/content'),
  { whole: 'importContentInSpace', below: 'importContentInPageById' },
  'space',
)

export const changeRequestImports = importEndpoints(
  basePathOf('/spaces/:spaceId/change-requests/:changeRequestId/content'),
  { whole: 'importContentInChangeRequest', below: 'importContentInChangeRequestPageById' },
  'change request',
)

/** The endpoint that imports an uploaded file below a base path with these parameters. */
export type ArchiveImportEndpoint<Params extends string> = ReturnType<typeof archiveImportEndpoint<Params>>

function archiveImportEndpoint<Params extends string>(place: BasePath<Params>, name: string, noun: string) {
  return endpointAt(place, name, 'POST', '/archive', {
    summary: `Import a file into a ${noun}`,
    description: `Imports a file, sent as the body or as multipart/form-data: a zip of Markdown, or what \`source\` names. Of an archive, pages at the same path are updated and others are added. A single document becomes a page, and updates it when a file of this name is imported again. With \`mode\` "replace" the content is that of the file. ${whenAccepted}`,
    tag: 'Content',
    upload: true,
    query: Type.Object({
      mode,
      source: Type.Optional(
        Words(importFileSources, {
          default: 'zip',
          description: 'Format of the file; "zip" is one of Markdown.',
        }),
      ),
      split,
    }),
    reply: ImportResult,
    success: 201,
    accepted: ImportRun,
    preferences: ['respond-async', 'wait'],
    location: '/spaces/:spaceId/revisions/:revision',
  })
}

export const importSpaceArchive = archiveImportEndpoint(
  basePathOf('/spaces/:spaceId/content'),
  'importArchiveInSpace',
  'space',
)

export const importChangeRequestArchive = archiveImportEndpoint(
  basePathOf('/spaces/:spaceId/change-requests/:changeRequestId/content'),
  'importArchiveInChangeRequest',
  'change request',
)

export const exportSpaceArchive = endpoint(
  'exportArchiveOfSpace',
  'GET',
  '/spaces/:spaceId/content/archive',
  {
    summary: 'Export an archive',
    description:
      'Returns the content of a space as a zip archive. Each file has the bytes that were imported or edited.',
    tag: 'Content',
    bytes: 'application/zip',
  },
)
