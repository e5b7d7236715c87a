/** Routes of spaces: list, create, read, update, and custom field values. */
import { type Route, route } from '../../access/route/route.js'
import { listCustomFieldValues, updateCustomFieldValues } from '../../contract/custom-fields.js'
import * as operations from '../../contract/spaces.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { getParent, requireGivableByDefault, requireTopLevel } from '../collections/placement.js'
import { createSpace } from './create.js'
import { listValues, parseFieldConditions, setValues } from './custom-fields.js'
import { getSpaceContext, inSpace, movedOf } from './scope.js'
import { showSpace, showSpaces } from './show.js'
import { listVisibleSpaces, updateSpace } from './store.js'
import { changeSpace } from './update.js'
import { latestContentId } from '../content/expansion.js'
import { getContent } from '../content/content.js'
import { writeFirstPage } from '../content/first-page.js'

export const spaceRoutes: readonly Route[] = [
  route(operations.listSpaces, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ db, actor, organization, query, services }) => {
      const reader = readerOf(actor, organization)
      const fieldValues = await parseFieldConditions(db, reader.organizationId, query.customField ?? [])
      const list = await listVisibleSpaces(db, reader, query, { fieldValues })
      return { ...list, items: await showSpaces(db, services.addresses, reader, list.items) }
    },
  }),

  route(operations.createSpace, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ tx, actor, organization, body, now, services }) => {
      const mover = readerOf(actor, organization)
      const parent = body.parent === undefined ? null : await getParent(tx, mover, body.parent)
      if (parent === null) requireTopLevel(mover)
      const collectionId = parent && parent.row.id
      const circumstances = { organizationId: organization.row.id, collectionId, userId: actor.userId, now }
      const snapshot = body.empty === true ? undefined : await writeFirstPage(tx, services, circumstances)
      const row = await createSpace(tx, body, circumstances, snapshot)
      return showSpace(tx, services.addresses, await getSpaceContext(tx, actor.userId, row))
    },
  }),

  route(operations.getSpace, {
    at: inSpace,
    allow: 'view',
    handle: async (request) => {
      const { db, space, services } = request
      const presented = await showSpace(db, services.addresses, space)
      if (space.isForReaders !== true) return presented
      // Readers get the id of the expanded content, which changes with its specifications.
      const { organization_id: organizationId, id: spaceId } = space.row
      const source = { db, services, organizationId, spaceId }
      const { revision } = await getContent(source, space.row.revision_id)
      return { ...presented, revision: await latestContentId(source, revision) }
    },
  }),

  route(operations.updateSpace, {
    at: inSpace,
    allow: 'administer',
    locks: 'organization',
    handle: async ({ tx, actor, space, body, now, services }) => {
      const { defaultLevel } = body
      if (defaultLevel !== undefined && defaultLevel !== space.row.default_level) {
        const mover = { userId: actor.userId, organizationId: space.row.organization_id, role: space.role }
        await requireGivableByDefault(tx, mover, { ...movedOf(space), defaultLevel })
      }
      const row = await changeSpace(tx, space.row, body, now)
      return showSpace(tx, services.addresses, await getSpaceContext(tx, actor.userId, row))
    },
  }),

  route(listCustomFieldValues, {
    at: inSpace,
    allow: 'view',
    handle: ({ db, space: { row, role }, services }) => listValues(db, services.addresses, row, role),
  }),

  route(updateCustomFieldValues, {
    at: inSpace,
    allow: 'edit',
    locks: 'organization',
    handle: async ({ tx, space, body, now }) => {
      await setValues(tx, space.row, body.values)
      await updateSpace(tx, space.row, { updated_at: now })
    },
  }),
]
