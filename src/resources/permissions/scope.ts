/** Route scopes of permissions: spaces and collections as targets of grants. */
import { withRules, withLoaded } from '../../access/route/scope.js'
import { type Reader, type Verdict, levelOnContent, reaches } from '../../access/rules/levels.js'
import { inCollection } from '../collections/scope.js'
import { inSpace } from '../spaces/scope.js'
import type { TargetContext } from './set-role.js'

export interface PermissionResources {
  readonly target: TargetContext
  readonly reader: Reader
}

/** Listing grants takes read access, and being more than a guest. */
export type PermissionAction = 'list' | 'give'

const spaceTarget = withLoaded(
  withLoaded(inSpace, 'target', async (_request, { space: { row, ...facts } }): Promise<TargetContext> => {
    const level = levelOnContent(facts)
    return { organizationId: row.organization_id, kind: 'space', id: row.id, level }
  }),
  'reader',
  async ({ actor }, { space }): Promise<Reader> => {
    return { userId: actor.userId, organizationId: space.row.organization_id, role: space.role }
  },
)

const collectionTarget = withLoaded(
  withLoaded(inCollection, 'target', async (_request, { collection }): Promise<TargetContext> => {
    const { row, level } = collection
    return { organizationId: row.organization_id, kind: 'collection', id: row.id, level }
  }),
  'reader',
  async ({ actor }, { collection }): Promise<Reader> => {
    return { userId: actor.userId, organizationId: collection.row.organization_id, role: collection.role }
  },
)

const authorize = (action: PermissionAction, { target, reader }: PermissionResources): Verdict =>
  reaches(target.level, 'create') || (action === 'list' && reader.role !== null) ? 'yes' : { needs: 'create' }

export const inSpaceTarget = withRules(spaceTarget, { noun: 'space', authorize })
export const inCollectionTarget = withRules(collectionTarget, { noun: 'collection', authorize })
