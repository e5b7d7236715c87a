/**
 * Runs routes: loads and authorizes the resources of the path, and calls the handlers of a declaration.
 *
 * A read sees one database version, and may be repeated until it does. A write runs in one transaction with loading and
 * authorization, locks its resources against other writers, and adds the audit entry. Both refuse a session or token
 * that does not open the organization.
 */
import type { Endpoint } from '../../contract/endpoint.js'
import type { OrganizationId } from '../../core/ids.js'
import { readContextAt } from '../../store/cache/caches.js'
import { readOrganizationOf } from '../../store/cache/directory.js'
import type { Tx } from '../../store/db/database.js'
import { requireOrganizationScope } from '../../store/db/transactions.js'
import {
  isInvited,
  requireAllOrganizations,
  requireOrganizationAccess,
  requireSession,
} from '../signin/credential-scope.js'
import { recordOperation } from './audit-operation.js'
import { readConsistently } from './consistent-read.js'
import { cursorsOf } from './cursor.js'
import { type RouteLocks, lockScopeOfRoute } from './lock-scope.js'
import type { RequestContext } from './request-context.js'
import { RouteResponse } from './responses.js'
import { type Scope, type Source, loadRequestFrom, requireVerdict } from './scope.js'

type PathParams = Readonly<Record<string, string>>
type Handler<Reply = unknown> = (request: object) => Promise<Reply>

export type RunRoute = (context: RequestContext, params: PathParams) => Promise<unknown>

/** A declaration of `route()` without its types. */
export interface ErasedDeclaration {
  readonly at: Scope<string, object, string>
  readonly allow: string
  readonly locks?: RouteLocks
  readonly handle?: Handler
  readonly handleLong?: Handler
  readonly isShort?: (context: RequestContext) => boolean
  readonly prepare?: Handler<() => unknown>
  readonly respond?: Handler
}

interface ErasedRoute extends ErasedDeclaration {
  readonly endpoint: Endpoint
}

/** Returns the function that answers requests with the reply of the handler; the cursors of lists are sealed. */
export function routeRunner(route: ErasedRoute): RunRoute {
  const cursorsAt = cursorsOf(route.endpoint)
  const run = selectRunner(route)
  return async (received, params) => {
    const { query, seal } = cursorsAt(params, received.query)
    return seal(await run({ ...received, query }, params))
  }
}

function selectRunner(route: ErasedRoute): RunRoute {
  const { endpoint, handle, handleLong, prepare } = route
  if (prepare !== undefined) return deferredRunner(route, prepare)
  if (handleLong !== undefined) return longRunner(route, handleLong)
  if (handle === undefined) throw new Error(`${endpoint.operationId} has no handler`)
  if (endpoint.reads) return (context, params) => read(route, context, params, handle)
  const write = createWriter(route)
  return (context, params) =>
    write(context, params, undefined, (tx, resources) => handle({ ...resources, ...context, tx }))
}

function deferredRunner(route: ErasedRoute, prepare: Handler<() => unknown>): RunRoute {
  const { respond } = route
  return async (context, params) => {
    const work = await read(route, context, params, prepare)
    const result = await work()
    if (respond === undefined) return undefined
    const readContext = readContextAt(await context.services.database.currentVersion())
    return read(route, { ...context, readContext }, params, (request) =>
      respond(Object.assign(request, { result })),
    )
  }
}

function longRunner(route: ErasedRoute, handleLong: Handler): RunRoute {
  const write = createWriter(route)
  const { isShort } = route
  return async (context, params) => {
    if (isShort?.(context) === true)
      return write(context, params, undefined, (tx, resources) => {
        const commit = (work: Handler) => work({ ...resources, tx })
        return handleLong({ ...resources, ...context, commit })
      })
    const resources = await read(route, context, params, async (_request, loaded) => loaded)
    let isCommitted = false
    const commit = async (work: Handler) => {
      const organizationId = route.at.organizationOf?.(resources)
      const reply = await write(context, params, organizationId, (tx, current) => work({ ...current, tx }))
      isCommitted = true
      return reply
    }
    const reply = await handleLong({ ...resources, ...context, commit })
    // Without a commit nothing became visible, so the audit entry needs no common transaction with it. Work that
    // continues after 202 adds its entry when it commits.
    const continues = reply instanceof RouteResponse && reply.content.kind === 'accepted'
    if (!isCommitted && !continues) await write(context, params, undefined, async () => reply)
    return reply
  }
}

/** Runs work on one database version, together with loading and authorization. */
function read<Result>(
  route: ErasedRoute,
  context: RequestContext,
  params: PathParams,
  work: (request: object, resources: object) => Promise<Result>,
): Promise<Result> {
  return readConsistently(context, async (source, setOrganization) => {
    const resources = await loadAndAuthorize(route, source, context, params)
    setOrganization(route.at.organizationOf?.(resources))
    const request = { ...resources, ...context, source }
    // A getter that copies of the request leave out, because the source records each access.
    Object.defineProperty(request, 'db', { get: () => source.db })
    return work(request, resources)
  })
}

/** Returns the function that runs work in one transaction with loading, authorization and audit entry. */
function createWriter(route: ErasedRoute) {
  const { endpoint, at } = route
  return async (
    context: RequestContext,
    params: PathParams,
    known: OrganizationId | undefined,
    work: (tx: Tx, resources: object) => Promise<unknown>,
  ): Promise<unknown> => {
    const { actor, origin, now, services } = context
    const likely = known ?? (await findLikelyOrganization(context, params))
    const rows = new Map<string, Promise<unknown>>()
    const prefetch = (tx: Tx) => {
      rows.clear()
      if (likely !== undefined) at.prefetch?.({ actor, db: tx, organizationId: likely, rows }, params)
    }
    const write = async (tx: Tx) => {
      const source: Source = { db: tx, immutable: tx, readContext: null, prefetched: rows }
      const resources = await loadAndAuthorize(route, source, context, params)
      const organizationId = at.organizationOf?.(resources)
      // The resource may have moved to another organization since its path was looked up.
      if (organizationId !== undefined) requireOrganizationScope(tx, organizationId)
      const reply = await work(tx, resources)
      const operation = { endpoint, params, resources, organizationId, reply }
      await recordOperation(tx, { ...operation, actor, origin, now })
      return reply
    }
    const scope = lockScopeOfRoute(route, services.database, params, likely)
    return services.database.writeWithLocks(scope, write, prefetch)
  }
}

/**
 * Returns the organization of the path, as it was when the request arrived; the transaction reads it again. Undefined
 * when there is none: the resource will not be found, unless it is created concurrently.
 */
async function findLikelyOrganization(
  { services: { caches }, readContext }: RequestContext,
  { organizationId, spaceId, collectionId }: Partial<PathParams>,
): Promise<OrganizationId | undefined> {
  if (organizationId !== undefined) return organizationId as OrganizationId
  const id = spaceId ?? collectionId
  return id === undefined ? undefined : readOrganizationOf(caches, readContext, id)
}

/** Returns the resources of the path; throws when the actor may not do this there. */
async function loadAndAuthorize(
  { endpoint, at, allow }: ErasedRoute,
  source: Source,
  { actor, services }: RequestContext,
  params: PathParams,
): Promise<object> {
  if (at.requiresSession === true) requireSession(actor)
  if (at.requiresAllOrganizations === true) requireAllOrganizations(actor)
  const resources = await at.load(loadRequestFrom(source, actor, services), params)
  const organizationId = at.organizationOf?.(resources)
  if (organizationId !== undefined) {
    if (at.allowsInvited === true && isInvited(actor, organizationId)) requireAllOrganizations(actor)
    else requireOrganizationAccess(actor, organizationId, services.addresses)
  } else if (!endpoint.reads && at.isPersonal !== true) requireAllOrganizations(actor)
  const { verdict, noun } = at.authorize(allow, resources)
  requireVerdict(verdict, noun, allow)
  if (!endpoint.reads) at.requireWritable?.(resources)
  return resources
}
