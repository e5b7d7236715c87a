/** Presents a change request as the API returns it. */
import { type Level, type SpaceAction, reaches, spaceActions } from '../../access/rules/levels.js'
import type { ChangeRequest } from '../../contract/change-requests.js'
import type { Conflict as WireConflict } from '../../contract/change-requests.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Conflict } from '../../core/merge/conflict.js'
import type { Json } from '../../core/merkle/types.js'
import type { RevisionId, UserId } from '../../core/ids.js'
import { presentUser } from '../users/present.js'
import type { UserRow } from '../users/store.js'
import { openConflicts } from './pending-conflicts.js'
import { isChangeable } from './status.js'
import type { ChangeRequestRow } from './store.js'

export interface ChangeRequestRelations {
  readonly addresses: Addresses
  /** Returns the head of its space; the change request is outdated while it has not taken in that revision. */
  readonly headOf: (row: ChangeRequestRow) => RevisionId
  readonly users: ReadonlyMap<UserId, UserRow>
  /** Returns the level of the viewer on its space; absent where their permissions are not presented. */
  readonly levelOf?: ((row: ChangeRequestRow) => Level) | undefined
}

export function presentChangeRequest(
  row: ChangeRequestRow,
  { addresses, headOf, users, levelOf }: ChangeRequestRelations,
): ChangeRequest {
  const user = (id: UserId) => presentUser(addresses, users.get(id)!)
  return {
    object: 'change-request',
    id: row.id,
    number: row.number,
    status: row.status as ChangeRequest['status'],
    subject: row.subject,
    space: row.space_id,
    createdBy: user(row.created_by),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    revision: row.revision_id,
    revisionInitial: row.revision_initial_id,
    ...(row.revision_merged_ancestor_id !== row.revision_initial_id && {
      revisionMergedAncestor: row.revision_merged_ancestor_id,
    }),
    ...(row.revision_merged_id !== null && { revisionMerged: row.revision_merged_id }),
    ...(row.merged_by !== null && { mergedBy: user(row.merged_by) }),
    ...(row.merged_at !== null && { mergedAt: new Date(row.merged_at).toISOString() }),
    comments: row.comments,
    outdated: row.status !== 'merged' && row.revision_merged_ancestor_id !== headOf(row),
    conflicts: openConflicts(row).length,
    ...(levelOf !== undefined && { permissions: permissionsOn(row, levelOf(row)) }),
    urls: {
      app: addresses.app(`/s/${row.space_id}/~/changes/${row.number}/`),
      location: addresses.api(`/spaces/${row.space_id}/change-requests/${row.id}`),
    },
  }
}

/** What is closed stays as it is, and only what is merged is closed for ever. */
function permissionsOn(row: ChangeRequestRow, level: Level): NonNullable<ChangeRequest['permissions']> {
  const may = (action: SpaceAction) => reaches(level, spaceActions[action])
  const isOpen = isChangeable(row)
  return {
    view: may('view'),
    comment: may('comment'),
    edit: isOpen && may('edit'),
    update: may('edit'),
    review: isOpen && may('review'),
    merge: isOpen && may('merge'),
  }
}

/** Returns a conflict as the API returns it: records of the store are reduced to title, path and name. */
export function presentConflict(conflict: Conflict): WireConflict {
  const { id, kind, base, ours, theirs } = conflict
  return {
    id,
    kind,
    ...('page' in conflict && conflict.page !== undefined && { page: conflict.page }),
    ...('path' in conflict && { path: conflict.path }),
    ...('member' in conflict && { member: conflict.member }),
    base: presentValue(kind, base as Json),
    ours: presentValue(kind, ours as Json),
    theirs: presentValue(kind, theirs as Json),
  }
}

function presentValue(kind: Conflict['kind'], value: Json): Json {
  if (kind === 'block' || kind === 'member' || value === null || typeof value !== 'object') return value
  if (kind === 'text') return 'changed'
  const { title, path, name } = value as { title?: string; path?: string; name?: string }
  return {
    ...(title !== undefined && { title }),
    ...(path !== undefined && { path }),
    ...(name !== undefined && { name }),
  }
}
