/**
 * Reading content, mounted at three doors: the space, a change request, a revision. The handlers
 * receive the content and do not know which door led to it.
 */
import type { FileId, PageId } from '../../core/ids.js'
import { findFile, findPage, findPageByPath, listReusableContents } from '../../core/pages/read.js'
import type { SpaceAction } from '../../access/rules/levels.js'
import { type Route, route } from '../../access/route/route.js'
import { askerOf } from '../../access/signin/actor.js'
import { type Scope, within, withMore } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import type { ContentEndpoints } from '../../contract/content.js'
import { writeDocument } from './document.js'
import { presentFile, presentReusableContent } from './present.js'
import { listFilesOf } from './files.js'
import { writePages } from './page-list.js'
import { writePage } from './page.js'
import type { FindMerged } from './revision-list.js'
import { writeRevision } from './revision.js'
import type { ContentHere } from './content.js'
import { openingOf } from './visibility.js'
import { isFileOpen } from './open-files.js'
import { showContent } from './show-content.js'
import type { FileRecord, PageRecord } from '../../core/pages/types.js'
import { trimBothOf } from '../../core/trim.js'

/** Returns the page where it is shown to whoever asks. */
async function openPage(content: ContentHere, page: PageRecord | undefined): Promise<PageRecord | undefined> {
  if (page === undefined) return undefined
  const opening = await openingOf(content)
  return opening === undefined || (await opening.isReachable(content, page)) ? page : undefined
}

/** The same of a file. */
async function openFile(content: ContentHere, file: FileRecord | undefined): Promise<FileRecord | undefined> {
  if (file === undefined) return undefined
  const opening = await openingOf(content)
  return opening === undefined || (await isFileOpen(opening, content, file)) ? file : undefined
}

/** Returns the content as it is asked for: with computed pages, or as it was written. */
function wanted(content: ContentHere, { computed }: { readonly computed?: boolean }): ContentHere {
  return computed === false ? (content.written ?? content) : content
}

/** Returns the page in the content as it is asked for; throws 404 where it is only made. */
async function wantedPage(
  content: ContentHere,
  { id }: PageRecord,
  query: { readonly computed?: boolean },
): Promise<{ readonly content: ContentHere; readonly page: PageRecord }> {
  const here = wanted(content, query)
  const page = await here.run(findPage(here.revision.snapshot, id))
  if (page === undefined) throw new ApiError('not_found', { thing: 'page' })
  return { content: here, page }
}

export function contentAt<Params extends string, Things extends { content: ContentHere }>(
  endpoints: ContentEndpoints<Params>,
  door: Scope<NoInfer<Params>, Things, SpaceAction>,
  findMerged: FindMerged,
): Route[] {
  const at = withMore(door, 'content', (request, { content }) => showContent(request, content))
  const inPage = within(at, 'pageId', {
    key: 'page',
    thing: 'page',
    find: async (_request, id, { content }) =>
      openPage(content, await content.run(findPage(content.revision.snapshot, id as PageId))),
  })
  const inPath = within(at, 'pagePath', {
    key: 'page',
    thing: 'page',
    find: async (_request, path, { content }) =>
      openPage(content, await content.run(findPageByPath(content.revision.snapshot, trimBothOf(path, '/')))),
  })
  const inFile = within(at, 'fileId', {
    key: 'file',
    thing: 'file',
    find: async (_request, id, { content }) =>
      openFile(content, await content.run(findFile(content.revision.snapshot, id as FileId))),
  })
  const inDocument = within(inPage, 'pageId', {
    key: 'held',
    thing: 'document',
    // Other pages have no text; one that nobody wrote in yet is empty.
    find: async (_request, _id, { page }) =>
      page.type === 'document' ? { text: page.text, page, file: page.file } : undefined,
  })
  const inReusableContent = within(at, 'reusableContentId', {
    key: 'reusable',
    thing: 'reusable content',
    find: async (_request, id, { content }) =>
      (await content.run(listReusableContents(content.revision.snapshot))).find((one) => one.id === id),
  })

  return [
    route(endpoints.revision, {
      at,
      allow: 'view',
      handle: (request) => {
        const { content, query, services, actor, now } = request
        return writeRevision(wanted(content, query), {
          // Readers are told nothing that rows are asked for.
          get db() {
            return request.db
          },
          services,
          asker: askerOf(actor, now),
          findMerged,
        })
      },
    }),
    route(endpoints.pages, {
      at,
      allow: 'view',
      handle: ({ content, query, services }) => writePages(wanted(content, query), services),
    }),
    route(endpoints.page, {
      at: inPage,
      allow: 'view',
      handle: async ({ content, page, query, services }) => {
        const here = await wantedPage(content, page, query)
        return writePage(here.content, here.page, query, services)
      },
    }),
    route(endpoints.pageByPath, {
      at: inPath,
      allow: 'view',
      handle: async ({ content, page, query, services }) => {
        const here = await wantedPage(content, page, query)
        return writePage(here.content, here.page, query, services)
      },
    }),
    route(endpoints.pageDocument, {
      at: inDocument,
      allow: 'view',
      handle: ({ content, held, query, services }) => writeDocument(content, held, query, services),
    }),
    route(endpoints.reusableContent, {
      at: inReusableContent,
      allow: 'view',
      handle: async ({ content: { spaceId }, reusable, services: { addresses } }) =>
        presentReusableContent(reusable, { addresses, spaceId }),
    }),
    route(endpoints.reusableContentDocument, {
      at: inReusableContent,
      allow: 'view',
      handle: ({ content, reusable: { text, path }, query, services }) =>
        writeDocument(content, { text, page: null, file: path }, query, services),
    }),
    route(endpoints.files, {
      at,
      allow: 'view',
      handle: ({ content, query, services, actor, now }) =>
        listFilesOf(content, query, services, askerOf(actor, now)),
    }),
    route(endpoints.file, {
      at: inFile,
      allow: 'view',
      handle: async ({ content, file, services, actor, now }) =>
        presentFile(services.addresses, file, content, askerOf(actor, now)),
    }),
  ]
}
