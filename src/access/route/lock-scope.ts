/**
 * Lock scope of a route's transaction, known before anything is loaded: the space or else the organization of the path,
 * for routes outside of organizations the people. A route that writes more declares it (`locks`), and
 * `tests/route-locks.test.ts` compares the declarations with what the operations write. A transaction that needs still
 * more runs again with more locks (see `store/db/lock-scope.ts`).
 */
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import type { Database } from '../../store/db/database.js'
import { ownerParameters } from '../../store/db/directory.js'
import { type LockScope, noLocks, peopleLock } from '../../store/db/lock-scope.js'

/** More than the path says: the whole organization instead of the space, or that and people's accounts. */
export type RouteLocks = 'organization' | 'people'

interface LockedRoute {
  readonly endpoint: { readonly params: readonly string[] }
  readonly at: { readonly isPersonal?: boolean }
  readonly locks?: RouteLocks
}

/** Returns the lock scope for these path parameters; `organization` is undefined when the path names none that exists. */
export function lockScopeOfRoute(
  { endpoint: { params }, at, locks }: LockedRoute,
  { engine }: Database,
  values: Readonly<Record<string, string>>,
  organization: OrganizationId | undefined,
): LockScope {
  // SQLite has one writer anyway.
  if (engine === 'sqlite') return 'everything'
  if (!ownerParameters.some((name) => params.includes(name))) {
    const isPersonal = at.isPersonal === true || params.length === 0 || locks === 'people'
    return isPersonal ? peopleLock : 'everything'
  }
  // The resource will not be found, unless it is created concurrently.
  if (organization === undefined) return noLocks
  const space = locks === undefined ? values['spaceId'] : undefined
  return {
    organizations: [organization],
    ...(space !== undefined && { space: space as SpaceId }),
    ...(locks === 'people' && { people: true }),
  }
}
