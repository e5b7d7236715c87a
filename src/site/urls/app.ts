/** URL resolution for the app: the space, page, revision, change request or collection of an app address. */
import { type Services, type Source, loadRequestFrom } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import { requireOrganizationAccess } from '../../access/signin/credential-scope.js'
import { ApiError } from '../../contract/errors.js'
import type { AppContent } from '../../contract/urls.js'
import { decodePercent } from '../../core/links/resolve.js'
import { findPageByPath } from '../../core/pages/read.js'
import { inChangeRequestContent } from '../../resources/change-requests/scope.js'
import { showChangeRequests } from '../../resources/change-requests/show.js'
import { presentCollection } from '../../resources/collections/present.js'
import { inCollection } from '../../resources/collections/scope.js'
import type { ContentContext } from '../../resources/content/content.js'
import { presentPage } from '../../resources/content/present.js'
import { collectPageTargets } from '../../resources/content/page-targets.js'
import { type SpaceContext, inRevision, inSpaceContent } from '../../resources/spaces/scope.js'
import { showSpace } from '../../resources/spaces/show.js'

export interface AppUrlContext {
  readonly services: Services
  readonly source: Source
  readonly actor: Actor
}

/** Returns the content at the address; throws 404 where the actor may see nothing. */
export async function resolveApp(address: string, context: AppUrlContext): Promise<AppContent> {
  const { services, source, actor } = context
  const { addresses } = services
  const request = loadRequestFrom(source, actor, services)
  const path = address.startsWith(addresses.app('/')) ? address.slice(addresses.app('').length) : ''
  const [below = ''] = path.split(/[?#]/)
  const [, collectionId] = /^\/o\/[^/]+\/c\/([^/]+)\/*$/.exec(below) ?? []
  if (collectionId !== undefined) {
    const { collection } = await inCollection.load(request, { collectionId })
    requireOrganizationAccess(actor, collection.row.organization_id, addresses)
    return { collection: presentCollection(addresses, collection.row, collection.level) }
  }
  const [, spaceId, kind, id, rest = ''] =
    /^\/s\/([^/]+)(?:\/~\/(changes|revisions)\/([^/]+))?(?:\/(.*))?$/.exec(below) ?? []
  if (spaceId === undefined) throw new ApiError('not_found', { thing: 'content at this address' })
  if (kind === undefined || id === undefined) {
    const { space, content } = await inSpaceContent.load(request, { spaceId })
    return presentContent({ space, content, rest }, context)
  }
  if (kind === 'revisions') {
    const { space, content } = await inRevision.load(request, { spaceId, revisionId: id })
    return presentContent({ space, content, rest }, context)
  }
  const params = { spaceId, changeRequestId: id }
  const { space, changeRequest, content } = await inChangeRequestContent.load(request, params)
  const presented = await presentContent({ space, content, rest }, context)
  const headOf = () => space.row.revision_id
  const [one] = await showChangeRequests(source.db, [changeRequest], { addresses, headOf })
  return { ...presented, changeRequest: one! }
}

interface AppLocation {
  readonly space: SpaceContext
  readonly content: ContentContext
  /** Path of a page, still encoded; empty for the space itself. */
  readonly rest: string
}

async function presentContent(
  { space, content, rest }: AppLocation,
  { services: { addresses }, source, actor }: AppUrlContext,
): Promise<Extract<AppContent, { space: unknown }>> {
  requireOrganizationAccess(actor, space.row.organization_id, addresses)
  const path = decodePercent(rest).split('/').filter(Boolean).join('/')
  const page = path === '' ? undefined : await content.run(findPageByPath(content.revision.snapshot, path))
  if (path !== '' && page === undefined) throw new ApiError('not_found', { thing: 'page' })
  const targets = page === undefined ? new Map() : await collectPageTargets(content, [{ page, children: [] }])
  const context = { addresses, spaceId: content.spaceId, targets }
  return {
    space: await showSpace(source.db, addresses, space),
    ...(page !== undefined && { page: presentPage(page, [], context) }),
  }
}
