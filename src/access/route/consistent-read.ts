/**
 * Snapshot reads: a read of several statements sees one database version, through the API, on published sites, of
 * files, on the first page.
 *
 * Each statement sees what is committed when it begins, and cached rows were read earlier, so together they may show a
 * state that never existed. A read of more than one statement therefore checks at its end whether a relevant commit
 * came after its read context, and if so reads again: finally from a snapshot, without the cache. A read of one
 * statement, or of cached rows alone, costs no extra query. Immutable rows do not count.
 */
import type { OrganizationId } from '../../core/ids.js'
import { type ReadContext, readContextAt } from '../../store/cache/caches.js'
import type { DataVersion } from '../../store/db/commits.js'
import { DatabaseUnavailable } from '../../store/db/unavailable.js'
import { type Services, type Source, committedSource } from './scope.js'

/**
 * Names the organization whose rows the answer depends on, besides those about users; without one, all commits count.
 */
export type SetOrganization = (organizationId: OrganizationId | undefined) => void

/** Optimistic reads before falling back to a snapshot. */
const maxTries = 2

/** Runs the read until it saw one database version. It must have no side effects: it may run three times. */
export async function readConsistently<Reply>(
  { services, readContext: taken }: { readonly services: Services; readonly readContext: ReadContext },
  read: (source: Source, setOrganization: SetOrganization) => Promise<Reply>,
): Promise<Reply> {
  const { database } = services
  let readContext = taken
  for (let tries = 0; tries < maxTries; tries += 1) {
    // Rows read for authentication do not count.
    const first = readContext.dependencies.length
    readContext.reads = 0
    let organizationId: OrganizationId | undefined
    let finish: () => Reply
    try {
      const reply = await read(committedSource(database, readContext), (id) => (organizationId = id))
      finish = () => reply
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      // The error may result from an inconsistent read, such as a row that was being moved.
      finish = () => {
        throw error
      }
    }
    const newer = await findNewerVersion(services, readContext, first, organizationId)
    if (newer === undefined) return finish()
    // The rows read for authentication are older than what is read now.
    taken.isComplete = false
    readContext = readContextAt(newer)
  }
  return database.readSnapshot((db) => read({ db, immutable: database.read, readContext: null }, () => {}))
}

/** Returns the newer database version when the read may have mixed versions, otherwise undefined. */
async function findNewerVersion(
  { database, caches }: Services,
  readContext: ReadContext,
  first: number,
  organizationId: OrganizationId | undefined,
): Promise<DataVersion | undefined> {
  const dependencies = readContext.dependencies.length === first ? [] : readContext.dependencies.slice(first)
  if (readContext.reads + dependencies.length < 2) return undefined
  if (readContext.reads === 0) return caches.areCurrent(dependencies) ? undefined : database.dataVersion()
  const now = await database.currentVersion()
  const isUnchanged =
    organizationId === undefined
      ? now === readContext.version
      : database.isUnchanged(readContext.version, [organizationId, 'people'])
  return isUnchanged && caches.areCurrent(dependencies) ? undefined : now
}
