/**
 * A route: an endpoint, the scope that loads its place, the action it takes there, and a handler.
 *
 * The compiler refuses a scope that leaves a path parameter unloaded, an action that does not exist
 * at the place, and a reply off the contract. GET handlers read; every other handler runs inside one
 * transaction, together with the loading and judging of its place. Work that is too long for one
 * transaction is declared with `longRoute` and opens its own.
 */
import type { BodyOf, Endpoint, Method, QueryOf, ReplyOf } from '../../contract/endpoint.js'
import type { Db, Tx } from '../../store/db/database.js'
import type { Actor } from '../signin/actor.js'
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

type Handle<E extends Endpoint, Things, Store> = (
  request: Things & Arrival<E> & Store,
) => Promise<ReplyOf<E> | Written | Download>

interface Declaration<E extends Endpoint, Things extends object, Action extends string, Store> {
  at: Scope<ParamsOfEndpoint<E>, Things, Action>
  allow: Action
  handle: Handle<E, Things, Store>
}

type StoreFor<E extends Endpoint> = E extends Endpoint<'GET'> ? { readonly db: Db } : { readonly tx: Tx }

export function route<E extends Endpoint, Things extends object, Action extends string>(
  endpoint: E,
  declaration: Declaration<E, Things, Action, StoreFor<E>>,
): Route {
  const { at, allow, handle } = declaration
  const isRead = endpoint.method === ('GET' as Method)

  async function enter(db: Db, arrival: Arrival<Endpoint>, params: Readonly<Record<string, string>>) {
    const things = await at.load({ db, actor: arrival.actor, services: arrival.services }, params as never)
    const { verdict, thing } = at.judge(allow, things)
    requireVerdict(verdict, thing, allow)
    return things
  }

  return {
    endpoint: endpoint as unknown as Endpoint,
    async run(arrival, params) {
      if (isRead) {
        const db = arrival.services.database.read
        const things = await enter(db, arrival, params)
        return handle({ ...things, ...arrival, db } as never)
      }
      return arrival.services.database.write(async (tx) => {
        const things = await enter(tx, arrival, params)
        return handle({ ...things, ...arrival, tx } as never)
      })
    },
  }
}

/** The same for work that commits in several short steps; the place is loaded and judged before the first. */
export function longRoute<E extends Endpoint, Things extends object, Action extends string>(
  endpoint: E,
  declaration: Declaration<E, Things, Action, object>,
): Route {
  const { at, allow, handle } = declaration
  return {
    endpoint: endpoint as unknown as Endpoint,
    async run(arrival, params) {
      const { database } = arrival.services
      const things = await at.load(
        { db: database.read, actor: arrival.actor, services: arrival.services },
        params as never,
      )
      const { verdict, thing } = at.judge(allow, things)
      requireVerdict(verdict, thing, allow)
      return handle({ ...things, ...arrival } as never)
    },
  }
}
