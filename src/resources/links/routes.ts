/** Links and backlinks, of a space and of a change request. */
import type { FileId, PageId } from '../../core/ids.js'
import { findFile, findPage } from '../../core/pages/read.js'
import type { SpaceAction } from '../../access/rules/levels.js'
import { type Arrival, type Route, route } from '../../access/route/route.js'
import { type Scope, within } from '../../access/route/scope.js'
import * as operations from '../../contract/links.js'
import type { LinkEndpoints } from '../../contract/links.js'
import type { Endpoint } from '../../contract/endpoint.js'
import type { Db } from '../../store/db/database.js'
import { inChangeRequestContent } from '../change-requests/scope.js'
import { showChangeRequests } from '../change-requests/show.js'
import type { ChangeRequestRow } from '../change-requests/store.js'
import { type ContentHere, contentOfRevision } from '../content/content.js'
import { type SpaceHere, inSpaceContent } from '../spaces/scope.js'
import { headOf } from '../spaces/store.js'
import { listBacklinks } from './backlinks.js'
import type { Asking } from './elsewhere.js'
import { listLinks, listLinksOfPage } from './list.js'
import type { ShownPlace } from './show.js'

interface Here {
  readonly space: SpaceHere
  readonly content: ContentHere
  /** Where the content is a change request's. */
  readonly changeRequest?: ChangeRequestRow
}

type Request = Here & Pick<Arrival<Endpoint>, 'actor' | 'now' | 'services'> & { readonly db: Db }

function linksAt<Params extends string, Things extends Here>(
  endpoints: LinkEndpoints<Params>,
  at: Scope<NoInfer<Params>, Things, SpaceAction>,
): Route[] {
  const inPage = within(at, 'pageId', {
    key: 'page',
    thing: 'page',
    find: (_request, id, { content }) => content.run(findPage(content.revision.snapshot, id as PageId)),
  })
  const inFile = within(at, 'fileId', {
    key: 'file',
    thing: 'file',
    find: (_request, id, { content }) => content.run(findFile(content.revision.snapshot, id as FileId)),
  })
  return [
    route(endpoints.ofPage, {
      at: inPage,
      allow: 'view',
      handle: async (request) => {
        const { query, page } = request
        return listLinksOfPage(
          askingOf(request),
          await placeOf(request),
          page.id,
          query,
          await baseOf(request),
        )
      },
    }),
    route(endpoints.toPage, {
      at: inPage,
      allow: 'view',
      handle: async (request) => {
        const { query, page } = request
        return listBacklinks(askingOf(request), await placeOf(request), { page }, query)
      },
    }),
    route(endpoints.toFile, {
      at: inFile,
      allow: 'view',
      handle: async (request) => {
        const { query, file } = request
        return listBacklinks(askingOf(request), await placeOf(request), { file }, query)
      },
    }),
  ]
}

export const linkRoutes: readonly Route[] = [
  route(operations.listSpaceLinks, {
    at: inSpaceContent,
    allow: 'view',
    handle: async (request) => listLinks(askingOf(request), await placeOf(request), request.query),
  }),
  ...linksAt(operations.spaceLinks, inSpaceContent),
  route(operations.listChangeRequestLinks, {
    at: inChangeRequestContent,
    allow: 'view',
    handle: async (request) =>
      listLinks(askingOf(request), await placeOf(request), request.query, await baseOf(request)),
  }),
  ...linksAt(operations.changeRequestLinks, inChangeRequestContent),
]

function askingOf({ db, services, actor, now }: Request): Asking {
  return { db, services, actor, now }
}

async function placeOf({ db, services, space, content, changeRequest }: Request): Promise<ShownPlace> {
  if (changeRequest === undefined) return { space, content }
  const { addresses } = services
  const surroundings = { addresses, headOf: () => headOf(space.row) }
  const [shown] = await showChangeRequests(db, [changeRequest], surroundings)
  return { space, content, changeRequest: shown! }
}

/** What a change request began with, or last took in. */
async function baseOf({ db, services, content, changeRequest }: Request): Promise<ContentHere | undefined> {
  return changeRequest && contentOfRevision(db, content, changeRequest.revision_merged_ancestor_id, services)
}
