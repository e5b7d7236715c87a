/** Where spaces and collections may be put: into a collection, or to the top of the organization. */
import type { CollectionId, OrganizationId, UserId } from '../../core/ids.js'
import type { ContentKind } from '../../access/rules/facts.js'
import { type GivingPlace, givenByDefault, requireGivableOn } from '../../access/rules/giving.js'
import { collectionActions, organizationActions, reaches } from '../../access/rules/levels.js'
import { ApiError } from '../../contract/errors.js'
import type { MoveBody, Pointer } from '../../contract/collections.js'
import type { DefaultLevel, Role } from '../../contract/shapes.js'
import type { Tx } from '../../store/db/database.js'
import { placeAmong } from '../../store/db/order.js'
import { type ContentParent, contentSiblings, setContentPosition } from '../../store/db/siblings.js'
import { lockOrganization } from '../organizations/store.js'
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
  const parent = await findCollectionHere(tx, userId, id as CollectionId)
  if (parent === undefined || parent.level === null || parent.row.organization_id !== organizationId) {
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

/** A space or collection that is to be moved, as the mover has it. */
export interface Moved extends GivingPlace {
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
  await requireGivableOn(tx, mover, thing, await givenByDefault(tx, defaultLevel, parentId))
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
  // Two moves at once could put two collections into each other.
  await lockOrganization(tx, mover.organizationId)
  const parentId = parent === undefined ? moved.parentId : (parent as CollectionId | null)
  if (parentId !== moved.parentId) {
    await requireParent(tx, mover, moved, parentId)
    await requireGivableByDefault(tx, mover, { ...moved, parentId })
  }
  const around: ContentParent = { organizationId: mover.organizationId, parentId }
  const siblings = await contentSiblings(tx, around, moved.id).orderBy('position').orderBy('id').execute()
  const order = siblings.map(({ id }) => id)
  const before = indexOf(order, moved, position.before, 'before')
  const after = indexOf(order, moved, position.after, 'after')
  if (before !== undefined && after !== undefined && before !== after + 1) {
    const problem = '"before" and "after" are not neighbours in this order'
    throw new ApiError('invalid_position', { problem })
  }
  const index = before ?? (after === undefined ? order.length : after + 1)
  if (parentId === moved.parentId && index === (await ownIndex(tx, around, moved))) {
    throw new ApiError('no_change', { problem: 'it stands there already' })
  }
  const named = { before: order[index], after: index === order.length ? order[index - 1] : undefined }
  const chosen = await placeAmong(contentSiblings(tx, around, moved.id), named, (id, at) =>
    setContentPosition(tx, id, at),
  )
  return { parentId, position: chosen! }
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

function indexOf(
  order: readonly string[],
  moved: Moved,
  pointer: Pointer | undefined,
  member: string,
): number | undefined {
  if (pointer === undefined) return undefined
  const id = pointer[pointer.type] ?? pointer.id
  if (id === moved.id) {
    throw new ApiError('invalid_position', { problem: `"${member}" names what is to be moved itself` })
  }
  const index = id === undefined ? -1 : order.indexOf(id)
  if (index < 0) {
    throw new ApiError('invalid_position', { problem: `"${member}" names nothing that stands there` })
  }
  return index
}

async function ownIndex(tx: Tx, around: ContentParent, { id }: Moved): Promise<number> {
  const all = await contentSiblings(tx, around).orderBy('position').orderBy('id').execute()
  return all.findIndex((sibling) => sibling.id === id)
}
