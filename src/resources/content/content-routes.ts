/**
 * Routes that read content, mounted at a space, a change request and a revision. The handlers receive
 * the content and do not know which of the three it came from.
 */
import type { FileId, PageId } from '../../core/ids.js'
import { findFile, findPage, findPageByPath, listReusableContents } from '../../core/pages/read.js'
import type { SpaceAction } from '../../access/rules/levels.js'
import { etagOf } from '../../access/http/conditional-requests.js'
import { type CachedJson, type RouteResponse, withEtag } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import { urlViewerOf } from '../../access/signin/actor.js'
import { type Scope, subresourceScope, withLoaded } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import type { ContentEndpoints } from '../../contract/content.js'
import { writeDocument } from './document.js'
import { presentFile, presentReusableContent } from './present.js'
import { listContentFiles, listContentTexts } from './files.js'
import { isTreePart, readPageFields, writePages, writeTreePart } from './page-list.js'
import { writePage } from './page.js'
import { writePageText } from './page-text.js'
import type { FindMergedChangeRequests } from './revision-list.js'
import { writeRevision } from './revision.js'
import { type ContentContext, asWritten, expandForRequest } from './content.js'
import { visibilityFilterOf } from './visibility.js'
import { isFileVisible } from './file-visibility.js'
import type { FileRecord, PageRecord } from '../../core/pages/types.js'
import { trimBothOf } from '../../core/trim.js'

/** Returns the page when it is visible to the reader. */
async function visiblePage(
  content: ContentContext,
  page: PageRecord | undefined,
): Promise<PageRecord | undefined> {
  if (page === undefined) return undefined
  const filter = await visibilityFilterOf(content)
  return filter === undefined || (await filter.isVisibleInTree(content, page)) ? page : undefined
}

/** Returns the id of a page that is visible to the reader; throws 404 for any other. */
async function getVisiblePage(content: ContentContext, id: string): Promise<PageId> {
  const page = await visiblePage(
    content,
    await content.run(findPage(content.revision.snapshot, id as PageId)),
  )
  if (page === undefined) throw new ApiError('not_found', { thing: 'page' })
  return page.id
}

/** Returns the file when it is visible to the reader. */
async function visibleFile(
  content: ContentContext,
  file: FileRecord | undefined,
): Promise<FileRecord | undefined> {
  if (file === undefined) return undefined
  const filter = await visibilityFilterOf(content)
  return filter === undefined || (await isFileVisible(filter, content, file)) ? file : undefined
}

/** Returns the content in the requested form: with computed pages, or as written. */
function inRequestedForm(
  content: ContentContext,
  { computed }: { readonly computed?: boolean },
): ContentContext {
  return computed === false ? asWritten(content) : content
}

/** Returns the page in the requested form of the content; throws 404 for a generated page when it is requested as written. */
async function pageInRequestedForm(
  content: ContentContext,
  { id }: PageRecord,
  query: { readonly computed?: boolean },
): Promise<{ readonly content: ContentContext; readonly page: PageRecord }> {
  const requested = inRequestedForm(content, query)
  const page = await requested.run(findPage(requested.revision.snapshot, id))
  if (page === undefined) throw new ApiError('not_found', { thing: 'page' })
  return { content: requested, page }
}

/** The content with its computed pages. */
function expanded<Params extends string, Things extends { content: ContentContext }, Action extends string>(
  scope: Scope<Params, Things, Action>,
) {
  return withLoaded(scope, 'content', (request, { content }) => expandForRequest(request, content))
}

/** A page of the content, which its caller may read. */
export function inPageOf<
  Params extends string,
  Things extends { content: ContentContext },
  Action extends string,
>(scope: Scope<Params, Things, Action>) {
  return subresourceScope(expanded(scope), 'pageId', {
    key: 'page',
    noun: 'page',
    find: async (_request, id, { content }) =>
      visiblePage(content, await content.run(findPage(content.revision.snapshot, id as PageId))),
  })
}

/** Adds the revision as entity tag, which a later write names as its base, in `If-Match`. */
function withRevisionTag({ revision }: ContentContext, response: RouteResponse<CachedJson>): RouteResponse {
  return withEtag(response, etagOf(revision.id))
}

export function contentRoutes<Params extends string, Things extends { content: ContentContext }>(
  endpoints: ContentEndpoints<Params>,
  scope: Scope<NoInfer<Params>, Things, SpaceAction>,
  findMerged: FindMergedChangeRequests,
): Route[] {
  const at = expanded(scope)
  const inPage = inPageOf(scope)
  const inPath = subresourceScope(at, 'pagePath', {
    key: 'page',
    noun: 'page',
    find: async (_request, path, { content }) =>
      visiblePage(
        content,
        await content.run(findPageByPath(content.revision.snapshot, trimBothOf(path, '/'))),
      ),
  })
  const inFile = subresourceScope(at, 'fileId', {
    key: 'file',
    noun: 'file',
    find: async (_request, id, { content }) =>
      visibleFile(content, await content.run(findFile(content.revision.snapshot, id as FileId))),
  })
  const inDocument = subresourceScope(inPage, 'pageId', {
    key: 'documentSource',
    noun: 'document',
    // Only document pages have a text; one that was never edited is empty.
    find: async (_request, _id, { page }) =>
      page.type === 'document' ? { text: page.text, page, file: page.file } : undefined,
  })
  const inReusableContent = subresourceScope(at, 'reusableContentId', {
    key: 'reusable',
    noun: 'reusable content',
    find: async (_request, id, { content }) =>
      (await content.run(listReusableContents(content.revision.snapshot))).find((one) => one.id === id),
  })

  return [
    route(endpoints.revision, {
      at,
      allow: 'view',
      handle: async (request) => {
        const { content, query, services, actor, now } = request
        const requested = inRequestedForm(content, query)
        const response = await writeRevision(requested, {
          // A getter: for readers of a site no rows are read.
          get db() {
            return request.db
          },
          services,
          urlViewer: urlViewerOf(actor, now),
          findMerged,
        })
        return withRevisionTag(requested, response)
      },
    }),
    route(endpoints.pages, {
      at,
      allow: 'view',
      handle: async ({ content, query, services }) => {
        const requested = inRequestedForm(content, query)
        if (!isTreePart(query)) return withRevisionTag(requested, await writePages(requested, services))
        const fields = readPageFields(query.fields)
        const parent = query.below === undefined ? null : await getVisiblePage(requested, query.below)
        return writeTreePart(requested, { parent, depth: query.depth, fields }, services)
      },
    }),
    route(endpoints.page, {
      at: inPage,
      allow: 'view',
      handle: async ({ content, page, query, services }) => {
        const requested = await pageInRequestedForm(content, page, query)
        const response = await writePage(requested.content, requested.page, query, services)
        return withRevisionTag(requested.content, response)
      },
    }),
    route(endpoints.pageByPath, {
      at: inPath,
      allow: 'view',
      handle: async ({ content, page, query, services }) => {
        const requested = await pageInRequestedForm(content, page, query)
        const response = await writePage(requested.content, requested.page, query, services)
        return withRevisionTag(requested.content, response)
      },
    }),
    route(endpoints.pageDocument, {
      at: inDocument,
      allow: 'view',
      handle: async ({ content, documentSource, query, services }) =>
        withRevisionTag(content, await writeDocument(content, documentSource, query, services)),
    }),
    route(endpoints.pageText, {
      at: inDocument,
      allow: 'view',
      handle: ({ content, documentSource, services }) => writePageText(content, documentSource, services),
    }),
    route(endpoints.reusableContents, {
      at,
      allow: 'view',
      handle: ({ content, query, services }) => listContentTexts(content, query, services),
    }),
    route(endpoints.reusableContentText, {
      at: inReusableContent,
      allow: 'view',
      handle: ({ content, reusable: { text, path }, services }) =>
        writePageText(content, { text, page: null, file: path }, services),
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
        listContentFiles(content, query, services, urlViewerOf(actor, now)),
    }),
    route(endpoints.file, {
      at: inFile,
      allow: 'view',
      handle: async ({ content, file, services, actor, now }) =>
        presentFile(services.addresses, file, content, urlViewerOf(actor, now)),
    }),
  ]
}
