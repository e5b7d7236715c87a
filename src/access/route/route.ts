/**
 * A route: an endpoint, the scope that loads its place, the action it takes there, and a handler.
 *
 * The compiler refuses a scope that leaves a path parameter unloaded, an action that does not exist
 * at the place, and a reply off the contract. GET handlers read; every other handler runs inside one
 * transaction, together with the loading and judging of its place. Work that is too long for one
 * transaction is declared with `longRoute` and opens its own. Both write the audit log, so that no handler
 * has to, and refuse a session or token that does not reach the organization of the place.
 */
import type { BodyOf, Endpoint, Method, QueryOf, ReplyOf } from '../../contract/endpoint.js'
import type { Db, Tx } from '../../store/db/database.js'
import { organizationOf, recordAct } from '../audit/record.js'
import type { Actor, Origin } from '../signin/actor.js'
import { isInvited, requireOpen, requireSession, requireWholeReach } from '../signin/reach.js'
import type { nothingRemoved } from './removal.js'
import { type Scope, type Services, requireVerdict } from './scope.js'

/** A reply that is already written: JSON text, sent as it is. */
export class Written {
  constructor(readonly json: string | Uint8Array) {}
}

/** A reply of bytes: a file to be saved under a name. The route's endpoint says of which type. */
export class Download {
  constructor(
    readonly name: string,
    readonly bytes: AsyncIterable<Uint8Array>,
  ) {}
}

/** What arrives with every request, besides the things of its place. */
export interface Arrival<E extends Endpoint> {
  readonly actor: Actor
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  /** Where the request comes from. */
  readonly origin: Origin
  /** Milliseconds since 1970, one moment for the whole request. */
  readonly now: number
  readonly services: Services
  /** The raw body of an upload. */
  readonly upload: Upload
}

/** The bytes of an upload: one file, by name and type, as a stream. */
export interface Upload {
  /** Reads the first file of the request; more bytes than the limit are an error. */
  file(limit: number): Promise<{ name: string; contentType: string; stream: AsyncIterable<Uint8Array> }>
}

export type ParamsOfEndpoint<E extends Endpoint> = E extends Endpoint<Method, infer Params> ? Params : never

/** A route with its types closed, as `app` mounts it. */
export interface Route {
  readonly endpoint: Endpoint
  run(
    arrival: Omit<Arrival<Endpoint>, 'actor'> & { actor: Actor },
    params: Readonly<Record<string, string>>,
  ): Promise<unknown>
}

/** The reply of the contract, or nothing at all where it has none. */
type Answered<E extends Endpoint> =
  | ReplyOf<E>
  | (undefined extends ReplyOf<E> ? void : never)
  | Written
  | Download
  | typeof nothingRemoved

type Handle<E extends Endpoint, Things, Store> = (
  request: Things & Arrival<E> & Store,
) => Promise<Answered<E>>

interface Declaration<E extends Endpoint, Things extends object, Action extends string, Store> {
  at: Scope<ParamsOfEndpoint<E>, Things, Action>
  /** Inferred from the scope alone, so that a made-up action is an error. */
  allow: NoInfer<Action>
  handle: Handle<E, Things, Store>
}

type StoreFor<E extends Endpoint> = E extends Endpoint<'GET'> ? { readonly db: Db } : { readonly tx: Tx }

export function route<E extends Endpoint, Things extends object, Action extends string>(
  endpoint: E,
  declaration: Declaration<E, Things, Action, StoreFor<E>>,
): Route {
  const { handle } = declaration
  const isRead = endpoint.method === ('GET' as Method)
  const closed = endpoint as unknown as Endpoint

  return {
    endpoint: closed,
    async run(arrival, params) {
      const { database } = arrival.services
      if (isRead) {
        const things = await enter(closed, declaration, database.read, arrival, params)
        return handle({ ...things, ...arrival, db: database.read } as never)
      }
      return database.write(async (tx) => {
        const things = await enter(closed, declaration, tx, arrival, params)
        const reply = await handle({ ...things, ...arrival, tx } as never)
        await recordAct(tx, { ...arrival, endpoint: closed, params, things, reply })
        return reply
      })
    },
  }
}

/**
 * The same for work that commits in several short steps; the place is loaded and judged before the first, and
 * the log is written after the last.
 */
export function longRoute<E extends Endpoint, Things extends object, Action extends string>(
  endpoint: E,
  declaration: Declaration<E, Things, Action, object>,
): Route {
  const closed = endpoint as unknown as Endpoint
  return {
    endpoint: closed,
    async run(arrival, params) {
      const { database } = arrival.services
      const things = await enter(closed, declaration, database.read, arrival, params)
      const reply = await declaration.handle({ ...things, ...arrival } as never)
      if (closed.method !== 'GET') {
        await database.write((tx) => recordAct(tx, { ...arrival, endpoint: closed, params, things, reply }))
      }
      return reply
    },
  }
}

/** Loads the place and lets the actor in, or throws. */
async function enter<Params extends string, Things extends object, Action extends string>(
  endpoint: Endpoint,
  { at, allow }: { at: Scope<Params, Things, Action>; allow: Action },
  db: Db,
  { actor, services }: Arrival<Endpoint>,
  params: Readonly<Record<string, string>>,
): Promise<Things> {
  if (at.takesSession === true) requireSession(actor)
  if (at.takesWholeReach === true) requireWholeReach(actor)
  const things = await at.load({ db, actor, services }, params as Record<Params, string>)
  const organizationId = organizationOf(things)
  if (organizationId !== undefined) {
    if (at.isOutside !== true || !isInvited(actor, organizationId))
      requireOpen(actor, organizationId, services.addresses)
  } else if (endpoint.method !== 'GET' && at.isPersonal !== true) requireWholeReach(actor)
  const { verdict, thing } = at.judge(allow, things)
  requireVerdict(verdict, thing, allow)
  return things
}
