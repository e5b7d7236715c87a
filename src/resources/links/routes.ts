/** Routes of links, backlinks and checks of texts, of a space and of a change request. */
import type { FileId, PageId } from '../../core/ids.js'
import { findFile, findPage, listReusableContents } from '../../core/pages/read.js'
import type { SpaceAction } from '../../access/rules/levels.js'
import type { RequestContext } from '../../access/route/request-context.js'
import { type Route, route } from '../../access/route/route.js'
import { type Scope, subresourceScope, withLoaded } from '../../access/route/scope.js'
import * as operations from '../../contract/links.js'
import type { LinkEndpoints, UsingSite } from '../../contract/links.js'
import { checkChangeRequestText, checkSpaceText } from '../../contract/text-check.js'
import type { Endpoint } from '../../contract/endpoint.js'
import type { Db } from '../../store/db/database.js'
import { inChangeRequestContent } from '../change-requests/scope.js'
import { showChangeRequests } from '../change-requests/show.js'
import type { ChangeRequestRow } from '../change-requests/store.js'
import {
  type ContentContext,
  contentAtRevision,
  expandContent,
  expandForRequest,
} from '../content/content.js'
import { listUsingSites } from '../content/site-uses.js'
import { type SpaceContext, inSpaceContent } from '../spaces/scope.js'
import { headOf } from '../spaces/store.js'
import { prepareTextCheck } from './check-text.js'
import { type BacklinkList, listBacklinks } from './backlinks.js'
import type { LinkRequestContext } from './cross-space-links.js'
import { listLinks, listLinksOfPage } from './list.js'
import type { LinkedContent } from './show.js'

interface LinksContext {
  readonly space: SpaceContext
  readonly content: ContentContext
  /** Set when the content is a change request's. */
  readonly changeRequest?: ChangeRequestRow
}

type LinksRequest = LinksContext &
  Pick<RequestContext<Endpoint>, 'actor' | 'now' | 'services'> & { readonly db: Db }

function linksAt<Params extends string, Things extends LinksContext>(
  endpoints: LinkEndpoints<Params>,
  at: Scope<NoInfer<Params>, Things, SpaceAction>,
): Route[] {
  // Pages computed from specifications have links, and are linked, like any other.
  const inExpanded = withLoaded(at, 'content', (request, { content }) => expandForRequest(request, content))
  const inPage = subresourceScope(inExpanded, 'pageId', {
    key: 'page',
    noun: 'page',
    find: (_request, id, { content }) => content.run(findPage(content.revision.snapshot, id as PageId)),
  })
  const inFile = subresourceScope(at, 'fileId', {
    key: 'file',
    noun: 'file',
    find: (_request, id, { content }) => content.run(findFile(content.revision.snapshot, id as FileId)),
  })
  const inReusableContent = subresourceScope(at, 'reusableContentId', {
    key: 'reusableContent',
    noun: 'reusable content',
    find: async (_request, id, { content }) =>
      (await content.run(listReusableContents(content.revision.snapshot))).find((one) => one.id === id),
  })
  return [
    route(endpoints.ofPage, {
      at: inPage,
      allow: 'view',
      handle: async (request) => {
        const { query, page } = request
        return listLinksOfPage(
          linkRequestContextOf(request),
          await linkedContentOf(request),
          page.id,
          query,
          await expandedBaseOf(request),
        )
      },
    }),
    route(endpoints.toPage, {
      at: inPage,
      allow: 'view',
      handle: async (request) => {
        const { query, page } = request
        return withSites(
          request,
          page.id,
          await listBacklinks(linkRequestContextOf(request), await linkedContentOf(request), { page }, query),
        )
      },
    }),
    route(endpoints.toFile, {
      at: inFile,
      allow: 'view',
      handle: async (request) => {
        const { query, file } = request
        return withSites(
          request,
          file.id,
          await listBacklinks(linkRequestContextOf(request), await linkedContentOf(request), { file }, query),
        )
      },
    }),
    route(endpoints.toReusableContent, {
      at: inReusableContent,
      allow: 'view',
      handle: async (request) => {
        const { query, reusableContent } = request
        const linked = { text: reusableContent.path }
        return listBacklinks(linkRequestContextOf(request), await linkedContentOf(request), linked, query)
      },
    }),
  ]
}

export const linkRoutes: readonly Route[] = [
  route(operations.listSpaceLinks, {
    at: inSpaceContent,
    allow: 'view',
    handle: async (request) =>
      listLinks(linkRequestContextOf(request), await linkedContentOf(request), request.query),
  }),
  ...linksAt(operations.spaceLinks, inSpaceContent),
  route(operations.listChangeRequestLinks, {
    at: inChangeRequestContent,
    allow: 'view',
    handle: async (request) =>
      listLinks(
        linkRequestContextOf(request),
        await linkedContentOf(request),
        request.query,
        await baseOf(request),
      ),
  }),
  ...linksAt(operations.changeRequestLinks, inChangeRequestContent),
  route(checkSpaceText, {
    at: inSpaceContent,
    allow: 'view',
    prepare: prepareTextCheck,
    respond: async ({ result }) => result,
  }),
  route(checkChangeRequestText, {
    at: inChangeRequestContent,
    allow: 'view',
    prepare: prepareTextCheck,
    respond: async ({ result }) => result,
  }),
]

/** Adds the sites that use a page or file. */
async function withSites(
  { db, actor, services: { addresses }, content: { organizationId } }: LinksRequest,
  id: PageId | FileId,
  list: BacklinkList,
): Promise<BacklinkList & { readonly sites: UsingSite[] }> {
  return { ...list, sites: await listUsingSites({ db, actor, organizationId, addresses }, id) }
}

function linkRequestContextOf({ db, services, actor, now }: LinksRequest): LinkRequestContext {
  return { db, services, actor, now }
}

async function linkedContentOf({
  db,
  services,
  space,
  content,
  changeRequest,
}: LinksRequest): Promise<LinkedContent> {
  if (changeRequest === undefined) return { space, content }
  const { addresses } = services
  const relations = { addresses, headOf: () => headOf(space.row) }
  const [presented] = await showChangeRequests(db, [changeRequest], relations)
  return { space, content, changeRequest: presented! }
}

/** Returns the base content of a change request: where it began, or what it last took in. */
async function baseOf({
  db,
  services,
  content,
  changeRequest,
}: LinksRequest): Promise<ContentContext | undefined> {
  return changeRequest && contentAtRevision(db, content, changeRequest.revision_merged_ancestor_id, services)
}

async function expandedBaseOf(request: LinksRequest): Promise<ContentContext | undefined> {
  const base = await baseOf(request)
  return base && expandContent(request, base)
}
