/**
 * State machine of a change request: draft ⇄ open → merged; draft and open can be archived and reopened.
 * Merged is final; an archived change request must be reopened before it is changed.
 */
import { ApiError } from '../../contract/errors.js'
import type { ChangeRequestRow } from './store.js'

/** Throws 409 when the change request is merged or archived. */
export function requireChangeable({ status }: ChangeRequestRow): void {
  if (status !== 'draft' && status !== 'open') throw new ApiError('change_request_closed', { status })
}

/** Throws 409 for a merged change request, whose status can no longer change. */
export function requireUnmerged({ status }: ChangeRequestRow): void {
  if (status === 'merged') throw new ApiError('change_request_closed', { status })
}
