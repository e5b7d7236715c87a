/**
 * Lock scope of a route's transaction, derived from its path before anything is loaded: the space, or the organization,
 * or for routes outside of organizations the users. A route that turns out to write more is restarted with more locks
 * (see `store/db/lock-scope.ts`), and starts with more the next time.
 */
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import type { Database, Tx } from '../../store/db/database.js'
import { lockScopeOf } from '../../store/db/transactions.js'
import { ownerParameters, findOrganizationOfPath } from '../../store/db/directory.js'
import { type LockScope, noLocks, peopleLock } from '../../store/db/lock-scope.js'

export interface RouteLockScope {
  /** Returns the lock scope for these path parameters; `known` is the organization if it was loaded before. */
  choose(
    database: Database,
    params: Readonly<Record<string, string>>,
    known: OrganizationId | undefined,
  ): Promise<LockScope>
  /** Records which locks a transaction of the route ended up with. */
  learn(tx: Tx): void
}

/** `params` are the route's path parameters; `isPersonal` means that it concerns only the actor. */
export function routeLockScope(params: readonly string[], isPersonal: boolean): RouteLockScope {
  const isPlaced = ownerParameters.some((name) => params.includes(name))
  // A route that once wrote outside of the space, or to users, is likely to do so again.
  const learned = { around: false, people: false }
  return {
    async choose(database, values, known) {
      // SQLite has one writer anyway.
      if (database.engine === 'sqlite') return 'everything'
      if (!isPlaced) return isPersonal || params.length === 0 ? peopleLock : 'everything'
      const organization = known ?? (await findOrganizationOfPath(database.read, values))
      // The resource will not be found, unless it is created concurrently.
      if (organization === undefined) return noLocks
      return {
        organizations: [organization],
        ...(values['spaceId'] !== undefined && !learned.around && { space: values['spaceId'] as SpaceId }),
        ...(learned.people && { people: true }),
      }
    },
    learn(tx) {
      const hold = lockScopeOf(tx)
      if (hold === 'everything' || !isPlaced) return
      learned.around ||= hold.space === undefined
      learned.people ||= hold.people === true
    },
  }
}
