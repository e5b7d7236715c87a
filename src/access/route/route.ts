/**
 * A route: an endpoint, the scope that loads its resources, the action that is authorized, and a handler.
 *
 * The compiler refuses a scope that leaves a path parameter unloaded, an action that does not exist on the resource, and
 * a reply off the contract. How a route is loaded, authorized, locked and logged is in `run-route.ts`; its handler does
 * none of that.
 */
import type { Endpoint, ParamOf, ReplyOf } from '../../contract/endpoint.js'
import type { Db, Tx } from '../../store/db/database.js'
import type { RequestContext } from './request-context.js'
import type { RouteResponse } from './responses.js'
import type { RouteLocks } from './lock-scope.js'
import { type ErasedDeclaration, type RunRoute, routeRunner } from './run-route.js'
import type { Scope, Source } from './scope.js'

/** A route as the server mounts it, with its types erased. */
export interface Route {
  readonly endpoint: Endpoint
  /** What its transaction locks beyond what the path says. */
  readonly locks: RouteLocks | undefined
  readonly run: RunRoute
}

/** What a handler may return: the reply of the contract, nothing where it has none, or another response. */
type HandlerReply<E extends Endpoint> =
  | ReplyOf<E>
  | (undefined extends ReplyOf<E> ? void : never)
  | RouteResponse

/** The store of a read: the committed state; `source` for handlers that load resources themselves. */
interface ReadStore {
  readonly db: Db
  readonly source: Source
}

type StoreOf<E extends Endpoint> = E['reads'] extends true ? ReadStore : { readonly tx: Tx }

/** How a long route commits. */
export interface Committer<Resources extends object> {
  /**
   * Runs the work in the one transaction that makes the result visible, together with the audit entry. The resources
   * are loaded and authorized again in it: those passed to `work` are current and locked until the end. Called once,
   * last; rows written before must not be reachable for any reader.
   */
  commit<Reply>(work: (current: Resources & { readonly tx: Tx }) => Promise<Reply>): Promise<Reply>
}

type Handler<E extends Endpoint, Resources, Store, Reply = HandlerReply<E>> = (
  request: Resources & RequestContext<E> & Store,
) => Promise<Reply>

/** In one consistent read, or, for an endpoint that writes, in one transaction. */
interface ShortHandler<E extends Endpoint, Resources extends object> {
  readonly handle: Handler<E, Resources, StoreOf<E>>
}

/** For writes too long for one transaction: runs outside of it, after loading and authorization, and commits at its end. */
interface LongHandler<E extends Endpoint, Resources extends object> {
  readonly handleLong: E['reads'] extends true ? never : Handler<E, Resources, Committer<Resources>>
  /** True for requests without long work: for them everything runs in the one transaction, and nothing is loaded twice. */
  readonly isShort?: (request: RequestContext<E>) => boolean
}

type ReadHandler<E extends Endpoint, Resources, Reply> = E['reads'] extends true
  ? Handler<E, Resources, ReadStore, Reply>
  : never

/**
 * For reads whose work must not run inside the consistent read, which may be repeated: `prepare` returns the work, and
 * `respond` makes the reply of its result, after the resources were loaded and authorized once more.
 */
interface DeferredHandler<E extends Endpoint, Resources extends object, Result> {
  readonly prepare: ReadHandler<E, Resources, () => Result | Promise<Result>>
  readonly respond: Handler<E, Resources, ReadStore & { readonly result: Result }>
}

/** The same for endpoints without a reply. */
interface SilentHandler<E extends Endpoint, Resources extends object> {
  readonly prepare: undefined extends ReplyOf<E> ? ReadHandler<E, Resources, () => void> : never
  readonly respond?: undefined
}

type RouteDeclaration<E extends Endpoint, Resources extends object, Action extends string, Result> = {
  readonly at: Scope<ParamOf<E>, Resources, Action>
  /** Inferred from the scope alone, so that a made-up action is an error. */
  readonly allow: NoInfer<Action>
  /** What a write locks on PostgreSQL beyond the space or organization of its path; a test compares it with the statements. */
  readonly locks?: E['reads'] extends true ? never : RouteLocks
} & (
  | ShortHandler<E, Resources>
  | LongHandler<E, Resources>
  | DeferredHandler<E, Resources, Result>
  | SilentHandler<E, Resources>
)

export function route<E extends Endpoint, Resources extends object, Action extends string, Result>(
  endpoint: E,
  declaration: RouteDeclaration<E, Resources, Action, Result>,
): Route {
  // The types of endpoint, scope and handlers were checked against each other above; the runner knows none of them.
  return {
    endpoint,
    locks: declaration.locks,
    run: routeRunner({ ...(declaration as unknown as ErasedDeclaration), endpoint }),
  }
}
