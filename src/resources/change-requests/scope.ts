/** Loads `/change-requests/:changeRequestId`, by id or number, inside a space. */
import type { SpaceId } from '../../core/ids.js'
import { prefetchRow, readThrough, subresourceScope, withLoaded } from '../../access/route/scope.js'
import { rowCacheKind } from '../../store/cache/kinds.js'
import { forActor, getContent } from '../content/content.js'
import { inSpace } from '../spaces/scope.js'
import type { SpaceKey } from '../spaces/store.js'
import { type ChangeRequestRow, findChangeRequest } from './store.js'
import { inBranch } from './branch.js'

const changeRequestKind = rowCacheKind<ChangeRequestRow>('change request', (row) => [row.organization_id])

export const inChangeRequest = subresourceScope(inSpace, 'changeRequestId', {
  key: 'changeRequest',
  noun: 'change request',
  async find(request, name, { space }) {
    const row = await readThrough(request, changeRequestKind, keyOf(space.row, name), (db) =>
      findChangeRequest(db, space.row, name),
    )
    // Readers of a site see only the change request of their preview.
    const { reading } = request.actor
    return reading === undefined || reading.changeRequestId === row?.id ? row : undefined
  },
  prefetch(request, name, { spaceId }) {
    const space = { organization_id: request.organizationId, id: spaceId as SpaceId }
    prefetchRow(request, changeRequestKind, keyOf(space, name), (db) => findChangeRequest(db, space, name))
  },
})

const keyOf = ({ organization_id, id }: SpaceKey, name: string) => `${organization_id} ${id} ${name}`

/** A change request with its current content. */
export const inChangeRequestContent = withLoaded(
  inChangeRequest,
  'content',
  async ({ actor, immutable, services }, { space, changeRequest }) => {
    const source = {
      db: immutable,
      services,
      organizationId: space.row.organization_id,
      spaceId: space.row.id,
    }
    const content = inBranch(await getContent(source, changeRequest.revision_id), changeRequest)
    return forActor(content, actor)
  },
)
