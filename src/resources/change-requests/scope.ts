/** Loads `/change-requests/:changeRequestId`, by id or number, inside a space. */
import { readThrough, subresourceScope, withLoaded } from '../../access/route/scope.js'
import { rowCacheKind } from '../../store/cache/kinds.js'
import { forActor, getContent } from '../content/content.js'
import { inSpace } from '../spaces/scope.js'
import { type ChangeRequestRow, findChangeRequest } from './store.js'
import { inBranch } from './branch.js'

const changeRequestKind = rowCacheKind<ChangeRequestRow>('change request', (row) => [row.organization_id])

export const inChangeRequest = subresourceScope(inSpace, 'changeRequestId', {
  key: 'changeRequest',
  noun: 'change request',
  async find(request, name, { space }) {
    const row = await readThrough(request, changeRequestKind, `${space.row.id} ${name}`, (db) =>
      findChangeRequest(db, space.row, name),
    )
    // Readers of a site see only the change request of their preview.
    const { reading } = request.actor
    return reading === undefined || reading.changeRequestId === row?.id ? row : undefined
  },
})

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
