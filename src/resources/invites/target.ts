/** Targets of invite links: the organization, one of its spaces, or one of its collections. */
import type { CollectionId, OrganizationId, SpaceId } from '../../core/ids.js'
import type { Level } from '../../access/rules/levels.js'
import type { Actor } from '../../access/signin/actor.js'
import { ApiError } from '../../contract/errors.js'
import type { Db } from '../../store/db/database.js'
import { type CollectionContext, findCollectionContext } from '../collections/scope.js'
import type { OrganizationContext } from '../organizations/store.js'
import { type SpaceContext, withLevel } from '../spaces/scope.js'
import { findSpaceWithFacts } from '../spaces/store.js'
import type { InviteRow } from './store.js'

export type InviteTarget =
  | { readonly kind: 'organization'; readonly id: OrganizationId; readonly level: Level }
  | { readonly kind: 'space'; readonly id: SpaceId; readonly level: Level; readonly space: SpaceContext }
  | {
      readonly kind: 'collection'
      readonly id: CollectionId
      readonly level: Level
      readonly collection: CollectionContext
    }

/** Returns the target with the actor's level on it; undefined when it is not, or no longer, in the organization. */
export async function findInviteTarget(
  db: Db,
  actor: Pick<Actor, 'userId'>,
  { row: { id: organizationId }, role }: Pick<OrganizationContext, 'row' | 'role'>,
  { target_kind: kind, target_id: id }: Pick<InviteRow, 'target_kind' | 'target_id'>,
): Promise<InviteTarget | undefined> {
  if (kind === 'organization') return { kind, id: organizationId, level: role }
  if (kind === 'space') {
    const found = await findSpaceWithFacts(db, organizationId, actor.userId, id as SpaceId)
    if (found === undefined || found.row.deleted_at !== null) return undefined
    const space = withLevel(found)
    return { kind, id: space.row.id, level: space.level, space }
  }
  const collection = await findCollectionContext(db, organizationId, actor.userId, id as CollectionId)
  return collection && { kind: 'collection', id: collection.row.id, level: collection.level, collection }
}

/** Returns the target of a new link; throws 400 when the actor cannot see it. */
export async function getInviteTarget(
  db: Db,
  actor: Actor,
  organization: OrganizationContext,
  { space, collection }: { readonly space?: string; readonly collection?: string },
): Promise<InviteTarget> {
  const reference =
    space !== undefined
      ? { target_kind: 'space', target_id: space as SpaceId }
      : collection !== undefined
        ? { target_kind: 'collection', target_id: collection as CollectionId }
        : { target_kind: 'organization', target_id: organization.row.id }
  const target = await findInviteTarget(db, actor, organization, reference)
  if (target === undefined || (target.kind !== 'organization' && target.level === null)) {
    throw new ApiError('invalid_reference', {
      member: reference.target_kind,
      thing: `a ${reference.target_kind}`,
    })
  }
  return target
}
