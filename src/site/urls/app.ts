/** What an address of the app names, for those who may see it. */
import { type Services, type Source, requestOf } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import { requireOpen } from '../../access/signin/credential-scope.js'
import { ApiError } from '../../contract/errors.js'
import type { AppContent } from '../../contract/urls.js'
import { decodePercent } from '../../core/links/resolve.js'
import { findPageByPath } from '../../core/pages/read.js'
import { inChangeRequestContent } from '../../resources/change-requests/scope.js'
import { showChangeRequests } from '../../resources/change-requests/show.js'
import { presentCollection } from '../../resources/collections/present.js'
import { inCollection } from '../../resources/collections/scope.js'
import type { ContentHere } from '../../resources/content/content.js'
import { presentPage } from '../../resources/content/present.js'
import { collectTargets } from '../../resources/content/targets.js'
import { type SpaceHere, inRevision, inSpaceContent } from '../../resources/spaces/scope.js'
import { showSpace } from '../../resources/spaces/show.js'

export interface Asking {
  readonly services: Services
  readonly source: Source
  readonly actor: Actor
}

/** Returns what the address names; throws 404 for addresses of nothing that the actor may see. */
export async function resolveApp(address: string, asking: Asking): Promise<AppContent> {
  const { services, source, actor } = asking
  const { addresses } = services
  const request = requestOf(source, actor, services)
  const path = address.startsWith(addresses.app('/')) ? address.slice(addresses.app('').length) : ''
  const [below = ''] = path.split(/[?#]/)
  const [, collectionId] = /^\/o\/[^/]+\/c\/([^/]+)\/*$/.exec(below) ?? []
  if (collectionId !== undefined) {
    const { collection } = await inCollection.load(request, { collectionId })
    requireOpen(actor, collection.row.organization_id, addresses)
    return { collection: presentCollection(addresses, collection.row, collection.level) }
  }
  const [, spaceId, kind, id, rest = ''] =
    /^\/s\/([^/]+)(?:\/~\/(changes|revisions)\/([^/]+))?(?:\/(.*))?$/.exec(below) ?? []
  if (spaceId === undefined) throw new ApiError('not_found', { thing: 'content at this address' })
  if (kind === undefined || id === undefined) {
    const { space, content } = await inSpaceContent.load(request, { spaceId })
    return showIn({ space, content, rest }, asking)
  }
  if (kind === 'revisions') {
    const { space, content } = await inRevision.load(request, { spaceId, revisionId: id })
    return showIn({ space, content, rest }, asking)
  }
  const params = { spaceId, changeRequestId: id }
  const { space, changeRequest, content } = await inChangeRequestContent.load(request, params)
  const shown = await showIn({ space, content, rest }, asking)
  const headOf = () => space.row.revision_id
  const [one] = await showChangeRequests(source.db, [changeRequest], { addresses, headOf })
  return { ...shown, changeRequest: one! }
}

interface There {
  readonly space: SpaceHere
  readonly content: ContentHere
  /** Path of a page, still encoded; empty for the space itself. */
  readonly rest: string
}

async function showIn(
  { space, content, rest }: There,
  { services: { addresses }, source, actor }: Asking,
): Promise<Extract<AppContent, { space: unknown }>> {
  requireOpen(actor, space.row.organization_id, addresses)
  const path = decodePercent(rest).split('/').filter(Boolean).join('/')
  const page = path === '' ? undefined : await content.run(findPageByPath(content.revision.snapshot, path))
  if (path !== '' && page === undefined) throw new ApiError('not_found', { thing: 'page' })
  const targets = page === undefined ? new Map() : await collectTargets(content, [{ page, children: [] }])
  const context = { addresses, spaceId: content.spaceId, targets }
  return {
    space: await showSpace(source.db, addresses, space),
    ...(page !== undefined && { page: presentPage(page, [], context) }),
  }
}
