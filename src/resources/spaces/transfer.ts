/**
 * Giving spaces to another organization: their content goes along with its history, what was shared stays behind.
 * What is published, or in the trash, cannot go.
 *
 * Content is copied ahead, while everybody works on; the act itself copies what was written meanwhile, and the rows.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Hash, OrganizationId } from '../../core/ids.js'
import { removeGrantsOn } from '../../access/rules/grants.js'
import { requireGivable } from '../../access/rules/grant-limits.js'
import { type Inside, requireWhole } from '../../access/rules/inside.js'
import { organizationActions, reaches, spaceActions, strongest } from '../../access/rules/levels.js'
import type { Services } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import { opens } from '../../access/signin/credential-scope.js'
import { ApiError } from '../../contract/errors.js'
import type { DefaultLevel, Role } from '../../contract/shapes.js'
import { copySnapshots } from '../../store/content/copy.js'
import { listSnapshots } from '../../store/content/revisions.js'
import { collectLater } from '../../store/collect/gc-triggers.js'
import type { Db, Tx } from '../../store/db/database.js'
import { nothing } from '../../store/db/hold.js'
import { demandOrganization } from '../../store/db/transactions.js'
import { placeLast } from '../../store/db/order.js'
import { contentSiblings } from '../../store/db/siblings.js'
import type { CollectionHere } from '../collections/scope.js'
import { type CollectionRow, listSubtree, transferCollectionRows } from '../collections/store.js'
import { findOrganizationOf } from '../organizations/store.js'
import { announceSpaceContent } from '../content/after-effects.js'
import { carryNames } from '../users/former-names.js'
import { carryValues, loadSaidBy } from './custom-fields.js'
import type { SpaceHere } from './scope.js'
import {
  type SpaceRow,
  defaultLevelOf,
  isOnAnySite,
  listSpacesOf,
  moveToOrganization,
  updateSpace,
} from './store.js'

export interface Handover {
  readonly actor: Actor
  readonly now: number
  readonly services: Services
}

/** What the other organization holds already. */
export type Copied = Set<Hash>

/** Copies the content of a space that may be given away, in short steps: nothing names it there yet. */
export async function copySpaceAhead(space: SpaceHere, to: string, handover: Handover): Promise<Copied> {
  const target = await judgeSpace(handover.services.database.read, space, to, handover)
  return copyAhead([space.row], target, 'space', handover)
}

/** Gives a space away, and returns it as it stands then. */
export async function transferSpace(
  tx: Tx,
  space: SpaceHere,
  to: string,
  handover: Handover,
  copied: Copied,
): Promise<SpaceRow> {
  const { row } = space
  // Before anything is copied there: what is copied without it would be copied twice.
  demandOrganization(tx, to as OrganizationId)
  const target = await judgeSpace(tx, space, to, handover)
  await carryNames(tx, row.organization_id, target)
  await handOver(tx, row, target, 'space', handover, copied)
  const siblings = contentSiblings(tx, { organizationId: target, parentId: null }, row.id)
  const position = await placeLast(siblings)
  return updateSpace(tx, { organization_id: target, id: row.id }, { collection_id: null, position })
}

/** Returns to whom the space goes; throws when it may not. */
async function judgeSpace(
  db: Db,
  { row, level }: SpaceHere,
  to: string,
  handover: Handover,
): Promise<OrganizationId> {
  const target = await getTarget(db, row.organization_id, to, handover)
  requireGivable(level, needsToTransfer({ defaultLevel: defaultLevelOf(row) }))
  return target
}

/** The same for a collection with all that is inside. */
export async function copyCollectionAhead(
  collection: CollectionHere,
  to: string,
  handover: Handover,
): Promise<Copied> {
  const { target, spaces } = await judgeCollection(handover.services.database.read, collection, to, handover)
  return copyAhead(spaces, target, 'collection', handover)
}

/** Gives a collection away with all that is inside, and returns to whom. */
export async function transferCollection(
  tx: Tx,
  collection: CollectionHere,
  to: string,
  handover: Handover,
  copied: Copied,
): Promise<OrganizationId> {
  demandOrganization(tx, to as OrganizationId)
  const { target, subtree, spaces } = await judgeCollection(tx, collection, to, handover)
  await carryNames(tx, collection.row.organization_id, target)
  for (const space of spaces) await handOver(tx, space, target, 'collection', handover, copied)
  const ids = subtree.map(({ id }) => id)
  await removeGrantsOn(tx, collection.row.organization_id, ids)
  await transferCollectionRows(tx, subtree, target, handover.now)
  return target
}

/** Returns to whom the collection goes, and what goes with it; throws when it may not. */
async function judgeCollection(
  db: Db,
  { row, role, level }: CollectionHere,
  to: string,
  handover: Handover,
): Promise<{ target: OrganizationId; subtree: readonly CollectionRow[]; spaces: readonly SpaceRow[] }> {
  const { organization_id: organizationId } = row
  const target = await getTarget(db, organizationId, to, handover)
  requireGivable(level, needsToTransfer({ defaultLevel: row.default_level as DefaultLevel }))
  await requireWhole(db, { userId: handover.actor.userId, organizationId, role }, row.id, {
    action: 'transfer the collection with all that is inside',
    needs: needsToTransfer,
  })
  const subtree = await listSubtree(db, row)
  const ids = subtree.map(({ id }) => id)
  return { target, subtree, spaces: await listSpacesOf(db, organizationId, ids) }
}

/** A default level goes along and gives the members there what it says, so it takes having that. */
function needsToTransfer({ defaultLevel }: Pick<Inside, 'defaultLevel'>): Role {
  return strongest([spaceActions.administer, defaultLevel === 'inherit' ? null : defaultLevel])!
}

/** Returns the other organization when this person may create content there. */
async function getTarget(
  db: Db,
  from: OrganizationId,
  to: string,
  { actor }: Handover,
): Promise<OrganizationId> {
  if (to === from) throw new ApiError('no_change', { problem: 'it belongs to this organization already' })
  const target = await findOrganizationOf(db, actor.userId, to as OrganizationId)
  if (target === undefined || !opens(actor, target.row.id)) {
    throw new ApiError('invalid_reference', { member: 'organization', thing: 'an organization' })
  }
  if (!reaches(target.role, organizationActions.createContent)) {
    throw new ApiError('forbidden', { action: 'create content in the other organization', role: 'create' })
  }
  return target.row.id
}

async function requireFree(db: Db, row: SpaceRow, thing: string): Promise<void> {
  if (row.deleted_at !== null) {
    throw new ApiError('cannot_be_moved', { thing, problem: `the space ${row.id} is in the trash` })
  }
  if (await isOnAnySite(db, row)) {
    throw new ApiError('cannot_be_moved', { thing, problem: `the space ${row.id} is shown by a site` })
  }
}

async function copyAhead(
  spaces: readonly SpaceRow[],
  to: OrganizationId,
  thing: string,
  { services: { database }, now }: Handover,
): Promise<Copied> {
  const { read: db } = database
  for (const row of spaces) await requireFree(db, row, thing)
  // Should the spaces stay after all, what was copied is let go of again.
  await database.writeHolding(nothing, (tx) => collectLater(tx, to, now))
  const copied: Copied = new Set()
  for (const { organization_id: from, id } of spaces) {
    const snapshots = await listSnapshots(db, from, id)
    const write = async (work: (tx: Tx) => Promise<void>) => {
      await database.writeHolding(nothing, work)
      // Otherwise the next one has begun before anybody else is heard.
      await nextTurn()
    }
    await copySnapshots({ db, write }, snapshots, { from, to }, copied)
  }
  return copied
}

async function handOver(
  tx: Tx,
  row: SpaceRow,
  to: OrganizationId,
  thing: string,
  { now }: Handover,
  copied: Copied,
): Promise<void> {
  await requireFree(tx, row, thing)
  const snapshots = await listSnapshots(tx, row.organization_id, row.id)
  const here = { db: tx, write: (work: (tx: Tx) => Promise<void>) => work(tx) }
  // A copy: a transaction that is rolled back copied nothing.
  await copySnapshots(here, snapshots, { from: row.organization_id, to }, new Set(copied))
  await removeGrantsOn(tx, row.organization_id, [row.id])
  const said = await loadSaidBy(tx, row)
  await moveToOrganization(tx, row, to, now)
  await carryValues(tx, said, { organization_id: to, id: row.id })
  await announceSpaceContent(tx, { organizationId: to, spaceId: row.id, now })
}
