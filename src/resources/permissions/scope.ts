/** Spaces and collections as what roles are given on. */
import { ruledBy, withMore } from '../../access/route/scope.js'
import { type Reader, type Verdict, levelOnContent, reaches } from '../../access/rules/levels.js'
import { inCollection } from '../collections/scope.js'
import { inSpace } from '../spaces/scope.js'
import type { TargetHere } from './give.js'

export interface Things {
  readonly target: TargetHere
  readonly reader: Reader
}

/** To see who was given what takes reading, and being more than a guest. */
export type Action = 'list' | 'give'

const spaceTarget = withMore(
  withMore(inSpace, 'target', async (_request, { space: { row, ...facts } }): Promise<TargetHere> => {
    const level = levelOnContent(facts)
    return { organizationId: row.organization_id, kind: 'space', id: row.id, level }
  }),
  'reader',
  async ({ actor }, { space }): Promise<Reader> => {
    return { userId: actor.userId, organizationId: space.row.organization_id, role: space.role }
  },
)

const collectionTarget = withMore(
  withMore(inCollection, 'target', async (_request, { collection }): Promise<TargetHere> => {
    const { row, level } = collection
    return { organizationId: row.organization_id, kind: 'collection', id: row.id, level }
  }),
  'reader',
  async ({ actor }, { collection }): Promise<Reader> => {
    return { userId: actor.userId, organizationId: collection.row.organization_id, role: collection.role }
  },
)

const judge = (action: Action, { target, reader }: Things): Verdict =>
  reaches(target.level, 'create') || (action === 'list' && reader.role !== null) ? 'yes' : { needs: 'create' }

export const inSpaceTarget = ruledBy(spaceTarget, { thing: 'space', judge })
export const inCollectionTarget = ruledBy(collectionTarget, { thing: 'collection', judge })
