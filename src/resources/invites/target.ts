/** What an invite link leads to: the organization, one of its spaces, or one of its collections. */
import type { CollectionId, OrganizationId, SpaceId } from '../../core/ids.js'
import type { Level } from '../../access/rules/levels.js'
import type { Actor } from '../../access/signin/actor.js'
import { ApiError } from '../../contract/errors.js'
import type { Db } from '../../store/db/database.js'
import { type CollectionHere, findCollectionHere } from '../collections/scope.js'
import type { OrganizationOf } from '../organizations/store.js'
import { type SpaceHere, withLevel } from '../spaces/scope.js'
import { findSpaceOf } from '../spaces/store.js'
import type { InviteRow } from './store.js'

export type InviteTarget =
  | { readonly kind: 'organization'; readonly id: OrganizationId; readonly level: Level }
  | { readonly kind: 'space'; readonly id: SpaceId; readonly level: Level; readonly space: SpaceHere }
  | {
      readonly kind: 'collection'
      readonly id: CollectionId
      readonly level: Level
      readonly collection: CollectionHere
    }

/** Returns the target with the level of this person on it; undefined when it is not, or no more, of the organization. */
export async function findTarget(
  db: Db,
  actor: Pick<Actor, 'userId'>,
  { row: { id: organizationId }, role }: Pick<OrganizationOf, 'row' | 'role'>,
  { target_kind: kind, target_id: id }: Pick<InviteRow, 'target_kind' | 'target_id'>,
): Promise<InviteTarget | undefined> {
  if (kind === 'organization') return { kind, id: organizationId, level: role }
  if (kind === 'space') {
    const found = await findSpaceOf(db, organizationId, actor.userId, id as SpaceId)
    if (found === undefined || found.row.deleted_at !== null) return undefined
    const space = withLevel(found)
    return { kind, id: space.row.id, level: space.level, space }
  }
  const collection = await findCollectionHere(db, organizationId, actor.userId, id as CollectionId)
  return collection && { kind: 'collection', id: collection.row.id, level: collection.level, collection }
}

/** Returns the target of a new link; throws 400 when this person cannot see it. */
export async function getTarget(
  db: Db,
  actor: Actor,
  organization: OrganizationOf,
  { space, collection }: { readonly space?: string; readonly collection?: string },
): Promise<InviteTarget> {
  const named =
    space !== undefined
      ? { target_kind: 'space', target_id: space as SpaceId }
      : collection !== undefined
        ? { target_kind: 'collection', target_id: collection as CollectionId }
        : { target_kind: 'organization', target_id: organization.row.id }
  const target = await findTarget(db, actor, organization, named)
  if (target === undefined || (target.kind !== 'organization' && target.level === null)) {
    throw new ApiError('invalid_reference', {
      member: named.target_kind,
      thing: `a ${named.target_kind}`,
    })
  }
  return target
}
