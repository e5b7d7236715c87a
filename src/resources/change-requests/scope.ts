/** The step `/change-requests/:changeRequestId`, by id or number, always inside a space. */
import { within, withMore } from '../../access/route/scope.js'
import { getContent } from '../spaces/content/content.js'
import { inSpace } from '../spaces/scope.js'
import { findChangeRequest } from './store.js'
import { inBranch } from './branch.js'

export const inChangeRequest = within(inSpace, 'changeRequestId', {
  key: 'changeRequest',
  thing: 'change request',
  find: ({ db }, name, { space }) => findChangeRequest(db, space.row.id, name),
})

/** A change request with its current content. */
export const inChangeRequestContent = withMore(
  inChangeRequest,
  'content',
  async ({ db, services }, { space, changeRequest }) => {
    const place = { db, services, organizationId: space.row.organization_id, spaceId: space.row.id }
    return inBranch(await getContent(place, changeRequest.revision_id), changeRequest)
  },
)
