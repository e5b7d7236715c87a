/**
 * Transfers spaces to another organization: content moves with its history, grants stay behind. Spaces that are
 * published or in the trash cannot be transferred.
 *
 * Content is copied before the transaction, without locks; the transaction copies what was written since, and the rows.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Hash, OrganizationId } from '../../core/ids.js'
import { removeGrantsOn } from '../../access/rules/grants.js'
import { requireGrantable } from '../../access/rules/grant-limits.js'
import { type Descendant, requireOnDescendants } from '../../access/rules/descendants.js'
import { organizationActions, reaches, spaceActions, strongest } from '../../access/rules/levels.js'
import type { Services } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import { opensOrganization } from '../../access/signin/credential-scope.js'
import { ApiError } from '../../contract/errors.js'
import type { DefaultLevel, Role } from '../../contract/shapes.js'
import { copySnapshots } from '../../store/content/copy.js'
import { listSnapshots } from '../../store/content/revisions.js'
import { scheduleCollection } from '../../store/collect/gc-triggers.js'
import type { Db, Tx } from '../../store/db/database.js'
import { noLocks } from '../../store/db/lock-scope.js'
import { requireOrganizationLock } from '../../store/db/transactions.js'
import { lastPosition } from '../../store/db/sibling-order.js'
import { contentSiblings } from '../../store/db/content-siblings.js'
import type { CollectionContext } from '../collections/scope.js'
import { type CollectionRow, listSubtree, transferCollectionRows } from '../collections/store.js'
import { findOrganizationOf } from '../organizations/store.js'
import { enqueueContentJobs } from '../content/content-jobs.js'
import { copyFormerNames } from '../users/former-names.js'
import { transferValues, loadSpaceValues } from './custom-fields.js'
import type { SpaceContext } from './scope.js'
import {
  type SpaceRow,
  defaultLevelOf,
  isOnAnySite,
  listSpacesInCollections,
  moveToOrganization,
  updateSpace,
} from './store.js'

export interface TransferContext {
  readonly actor: Actor
  readonly now: number
  readonly services: Services
}

/** Objects that the other organization has already. */
export type CopiedObjects = Set<Hash>

/** Copies the content of a transferable space in short transactions; nothing in the target references it yet. */
export async function precopySpace(
  space: SpaceContext,
  to: string,
  handover: TransferContext,
): Promise<CopiedObjects> {
  const target = await checkSpaceTransfer(handover.services.database.read, space, to, handover)
  return precopyContent([space.row], target, 'space', handover)
}

/** Transfers a space and returns its new row. */
export async function transferSpace(
  tx: Tx,
  space: SpaceContext,
  to: string,
  handover: TransferContext,
  copied: CopiedObjects,
): Promise<SpaceRow> {
  const { row } = space
  // Before anything is copied: a lock upgrade would repeat the copying.
  requireOrganizationLock(tx, to as OrganizationId)
  const target = await checkSpaceTransfer(tx, space, to, handover)
  await copyFormerNames(tx, row.organization_id, target)
  await moveSpace(tx, row, target, 'space', handover, copied)
  const siblings = contentSiblings(tx, { organizationId: target, parentId: null }, row.id)
  const position = await lastPosition(siblings)
  return updateSpace(tx, { organization_id: target, id: row.id }, { collection_id: null, position })
}

/** Returns the target organization; throws when the transfer is not allowed. */
async function checkSpaceTransfer(
  db: Db,
  { row, level }: SpaceContext,
  to: string,
  handover: TransferContext,
): Promise<OrganizationId> {
  const target = await getTarget(db, row.organization_id, to, handover)
  requireGrantable(level, roleToTransfer({ defaultLevel: defaultLevelOf(row) }))
  return target
}

/** Copies the content of all spaces in a transferable collection, as `precopySpace` does. */
export async function precopyCollection(
  collection: CollectionContext,
  to: string,
  handover: TransferContext,
): Promise<CopiedObjects> {
  const { target, spaces } = await checkCollectionTransfer(
    handover.services.database.read,
    collection,
    to,
    handover,
  )
  return precopyContent(spaces, target, 'collection', handover)
}

/** Transfers a collection with everything inside and returns the target organization. */
export async function transferCollection(
  tx: Tx,
  collection: CollectionContext,
  to: string,
  handover: TransferContext,
  copied: CopiedObjects,
): Promise<OrganizationId> {
  requireOrganizationLock(tx, to as OrganizationId)
  const { target, subtree, spaces } = await checkCollectionTransfer(tx, collection, to, handover)
  await copyFormerNames(tx, collection.row.organization_id, target)
  for (const space of spaces) await moveSpace(tx, space, target, 'collection', handover, copied)
  const ids = subtree.map(({ id }) => id)
  await removeGrantsOn(tx, collection.row.organization_id, ids)
  await transferCollectionRows(tx, subtree, target, handover.now)
  return target
}

/** Returns the target organization and the contained collections and spaces; throws when the transfer is not allowed. */
async function checkCollectionTransfer(
  db: Db,
  { row, role, level }: CollectionContext,
  to: string,
  handover: TransferContext,
): Promise<{ target: OrganizationId; subtree: readonly CollectionRow[]; spaces: readonly SpaceRow[] }> {
  const { organization_id: organizationId } = row
  const target = await getTarget(db, organizationId, to, handover)
  requireGrantable(level, roleToTransfer({ defaultLevel: row.default_level as DefaultLevel }))
  await requireOnDescendants(db, { userId: handover.actor.userId, organizationId, role }, row.id, {
    action: 'transfer the collection with all that is inside',
    needs: roleToTransfer,
  })
  const subtree = await listSubtree(db, row)
  const ids = subtree.map(({ id }) => id)
  return { target, subtree, spaces: await listSpacesInCollections(db, organizationId, ids) }
}

/** The default level is transferred and grants access to the members of the target, so the actor needs that level too. */
function roleToTransfer({ defaultLevel }: Pick<Descendant, 'defaultLevel'>): Role {
  return strongest([spaceActions.administer, defaultLevel === 'inherit' ? null : defaultLevel])!
}

/** Returns the target organization; throws unless the actor may create content there. */
async function getTarget(
  db: Db,
  from: OrganizationId,
  to: string,
  { actor }: TransferContext,
): Promise<OrganizationId> {
  if (to === from) throw new ApiError('no_change', { problem: 'it belongs to this organization already' })
  const target = await findOrganizationOf(db, actor.userId, to as OrganizationId)
  if (target === undefined || !opensOrganization(actor, target.row.id)) {
    throw new ApiError('invalid_reference', { member: 'organization', thing: 'an organization' })
  }
  if (!reaches(target.role, organizationActions.createContent)) {
    throw new ApiError('forbidden', { action: 'create content in the other organization', role: 'create' })
  }
  return target.row.id
}

async function requireTransferable(db: Db, row: SpaceRow, thing: string): Promise<void> {
  if (row.deleted_at !== null) {
    throw new ApiError('cannot_be_moved', { thing, problem: `the space ${row.id} is in the trash` })
  }
  if (await isOnAnySite(db, row)) {
    throw new ApiError('cannot_be_moved', { thing, problem: `the space ${row.id} is shown by a site` })
  }
}

async function precopyContent(
  spaces: readonly SpaceRow[],
  to: OrganizationId,
  thing: string,
  { services: { database }, now }: TransferContext,
): Promise<CopiedObjects> {
  const { read: db } = database
  for (const row of spaces) await requireTransferable(db, row, thing)
  // If the transfer does not happen after all, garbage collection removes the copies.
  await database.writeWithLocks(noLocks, (tx) => scheduleCollection(tx, to, now))
  const copied: CopiedObjects = new Set()
  for (const { organization_id: from, id } of spaces) {
    const snapshots = await listSnapshots(db, from, id)
    const write = async (work: (tx: Tx) => Promise<void>) => {
      await database.writeInBulk(noLocks, work)
      // Lets other requests in before the next transaction begins.
      await nextTurn()
    }
    await copySnapshots({ db, write }, snapshots, { from, to }, copied)
  }
  return copied
}

async function moveSpace(
  tx: Tx,
  row: SpaceRow,
  to: OrganizationId,
  thing: string,
  { now }: TransferContext,
  copied: CopiedObjects,
): Promise<void> {
  await requireTransferable(tx, row, thing)
  const snapshots = await listSnapshots(tx, row.organization_id, row.id)
  const target = { db: tx, write: (work: (tx: Tx) => Promise<void>) => work(tx) }
  // A copy of the set: a transaction that is rolled back has copied nothing.
  await copySnapshots(target, snapshots, { from: row.organization_id, to }, new Set(copied))
  await removeGrantsOn(tx, row.organization_id, [row.id])
  const values = await loadSpaceValues(tx, row)
  await moveToOrganization(tx, row, to, now)
  await transferValues(tx, values, { organization_id: to, id: row.id })
  await enqueueContentJobs(tx, { organizationId: to, spaceId: row.id, now })
}
