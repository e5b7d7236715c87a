/** State of an open write transaction: its lock scope, and what its statements changed so far. */
import type { OrganizationId } from '../../core/ids.js'
import type { CommitTags } from './commit-tags.js'
import type { Db, Topic } from './database.js'
import { type LockScope, LockUpgradeRequired, type WriteTarget, widenScope } from './lock-scope.js'

export interface WriteState {
  hasChanges: boolean
  readonly tags: CommitTags
  readonly topics: Set<Topic>
  readonly scope: LockScope
  /** Organizations that this transaction created. */
  readonly created: Set<OrganizationId>
  /** Set when the work wrote outside its scope, in case it caught the error. */
  upgrade: LockUpgradeRequired | undefined
}

/** By the handle that the work of the transaction receives. */
export const writeStates = new WeakMap<Db, WriteState>()

export function requireScope(state: WriteState, required: LockScope): never {
  state.upgrade ??= new LockUpgradeRequired(required)
  throw state.upgrade
}

/** Requires that the scope of the transaction includes what a statement writes. */
export function requireTarget(state: WriteState, written: WriteTarget | undefined): void {
  const required = widenScope(written, state.scope, state.created)
  if (required !== undefined) requireScope(state, required)
}
