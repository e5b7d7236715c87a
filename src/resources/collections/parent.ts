/** Where spaces and collections may be put: into a collection, or to the top of the organization. */
import type { CollectionId, OrganizationId, UserId } from '../../core/ids.js'
import type { ContentKind } from '../../access/rules/facts.js'
import { type GivingPlace, givenByDefault, requireGivableOn } from '../../access/rules/grant-limits.js'
import { collectionActions, organizationActions, reaches } from '../../access/rules/levels.js'
import { ApiError } from '../../contract/errors.js'
import type { MoveBody, Pointer } from '../../contract/collections.js'
import type { DefaultLevel, Role } from '../../contract/shapes.js'
import type { Tx } from '../../store/db/database.js'
import { type Sibling, findGap, liesIn, placeIn } from '../../store/db/order.js'
import { type ContentParent, contentSiblings, setContentPosition } from '../../store/db/siblings.js'
import { type CollectionHere, findCollectionHere } from './scope.js'

/** Who puts something somewhere. */
export interface Mover {
  readonly userId: UserId
  readonly organizationId: OrganizationId
  readonly role: Role | null | undefined
}

/** Returns the collection that this person may put things into; throws 400 when it is none to them, 403 when they may not. */
export async function getParent(
  tx: Tx,
  { userId, organizationId }: Mover,
  id: string,
  member = 'parent',
): Promise<CollectionHere> {
  const parent = await findCollectionHere(tx, organizationId, userId, id as CollectionId)
  if (parent === undefined || parent.level === null) {
    throw new ApiError('invalid_reference', { member, thing: 'a collection' })
  }
  if (!reaches(parent.level, collectionActions.administer)) {
    throw new ApiError('forbidden', { action: `put anything into the collection ${id}`, role: 'create' })
  }
  return parent
}

/** Throws 403 when this person may not put things to the top of the organization. */
export function requireTop({ role }: Mover): void {
  if (!reaches(role, organizationActions.createContent)) {
    throw new ApiError('forbidden', { action: 'put anything to the top of the organization', role: 'create' })
  }
}

/** A space or collection that is to be moved, as the mover has it, and where it stands now. */
export interface Moved extends GivingPlace, Sibling {
  readonly kind: ContentKind
  readonly defaultLevel: DefaultLevel
  readonly parentId: CollectionId | null
}

/** Throws 403 when a default level, set or inherited in a place, gives more on a thing than this person has there. */
export async function requireGivableByDefault(
  tx: Tx,
  mover: Mover,
  { defaultLevel, parentId, ...thing }: Moved,
): Promise<void> {
  const given = await givenByDefault(tx, mover.organizationId, defaultLevel, parentId)
  await requireGivableOn(tx, mover, thing, given)
}

/**
 * Returns where a thing stands after a move, with siblings pushed aside where there was no room; the caller
 * writes it. Throws 400 for a place that does not exist, 403 for one that is not the mover's, 409 for the old one.
 */
export async function choosePlace(
  tx: Tx,
  mover: Mover,
  moved: Moved,
  { parent, position = {} }: MoveBody,
): Promise<{ readonly parentId: CollectionId | null; readonly position: string }> {
  const parentId = parent === undefined ? moved.parentId : (parent as CollectionId | null)
  if (parentId !== moved.parentId) {
    await requireParent(tx, mover, moved, parentId)
    await requireGivableByDefault(tx, mover, { ...moved, parentId })
  }
  const around: ContentParent = { organizationId: mover.organizationId, parentId }
  const siblings = contentSiblings(tx, around, moved.id)
  const place = {
    before: idOf(moved, position.before, 'before'),
    after: idOf(moved, position.after, 'after'),
  }
  const gap = await findGap(siblings, place)
  if (gap === undefined) throw noSuchSibling(place.before === undefined ? 'after' : 'before')
  if (place.before !== undefined && place.after !== undefined && gap.low?.id !== place.after) {
    if ((await findGap(siblings, { after: place.after })) === undefined) throw noSuchSibling('after')
    const problem = '"before" and "after" are not neighbours in this order'
    throw new ApiError('invalid_position', { problem })
  }
  if (parentId === moved.parentId && liesIn(gap, moved)) {
    throw new ApiError('no_change', { problem: 'it stands there already' })
  }
  return {
    parentId,
    position: await placeIn(siblings, gap, (id, at) => setContentPosition(tx, mover.organizationId, id, at)),
  }
}

async function requireParent(tx: Tx, mover: Mover, moved: Moved, parentId: CollectionId | null) {
  if (parentId === null) return requireTop(mover)
  const { row, around } = await getParent(tx, mover, parentId)
  if (row.id === moved.id || around.some((id) => id === moved.id)) {
    throw new ApiError('invalid_parent', {
      member: 'parent',
      problem: 'a collection cannot be put inside itself',
    })
  }
}

/** Returns the id that a pointer names, undefined without one; throws 400 when it names nothing, or what is moved. */
function idOf({ id: movedId }: Moved, pointer: Pointer | undefined, member: string): string | undefined {
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
