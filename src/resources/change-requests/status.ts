/**
 * State machine of a change request: draft ⇄ open → merged; draft and open can be archived and reopened.
 * Merged is final; an archived change request must be reopened before it is changed.
 */
import { ApiError } from '../../contract/errors.js'
import type { ChangeRequestRow } from './store.js'

export function isChangeable({ status }: ChangeRequestRow): boolean {
  return status === 'draft' || status === 'open'
}

/** Throws 409 when the change request is merged or archived. */
export function requireChangeable(row: ChangeRequestRow): void {
  const { status } = row
  if (!isChangeable(row)) throw new ApiError('change_request_closed', { status })
}

/** Throws 409 for a merged change request, whose status can no longer change. */
export function requireUnmerged({ status }: ChangeRequestRow): void {
  if (status === 'merged') throw new ApiError('change_request_closed', { status })
}
