/**
 * Giving spaces to another organization: their content goes along with its history, what was shared stays behind.
 * What is published, or in the trash, cannot go.
 */
import type { OrganizationId } from '../../core/ids.js'
import { removeGrantsOn } from '../../access/rules/grants.js'
import { requireGivable } from '../../access/rules/giving.js'
import { type Inside, requireWhole } from '../../access/rules/inside.js'
import { organizationActions, reaches, spaceActions, strongest } from '../../access/rules/levels.js'
import type { Services } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import { opens } from '../../access/signin/reach.js'
import { ApiError } from '../../contract/errors.js'
import type { DefaultLevel, Role } from '../../contract/shapes.js'
import { copySnapshots } from '../../store/content/copy.js'
import { listSnapshots } from '../../store/content/revisions.js'
import type { Tx } from '../../store/db/database.js'
import { demandOrganization } from '../../store/db/transactions.js'
import { placeLast } from '../../store/db/order.js'
import { contentSiblings } from '../../store/db/siblings.js'
import type { CollectionHere } from '../collections/scope.js'
import { listSubtree, transferCollectionRows } from '../collections/store.js'
import { findOrganizationOf } from '../organizations/store.js'
import { announceSpaceContent } from '../content/after-effects.js'
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

/** Gives a space away, and returns it as it stands then. */
export async function transferSpace(
  tx: Tx,
  space: SpaceHere,
  to: string,
  handover: Handover,
): Promise<SpaceRow> {
  const { row, level } = space
  const target = await getTarget(tx, row.organization_id, to, handover)
  requireGivable(level, needsToTransfer({ defaultLevel: defaultLevelOf(row) }))
  await handOver(tx, row, target, 'space', handover)
  const siblings = contentSiblings(tx, { organizationId: target, parentId: null }, row.id)
  const position = await placeLast(siblings)
  return updateSpace(tx, { organization_id: target, id: row.id }, { collection_id: null, position })
}

/** Gives a collection away with all that is inside, and returns to whom. */
export async function transferCollection(
  tx: Tx,
  { row, role, level }: CollectionHere,
  to: string,
  handover: Handover,
): Promise<OrganizationId> {
  const { organization_id: organizationId } = row
  const target = await getTarget(tx, organizationId, to, handover)
  requireGivable(level, needsToTransfer({ defaultLevel: row.default_level as DefaultLevel }))
  await requireWhole(tx, { userId: handover.actor.userId, organizationId, role }, row.id, {
    action: 'transfer the collection with all that is inside',
    needs: needsToTransfer,
  })
  const subtree = await listSubtree(tx, row)
  const ids = subtree.map(({ id }) => id)
  for (const space of await listSpacesOf(tx, organizationId, ids)) {
    await handOver(tx, space, target, 'collection', handover)
  }
  await removeGrantsOn(tx, organizationId, ids)
  await transferCollectionRows(tx, subtree, target, handover.now)
  return target
}

/** A default level goes along and gives the members there what it says, so it takes having that. */
function needsToTransfer({ defaultLevel }: Pick<Inside, 'defaultLevel'>): Role {
  return strongest([spaceActions.administer, defaultLevel === 'inherit' ? null : defaultLevel])!
}

/** Returns the other organization when this person may create content there. */
async function getTarget(
  tx: Tx,
  from: OrganizationId,
  to: string,
  { actor }: Handover,
): Promise<OrganizationId> {
  if (to === from) throw new ApiError('no_change', { problem: 'it belongs to this organization already' })
  // Before anything is copied there: what is copied without it would be copied twice.
  demandOrganization(tx, to as OrganizationId)
  const target = await findOrganizationOf(tx, actor.userId, to as OrganizationId)
  if (target === undefined || !opens(actor, target.row.id)) {
    throw new ApiError('invalid_reference', { member: 'organization', thing: 'an organization' })
  }
  if (!reaches(target.role, organizationActions.createContent)) {
    throw new ApiError('forbidden', { action: 'create content in the other organization', role: 'create' })
  }
  return target.row.id
}

async function handOver(
  tx: Tx,
  row: SpaceRow,
  to: OrganizationId,
  thing: string,
  { now }: Handover,
): Promise<void> {
  if (row.deleted_at !== null) {
    throw new ApiError('cannot_be_moved', { thing, problem: `the space ${row.id} is in the trash` })
  }
  if (await isOnAnySite(tx, row)) {
    throw new ApiError('cannot_be_moved', { thing, problem: `the space ${row.id} is shown by a site` })
  }
  const snapshots = await listSnapshots(tx, row.organization_id, row.id)
  await copySnapshots(tx, snapshots, { from: row.organization_id, to })
  await removeGrantsOn(tx, row.organization_id, [row.id])
  const said = await loadSaidBy(tx, row)
  await moveToOrganization(tx, row, to, now)
  await carryValues(tx, said, { organization_id: to, id: row.id })
  await announceSpaceContent(tx, { organizationId: to, spaceId: row.id, now })
}
