/**
 * The life of a change request: draft ⇄ open → merged, and archived from either and back.
 * Merged is final; what was archived is opened again before it is changed.
 */
import { ApiError } from '../../contract/errors.js'
import type { ChangeRequestRow } from './store.js'

/** Throws 409 when the change request takes no more changes, updates or merges. */
export function requireChangeable({ status }: ChangeRequestRow): void {
  if (status !== 'draft' && status !== 'open') throw new ApiError('change_request_closed', { status })
}

/** Throws 409 for a merged change request, whose status can no longer change. */
export function requireUnmerged({ status }: ChangeRequestRow): void {
  if (status === 'merged') throw new ApiError('change_request_closed', { status })
}
