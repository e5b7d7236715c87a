/** The step `/change-requests/:changeRequestId`, by id or number, always inside a space. */
import { recall, within, withMore } from '../../access/route/scope.js'
import { rowKind } from '../../store/cache/kinds.js'
import { forReader, getContent } from '../content/content.js'
import { inSpace } from '../spaces/scope.js'
import { type ChangeRequestRow, findChangeRequest } from './store.js'
import { inBranch } from './branch.js'

const changeRequestKind = rowKind<ChangeRequestRow>('change request', (row) => [row.organization_id])

export const inChangeRequest = within(inSpace, 'changeRequestId', {
  key: 'changeRequest',
  thing: 'change request',
  async find(request, name, { space }) {
    const row = await recall(request, changeRequestKind, `${space.row.id} ${name}`, (db) =>
      findChangeRequest(db, space.row, name),
    )
    // Readers of a site know of the one that they were given to preview.
    const { reading } = request.actor
    return reading === undefined || reading.changeRequestId === row?.id ? row : undefined
  },
})

/** A change request with its current content. */
export const inChangeRequestContent = withMore(
  inChangeRequest,
  'content',
  async ({ actor, immutable, services }, { space, changeRequest }) => {
    const place = {
      db: immutable,
      services,
      organizationId: space.row.organization_id,
      spaceId: space.row.id,
    }
    const content = inBranch(await getContent(place, changeRequest.revision_id), changeRequest)
    return forReader(content, actor)
  },
)
