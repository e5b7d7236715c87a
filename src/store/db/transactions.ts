/**
 * Write transactions: the lock scope of each, its cache tags, and the topics announced when it commits. How locks are
 * acquired and commits announced is up to the engine.
 */
import type { KyselyPlugin } from 'kysely'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { runTransaction } from './concurrent-transaction.js'
import type { Database, Db, Prefetch, Topic, Tx } from './database.js'
import {
  type LockScope,
  locksOrganization,
  locksSpace,
  locksOf,
  readWritten,
  withOrganization,
} from './lock-scope.js'
import { recordCommit } from './record-commit.js'
import { type AcquireLocks, retryTransaction } from './retry-transaction.js'
import { collectCommitTags } from './commit-tags.js'
import { type WriteState, requireScope, requireTarget, writeStates } from './write-state.js'

/** Makes the commit of this transaction wake the listeners of a topic. */
export function announce(tx: Tx, topic: Topic): void {
  writeStates.get(tx)!.topics.add(topic)
}

/** Returns the lock scope of the transaction. */
export function lockScopeOf(tx: Tx): LockScope {
  return writeStates.get(tx)!.scope
}

/** Requires that no one else writes in the organization before the transaction ends. */
export function requireOrganizationLock(tx: Tx, id: OrganizationId): void {
  const state = writeStates.get(tx)!
  if (!state.created.has(id) && !locksOrganization(state.scope, id))
    requireScope(state, withOrganization(state.scope, id))
}

/** Requires that the scope of the transaction includes this organization, or a space of it. */
export function requireOrganizationScope(tx: Tx, id: OrganizationId): void {
  const state = writeStates.get(tx)!
  const { scope } = state
  if (scope !== 'everything' && !scope.organizations.includes(id))
    requireScope(state, withOrganization(scope, id))
}

/** Requires that no one else writes in the space before the transaction ends. */
export function requireSpaceLock(tx: Tx, id: SpaceId): void {
  const state = writeStates.get(tx)!
  if (state.created.size === 0 && !locksSpace(state.scope, id)) requireScope(state, 'everything')
}

interface WriterOptions {
  /** Undefined where the engine has one writer. */
  readonly lock: AcquireLocks | undefined
  readonly beforeCommit: (tx: Db, state: WriteState) => Promise<void>
  /** Called when the commit is visible to readers. */
  readonly onVisible?: () => void
  /** Resolves when all commits before are on disk, where committing does not wait for that. */
  readonly untilDurable?: () => Promise<void>
  /** Called when the commit is durable, so that no mail or webhook tells of one that a power cut takes back. */
  readonly afterCommit: (topics: Iterable<Topic>) => void
}

/** Returns the write functions of a database handle; transactions whose scopes conflict run one after the other. */
export function createWriter(
  db: Db,
  { lock, beforeCommit, onVisible, untilDurable, afterCommit }: WriterOptions,
): Pick<Database, 'write' | 'writeWithLocks'> {
  async function noteCommit(plain: Db, state: WriteState): Promise<void> {
    const engine = lock === undefined ? 'sqlite' : 'postgres'
    await Promise.all([recordCommit(plain, engine, state.tags), beforeCommit(plain, state)])
  }

  async function runOnce<T>(
    scope: LockScope,
    work: (tx: Tx) => Promise<T>,
    prefetch: Prefetch | undefined,
  ): Promise<T> {
    const state: WriteState = {
      hasChanges: false,
      tags: new Set(),
      topics: new Set(),
      scope,
      created: new Set(),
      upgrade: undefined,
    }
    const locks = lock && (await lock(locksOf(scope)))
    try {
      const result = await runTransaction(db, {
        async work(plain) {
          const tx = plain
            .withPlugin(collectCommitTags(state.tags))
            .withPlugin(checkLocks(state)) as unknown as Tx
          for (const handle of [plain, tx]) writeStates.set(handle, state)
          const locked = locks?.acquireIn(plain)
          prefetch?.(tx)
          await locked
          const answer = await work(tx)
          if (state.upgrade !== undefined) throw state.upgrade
          return answer
        },
        beforeCommit: (plain) => (state.hasChanges ? noteCommit(plain, state) : undefined),
        // A failed statement of PostgreSQL fails the transaction.
        failsAsWhole: lock !== undefined,
      })
      if (state.hasChanges) onVisible?.()
      // Also without changes: the answer may follow from a commit that is not durable yet.
      await untilDurable?.()
      if (state.hasChanges) afterCommit(state.topics)
      return result
    } finally {
      locks?.release()
    }
  }
  const writeWithLocks: Database['writeWithLocks'] = (wanted, work, prefetch) =>
    retryTransaction(lock === undefined ? 'everything' : wanted, (scope) => runOnce(scope, work, prefetch))
  return { write: (work) => writeWithLocks('everything', work), writeWithLocks }
}

function checkLocks(state: WriteState): KyselyPlugin {
  return {
    transformQuery: ({ node }) => {
      if (state.scope !== 'everything') requireTarget(state, readWritten(node))
      return node
    },
    transformResult: async ({ result }) => {
      if (result.numAffectedRows) state.hasChanges = true
      return result
    },
  }
}
