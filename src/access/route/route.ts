/**
 * A route: an endpoint, the scope that loads its place, the action it takes there, and a handler.
 *
 * The compiler refuses a scope that leaves a path parameter unloaded, an action that does not exist
 * at the place, and a reply off the contract. GET handlers read, and see one moment; every other handler runs inside one
 * transaction, together with the loading and judging of its place. Work that is too long for one
 * transaction is declared with `longRoute` and commits at its end. Both hold the place against other writers and
 * write the audit log, so that no handler has to, and refuse a session or token that does not reach its organization.
 */
import type { OrganizationId } from '../../core/ids.js'
import type { BodyOf, Endpoint, ParamOf, QueryOf, ReplyOf } from '../../contract/endpoint.js'
import { type ReadContext, readContextAt } from '../../store/cache/caches.js'
import type { Db, Tx } from '../../store/db/database.js'
import { requireOrganizationScope } from '../../store/db/transactions.js'
import type { Origin } from '../audit/record.js'
import { type EventFeed, Following, readEvents } from '../events/event-feed.js'
import type { Actor } from '../signin/actor.js'
import {
  isInvited,
  requireOrganizationAccess,
  requireSession,
  requireAllOrganizations,
} from '../signin/credential-scope.js'
import { recordOperation } from './audit-operation.js'
import { Accepted } from './accepted.js'
import { Created } from './created.js'
import { cursorsOf } from './cursor.js'
import { routeLockScope } from './lock-scope.js'
import { readConsistently } from './consistent-read.js'
import type { nothingRemoved } from './removal.js'
import { type Scope, type Services, type Source, loadRequestFrom, requireVerdict } from './scope.js'
import type { Streamed } from './streamed.js'
import type { Written } from './written.js'

/** A reply of bytes: a file to be saved under a name. The route's endpoint says of which type. */
export class Download {
  constructor(
    readonly name: string,
    readonly bytes: AsyncIterable<Uint8Array>,
  ) {}
}

/** What arrives with every request, besides the things of its place. */
export interface RequestContext<E extends Endpoint> {
  readonly actor: Actor
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  /** Where the request comes from. */
  readonly origin: Origin
  /** Milliseconds since 1970, one moment for the whole request. */
  readonly now: number
  readonly services: Services
  /** What the request may believe of what is kept. */
  readonly readContext: ReadContext
  /** The raw body of an upload. */
  readonly upload: Upload
  readonly waitPreference: WaitPreference
}

/** How whoever asks waits for the answer. */
export interface WaitPreference {
  /** Aborted when they have gone. */
  readonly signal: AbortSignal
  /** Seconds that they would wait for what is not done yet, as in `Prefer: wait=2`; 0 where they say nothing. */
  readonly seconds: number
  /** Whether they would rather be told at once where to look, as in `Prefer: respond-async`. */
  readonly isAsynchronous: boolean
}

/** The bytes of an upload: one file, by name and type, as a stream. */
export interface Upload {
  /** Reads the first file of the request; more bytes than the limit are an error. */
  file(limit: number): Promise<{ name: string; contentType: string; stream: AsyncIterable<Uint8Array> }>
}

/** A route with its types closed, as `app` mounts it. */
export interface Route {
  readonly endpoint: Endpoint
  run(
    arrival: Omit<RequestContext<Endpoint>, 'actor'> & { actor: Actor },
    params: Readonly<Record<string, string>>,
  ): Promise<unknown>
}

/** The reply of the contract, or nothing at all where it has none. */
type Answered<E extends Endpoint> =
  | ReplyOf<E>
  | (undefined extends ReplyOf<E> ? void : never)
  | Written
  | Streamed
  | Accepted
  | Created
  | Download
  | typeof nothingRemoved

type Handle<E extends Endpoint, Things, Store> = (
  request: Things & RequestContext<E> & Store,
) => Promise<Answered<E>>

interface Declaration<E extends Endpoint, Things extends object, Action extends string, Store> {
  at: Scope<ParamOf<E>, Things, Action>
  /** Inferred from the scope alone, so that a made-up action is an error. */
  allow: NoInfer<Action>
  handle: Handle<E, Things, Store>
}

/** Where a read reads: what is committed, and for those who load places themselves, where from. */
interface Reading {
  readonly db: Db
  readonly source: Source
}

type StoreFor<E extends Endpoint> = E['method'] extends 'GET' ? Reading : { readonly tx: Tx }

/** A read that is asked in a body: like a GET in everything else. */
export function readingRoute<E extends Endpoint, Things extends object, Action extends string>(
  endpoint: E,
  declaration: Declaration<E, Things, Action, Reading>,
): Route {
  const closed: Endpoint = endpoint
  const { handle } = declaration
  const read = readingAt(closed, declaration)
  return { endpoint: closed, run: (arrival, params) => read(arrival, params, handle as never) }
}

export function route<E extends Endpoint, Things extends object, Action extends string>(
  endpoint: E,
  declaration: Declaration<E, Things, Action, StoreFor<E>>,
): Route {
  const closed: Endpoint = endpoint
  const { handle } = declaration
  const write = actingAt(closed, declaration)
  const read = readingAt(closed, declaration)
  const cursorsAt = cursorsOf(closed)

  return {
    endpoint: closed,
    async run(given, params) {
      const { query, seal } = cursorsAt(params, given.query)
      const arrival = { ...given, query }
      if (closed.method !== 'GET') {
        const work = (tx: Tx, things: Things) => handle({ ...things, ...arrival, tx } as never)
        return seal(await write(arrival, params, undefined, work))
      }
      return seal(await read(arrival, params, handle as never))
    },
  }
}

interface Seeking<E extends Endpoint, Things extends object, Action extends string, Found> {
  at: Scope<ParamOf<E>, Things, Action>
  allow: NoInfer<Action>
  /** Decides by what is read what is sought, and returns what seeks it, which may wait for others and reads nothing itself. */
  seek: (request: Things & RequestContext<E> & { readonly db: Db }) => Promise<() => Promise<Found>>
  /** Answers by what was found: it may be older than what is read here, so what may be shown is judged here again. */
  handle: (
    request: Things & RequestContext<E> & { readonly db: Db; readonly found: Found },
  ) => Promise<ReplyOf<E>>
}

/**
 * A read that waits for its turn elsewhere, which takes too long to be made again. Its place is loaded and judged
 * before, and once more by what is committed when it is answered.
 */
export function seekingRoute<E extends Endpoint, Things extends object, Action extends string, Found>(
  endpoint: E,
  declaration: Seeking<E, Things, Action, Found>,
): Route {
  const closed: Endpoint = endpoint
  const { seek, handle } = declaration
  const read = readingAt(closed, declaration)
  const cursorsAt = cursorsOf(closed)
  return {
    endpoint: closed,
    async run(given, params) {
      const { query, seal } = cursorsAt(params, given.query)
      const arrival = { ...given, query }
      const find = (await read(arrival, params, seek as never)) as () => Promise<Found>
      const found = await find()
      const readContext = readContextAt(await given.services.database.currentVersion())
      const show: Work = (request) => handle(Object.assign(request, { found }) as never)
      return seal(await read({ ...arrival, readContext }, params, show))
    },
  }
}

interface Noting<E extends Endpoint, Things extends object, Action extends string> {
  at: Scope<ParamOf<E>, Things, Action>
  allow: NoInfer<Action>
  /** Keeps in memory what is told; throws where it is wrong. */
  note: (request: Things & RequestContext<E>) => void
}

/** What is only noted in memory, by those who may read at the place: judged as a read is, told once, written by nobody here. */
export function notingRoute<E extends Endpoint, Things extends object, Action extends string>(
  endpoint: E,
  declaration: Noting<E, Things, Action>,
): Route {
  const closed: Endpoint = endpoint
  const read = readingAt(closed, declaration)
  return {
    endpoint: closed,
    async run(arrival, params) {
      declaration.note((await read(arrival, params, async (request) => request)) as never)
    },
  }
}

interface FollowingAt<E extends Endpoint, Things extends object, Action extends string> {
  at: Scope<ParamOf<E>, Things, Action>
  allow: NoInfer<Action>
  /** Says what of which stream is shown at the place. */
  follow: (request: Things) => EventFeed
}

/** A read of what happened at a place, which can be followed: it is loaded and judged anew whenever something is told. */
export function followingRoute<E extends Endpoint, Things extends object, Action extends string>(
  endpoint: E,
  declaration: FollowingAt<E, Things, Action>,
): Route {
  const closed: Endpoint = endpoint
  const read = readingAt(closed, declaration)
  return {
    endpoint: closed,
    run: (arrival, params) =>
      read(arrival, params, async (request) => {
        const followed = declaration.follow(request as never)
        const { after } = arrival.query as { readonly after?: number }
        return new Following(followed, await readEvents(request.db, followed, after, arrival.actor.userId))
      }),
  }
}

/** What is done with the things of a place, whose types are closed. */
type Work = (request: object & { readonly db: Db }) => Promise<unknown>

/** Returns what runs a read at the place of a route, so that place and read see one moment. */
function readingAt<Params extends string, Things extends object, Action extends string>(
  endpoint: Endpoint,
  declaration: { at: Scope<Params, Things, Action>; allow: Action },
) {
  return (
    arrival: RequestContext<Endpoint>,
    params: Readonly<Record<string, string>>,
    work: Work,
  ): Promise<unknown> =>
    readConsistently(arrival, async (source, about) => {
      const things = await enter(endpoint, declaration, source, arrival, params)
      about(declaration.at.organizationOf?.(things))
      const request = { ...things, ...arrival, source }
      // Asked of the source, which notes it.
      Object.defineProperty(request, 'db', { get: () => source.db })
      return work(request as never)
    })
}

/** How a long route writes at its place. */
export interface Committing<Things extends object> {
  /**
   * Runs the work in the one transaction that makes the act seen, together with its entry in the audit log. The place
   * is loaded and judged in it once more: what is handed over is as it is now, and stays so until the end. Called
   * once, last; what is written before names nothing that anybody could see.
   */
  commit<Reply>(work: (here: Things & { readonly tx: Tx }) => Promise<Reply>): Promise<Reply>
}

/** The same for work that is too long for one transaction; its place is loaded and judged before it begins, too. */
export function longRoute<E extends Endpoint, Things extends object, Action extends string>(
  endpoint: E,
  declaration: Declaration<E, Things, Action, Committing<Things>>,
): Route {
  const closed: Endpoint = endpoint
  const write = actingAt(closed, declaration)
  return {
    endpoint: closed,
    async run(arrival, params) {
      const things = await readConsistently(arrival, async (source, about) => {
        const here = await enter(closed, declaration, source, arrival, params)
        about(declaration.at.organizationOf?.(here))
        return here
      })
      let isCommitted = false
      const commit: Committing<Things>['commit'] = async (work) => {
        const reply = await write(arrival, params, declaration.at.organizationOf?.(things), (tx, here) =>
          work({ ...here, tx }),
        )
        isCommitted = true
        return reply as never
      }
      const reply = await declaration.handle({ ...things, ...arrival, commit } as never)
      // Nothing came to be seen, so there is nothing that the entry could be lost to; what goes on is noted by its commit.
      const isOver = isCommitted || reply instanceof Accepted
      if (!isOver && closed.method !== 'GET') await write(arrival, params, undefined, async () => reply)
      return reply
    },
  }
}

/** Returns what runs work at the place of a route: in one transaction with loading and judging, and with its audit entry. */
function actingAt<Params extends string, Things extends object, Action extends string>(
  endpoint: Endpoint,
  declaration: { at: Scope<Params, Things, Action>; allow: Action },
) {
  const holds = routeLockScope(endpoint.params, declaration.at.isPersonal === true)
  return async (
    arrival: RequestContext<Endpoint>,
    params: Readonly<Record<string, string>>,
    organization: OrganizationId | undefined,
    work: (tx: Tx, things: Things) => Promise<unknown>,
  ): Promise<unknown> => {
    const { database } = arrival.services
    return database.writeWithLocks(await holds.choose(database, params, organization), async (tx) => {
      const things = await enter(endpoint, declaration, inside(tx), arrival, params)
      const organizationId = declaration.at.organizationOf?.(things)
      // It may have moved to another one since its path was looked up.
      if (organizationId !== undefined) requireOrganizationScope(tx, organizationId)
      const reply = await work(tx, things)
      await recordOperation(tx, { ...arrival, endpoint, params, resources: things, organizationId, reply })
      holds.learn(tx)
      return reply
    })
  }
}

function inside(tx: Tx): Source {
  return { db: tx, immutable: tx, readContext: null }
}

/** Loads the place and lets the actor in, or throws. */
async function enter<Params extends string, Things extends object, Action extends string>(
  endpoint: Endpoint,
  { at, allow }: { at: Scope<Params, Things, Action>; allow: Action },
  source: Source,
  { actor, services }: RequestContext<Endpoint>,
  params: Readonly<Record<string, string>>,
): Promise<Things> {
  if (at.requiresSession === true) requireSession(actor)
  if (at.requiresAllOrganizations === true) requireAllOrganizations(actor)
  const things = await at.load(loadRequestFrom(source, actor, services), params as Record<Params, string>)
  {
    const row = (thing: any) => thing?.row ?? thing
    let walked: unknown
    for (const [key, thing] of Object.entries(things)) {
      const r = row(thing)
      if (key === 'organization' && r?.id !== undefined) {
        walked = r.id
        break
      }
      if (typeof r?.organization_id === 'string') {
        walked = r.organization_id
        break
      }
    }
    if (walked !== at.organizationOf?.(things)) {
      console.error('WALKDIFF', endpoint.operationId, walked, at.organizationOf?.(things))
      throw new Error('WALKDIFF ' + endpoint.operationId)
    }
  }
  const organizationId = at.organizationOf?.(things)
  if (organizationId !== undefined) {
    if (at.allowsInvited === true && isInvited(actor, organizationId)) requireAllOrganizations(actor)
    else requireOrganizationAccess(actor, organizationId, services.addresses)
  } else if (!endpoint.reads && at.isPersonal !== true) requireAllOrganizations(actor)
  const { verdict, noun } = at.authorize(allow, things)
  requireVerdict(verdict, noun, allow)
  if (!endpoint.reads) at.requireWritable?.(things)
  return things
}
