/**
 * A read of several statements sees one moment: through the API, on published sites, of files, on the first page.
 *
 * A statement sees what is committed when it begins, and what is kept was read before, so two of them may show what
 * never was. Whoever answers by more than one therefore asks at the end whether anything was committed since the look
 * that the answer could follow from, and if so reads again: at last from a snapshot, without what is kept. An answer by
 * one statement, or by kept values alone, asks nothing of the database. Rows that never change do not count.
 */
import type { OrganizationId } from '../../core/ids.js'
import { type Look, lookAt } from '../../store/cache/caches.js'
import type { Moment } from '../../store/db/commits.js'
import { DatabaseUnavailable } from '../../store/db/unavailable.js'
import { type Services, type Source, committed } from './scope.js'

/** Says whose rows the answer follows from, beside those about people; of nobody's that is known, all commits count. */
export type About = (organizationId: OrganizationId | undefined) => void

/** Times that something is read beside writers, before it is read from a snapshot. */
const triesBesideWriters = 2

/** Runs the read until it saw one moment. It does nothing but read, so it may run three times. */
export async function readAtOneMoment<Reply>(
  { services, look: taken }: { readonly services: Services; readonly look: Look },
  read: (source: Source, about: About) => Promise<Reply>,
): Promise<Reply> {
  const { database } = services
  let look = taken
  for (let tries = 0; tries < triesBesideWriters; tries += 1) {
    // Signing in came before: who asks is who they were then.
    const first = look.seen.length
    look.reads = 0
    let organizationId: OrganizationId | undefined
    let finish: () => Reply
    try {
      const reply = await read(committed(database, look), (id) => (organizationId = id))
      finish = () => reply
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      // What was missing may have been seen on its way from one place to another.
      finish = () => {
        throw error
      }
    }
    const later = await movedSince(services, look, first, organizationId)
    if (later === undefined) return finish()
    // What signing in recalled is older than what is read now.
    taken.isWhole = false
    look = lookAt(later)
  }
  return database.readSnapshot((db) => read({ db, immutable: database.read, look: null }, () => {}))
}

/** Answers a later moment when what was read may be of several, else nothing. */
async function movedSince(
  { database, caches }: Services,
  look: Look,
  first: number,
  organizationId: OrganizationId | undefined,
): Promise<Moment | undefined> {
  const recalled = look.seen.length === first ? [] : look.seen.slice(first)
  if (look.reads + recalled.length < 2) return undefined
  if (look.reads === 0) return caches.stillHolds(recalled) ? undefined : database.moment()
  const now = await database.momentNow()
  const isStill =
    organizationId === undefined
      ? now === look.moment
      : database.isStill(look.moment, [organizationId, 'people'])
  return isStill && caches.stillHolds(recalled) ? undefined : now
}
