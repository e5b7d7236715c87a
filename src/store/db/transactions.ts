/**
 * Transactions that write: what each holds, what it changed, and what is told of it when it commits. Which locks that
 * takes, and whom a commit is told, is the engine's.
 */
import type { KyselyPlugin } from 'kysely'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { recordCommit } from './commits.js'
import type { Database, Db, Topic, Tx } from './database.js'
import {
  type Hold,
  NeedsMore,
  holdsOrganization,
  holdsSpace,
  locksOf,
  widerFor,
  withOrganization,
} from './hold.js'
import { type LockIn, retrying } from './retry-transaction.js'
import { type Concerns, watchWrites } from './affected-tables.js'

interface WriteState {
  changed: boolean
  readonly concerns: Concerns
  readonly topics: Set<Topic>
  readonly hold: Hold
  /** Organizations that this transaction made. */
  readonly born: Set<OrganizationId>
  /** Set when the work wrote what it does not hold, in case it caught the error. */
  needed: NeedsMore | undefined
}

const writeStates = new WeakMap<Db, WriteState>()

/** Lets the commit of this transaction wake the listeners of a topic. */
export function announce(tx: Tx, topic: Topic): void {
  writeStates.get(tx)!.topics.add(topic)
}

/** Answers what the transaction holds. */
export function holdOf(tx: Tx): Hold {
  return writeStates.get(tx)!.hold
}

/** Sees to it that nobody else writes in the organization before the transaction ends. */
export function demandOrganization(tx: Tx, id: OrganizationId): void {
  const state = writeStates.get(tx)!
  if (!state.born.has(id) && !holdsOrganization(state.hold, id)) need(state, withOrganization(state.hold, id))
}

/** Sees to it that what the transaction holds lies in this organization, or is all of it. */
export function demandPart(tx: Tx, id: OrganizationId): void {
  const state = writeStates.get(tx)!
  const { hold } = state
  if (hold !== 'everything' && !hold.organizations.includes(id)) need(state, withOrganization(hold, id))
}

/** Sees to it that nobody else writes in the space before the transaction ends. */
export function demandSpace(tx: Tx, id: SpaceId): void {
  const state = writeStates.get(tx)!
  if (state.born.size === 0 && !holdsSpace(state.hold, id)) need(state, 'everything')
}

function need(state: WriteState, wider: Hold): never {
  state.needed ??= new NeedsMore(wider)
  throw state.needed
}

interface Writing {
  /** How locks are had; undefined where there is one writer anyway. */
  readonly lock: LockIn | undefined
  readonly beforeCommit: (tx: Db, state: WriteState) => Promise<void>
  readonly afterCommit: (topics: Iterable<Topic>) => void
}

/** Returns how a handle writes, one transaction after the other where they hold the same. */
export function writing(
  db: Db,
  { lock, beforeCommit, afterCommit }: Writing,
): Pick<Database, 'write' | 'writeHolding'> {
  async function once<T>(hold: Hold, work: (tx: Tx) => Promise<T>): Promise<T> {
    const state: WriteState = {
      changed: false,
      concerns: new Set(),
      topics: new Set(),
      hold,
      born: new Set(),
      needed: undefined,
    }
    const locks = lock && (await lock(locksOf(hold)))
    try {
      const result = await db.transaction().execute(async (plain) => {
        await locks?.takeIn(plain)
        const tx = plain.withPlugin(watchWrites(state.concerns)).withPlugin(watch(state)) as unknown as Tx
        writeStates.set(tx, state)
        const answer = await work(tx)
        if (state.needed !== undefined) throw state.needed
        if (state.changed) {
          await recordCommit(plain, lock === undefined ? 'sqlite' : 'postgres', state.concerns)
          await beforeCommit(plain, state)
        }
        return answer
      })
      if (state.changed) afterCommit(state.topics)
      return result
    } finally {
      locks?.release()
    }
  }
  const writeHolding: Database['writeHolding'] = (wanted, work) =>
    retrying(lock === undefined ? 'everything' : wanted, (hold) => once(hold, work))
  return { write: (work) => writeHolding('everything', work), writeHolding }
}

function watch(state: WriteState): KyselyPlugin {
  return {
    transformQuery: ({ node }) => {
      const wider = widerFor(node, state.hold, state.born)
      if (wider !== undefined) need(state, wider)
      return node
    },
    transformResult: async ({ result }) => {
      if (result.numAffectedRows) state.changed = true
      return result
    },
  }
}
