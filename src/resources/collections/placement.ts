/** Placement of spaces and collections: into a collection, or to the top level of the organization. */
import type { CollectionId, OrganizationId, UserId } from '../../core/ids.js'
import type { ContentKind } from '../../access/rules/level-facts.js'
import { type GrantScope, maxRoleByDefault, requireGrantableOn } from '../../access/rules/grant-limits.js'
import { collectionActions, organizationActions, reaches } from '../../access/rules/levels.js'
import { ApiError } from '../../contract/errors.js'
import type { MoveBody, Pointer } from '../../contract/collections.js'
import type { DefaultLevel, Role } from '../../contract/shapes.js'
import type { Tx } from '../../store/db/database.js'
import { type Sibling, findGap, isInGap, positionInGap } from '../../store/db/sibling-order.js'
import { type ContentParent, contentSiblings, setContentPosition } from '../../store/db/content-siblings.js'
import { type CollectionContext, findCollectionContext } from './scope.js'

/** The user who creates or moves something. */
export interface Mover {
  readonly userId: UserId
  readonly organizationId: OrganizationId
  readonly role: Role | null | undefined
}

/** Returns the parent collection; throws 400 when the mover cannot see it, 403 when they may not add to it. */
export async function getParent(
  tx: Tx,
  { userId, organizationId }: Mover,
  id: string,
  member = 'parent',
): Promise<CollectionContext> {
  const parent = await findCollectionContext(tx, organizationId, userId, id as CollectionId)
  if (parent === undefined || parent.level === null) {
    throw new ApiError('invalid_reference', { member, thing: 'a collection' })
  }
  if (!reaches(parent.level, collectionActions.administer)) {
    throw new ApiError('forbidden', { action: `put anything into the collection ${id}`, role: 'create' })
  }
  return parent
}

/** Throws 403 when the mover may not add to the top level of the organization. */
export function requireTopLevel({ role }: Mover): void {
  if (!reaches(role, organizationActions.createContent)) {
    throw new ApiError('forbidden', { action: 'put anything to the top of the organization', role: 'create' })
  }
}

/** A space or collection to be moved, with the mover's level on it and its current position. */
export interface MovedContent extends GrantScope, Sibling {
  readonly kind: ContentKind
  readonly defaultLevel: DefaultLevel
  readonly parentId: CollectionId | null
}

/** Throws 403 when a default level, set or inherited from the parent, grants more than the mover has. */
export async function requireGivableByDefault(
  tx: Tx,
  mover: Mover,
  { defaultLevel, parentId, ...target }: MovedContent,
): Promise<void> {
  const level = await maxRoleByDefault(tx, mover.organizationId, defaultLevel, parentId)
  await requireGrantableOn(tx, mover, target, level)
}

/**
 * Returns the parent and position after a move, shifting siblings when there is no gap; the caller writes it. Throws 400
 * for a position that does not exist, 403 for a parent that the mover may not use, 409 when nothing changes.
 */
export async function resolvePlacement(
  tx: Tx,
  mover: Mover,
  moved: MovedContent,
  { parent, position = {} }: MoveBody,
): Promise<{ readonly parentId: CollectionId | null; readonly position: string }> {
  const parentId = parent === undefined ? moved.parentId : (parent as CollectionId | null)
  if (parentId !== moved.parentId) {
    await requireParent(tx, mover, moved, parentId)
    await requireGivableByDefault(tx, mover, { ...moved, parentId })
  }
  const around: ContentParent = { organizationId: mover.organizationId, parentId }
  const siblings = contentSiblings(tx, around, moved.id)
  const neighbours = {
    before: idOf(moved, position.before, 'before'),
    after: idOf(moved, position.after, 'after'),
  }
  const gap = await findGap(siblings, neighbours)
  if (gap === undefined) throw noSuchSibling(neighbours.before === undefined ? 'after' : 'before')
  if (neighbours.before !== undefined && neighbours.after !== undefined && gap.low?.id !== neighbours.after) {
    if ((await findGap(siblings, { after: neighbours.after })) === undefined) throw noSuchSibling('after')
    const problem = '"before" and "after" are not neighbours in this order'
    throw new ApiError('invalid_position', { problem })
  }
  if (parentId === moved.parentId && isInGap(gap, moved)) {
    throw new ApiError('no_change', { problem: 'it stands there already' })
  }
  return {
    parentId,
    position: await positionInGap(siblings, gap, (id, at) =>
      setContentPosition(tx, mover.organizationId, id, at),
    ),
  }
}

async function requireParent(tx: Tx, mover: Mover, moved: MovedContent, parentId: CollectionId | null) {
  if (parentId === null) return requireTopLevel(mover)
  const { row, ancestors } = await getParent(tx, mover, parentId)
  if (row.id === moved.id || ancestors.some((id) => id === moved.id)) {
    throw new ApiError('invalid_parent', {
      member: 'parent',
      problem: 'a collection cannot be put inside itself',
    })
  }
}

/** Returns the id of a pointer, undefined without one; throws 400 when it has no id, or that of the moved item. */
function idOf(
  { id: movedId }: MovedContent,
  pointer: Pointer | undefined,
  member: string,
): string | undefined {
  if (pointer === undefined) return undefined
  const id = pointer[pointer.type] ?? pointer.id
  if (id === movedId) {
    throw new ApiError('invalid_position', { problem: `"${member}" names what is to be moved itself` })
  }
  if (id === undefined) throw noSuchSibling(member)
  return id
}

function noSuchSibling(member: string): ApiError {
  return new ApiError('invalid_position', { problem: `"${member}" names nothing that stands there` })
}
