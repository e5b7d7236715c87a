/**
 * What the transaction of a route holds, read off its path before anything is loaded: the space that it leads into,
 * or the organization, or for what has no place the people. A route that turns out to write more is begun again with
 * more (see `store/db/hold.ts`), and begins with more the next time.
 */
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import type { Database, Tx } from '../../store/db/database.js'
import { holdOf } from '../../store/db/transactions.js'
import { beginnings, findOrganizationOfPlace } from '../../store/db/directory.js'
import { type Hold, nothing, onlyPeople } from '../../store/db/hold.js'

export interface HoldOfRoute {
  /** Returns what to hold for the place of these parameters; `known` is its organization where it was loaded before. */
  choose(
    database: Database,
    params: Readonly<Record<string, string>>,
    known: OrganizationId | undefined,
  ): Promise<Hold>
  /** Looks at what a transaction of the route came to hold. */
  learn(tx: Tx): void
}

/** `params` are the route's, `isPersonal` says that it has no place but whoever asks. */
export function holdOfRoute(params: readonly string[], isPersonal: boolean): HoldOfRoute {
  const isPlaced = beginnings.some((name) => params.includes(name))
  // What lies around the space was written once, or people were: then it is likely to be so again.
  const learned = { around: false, people: false }
  return {
    async choose(database, values, known) {
      // One writer holds everything anyway.
      if (database.engine === 'sqlite') return 'everything'
      if (!isPlaced) return isPersonal || params.length === 0 ? onlyPeople : 'everything'
      const organization = known ?? (await findOrganizationOfPlace(database.read, values))
      // The place will not be found, unless it is made in this very moment.
      if (organization === undefined) return nothing
      return {
        organizations: [organization],
        ...(values['spaceId'] !== undefined && !learned.around && { space: values['spaceId'] as SpaceId }),
        ...(learned.people && { people: true }),
      }
    },
    learn(tx) {
      const hold = holdOf(tx)
      if (hold === 'everything' || !isPlaced) return
      learned.around ||= hold.space === undefined
      learned.people ||= hold.people === true
    },
  }
}
