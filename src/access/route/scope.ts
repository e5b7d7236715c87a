/**
 * Scopes: the chain of resources that a path names, loaded and authorized step by step.
 *
 * Each step searches inside what the outer step found, so a comment of another change request is a 404 by construction.
 * A scope also declares which actions exist on its resource and how they are authorized; handlers never check
 * permission.
 */
import type { OrganizationId } from '../../core/ids.js'
import type { Addresses } from '../../contract/addresses.js'
import { ApiError } from '../../contract/errors.js'
import { type Caches, type ReadContext, countReads } from '../../store/cache/caches.js'
import { readOrganizationOf } from '../../store/cache/directory.js'
import type { RowCacheKind } from '../../store/cache/kinds.js'
import type { Database, Db } from '../../store/db/database.js'
import { findInDirectory } from '../../store/db/directory.js'
import type { ObjectCache } from '../../store/content/objects.js'
import type { FileStorage } from '../../store/files/storage.js'
import type { SizedImages } from '../../store/images/sized.js'
import type { FragmentRenderer } from '../../store/reading/fragment-renderer.js'
import type { TextReader } from '../../store/reading/reader.js'
import type { BackgroundTasks } from '../../store/jobs/background.js'
import type { Remote } from '../../store/remote/remote.js'
import type { SpecificationReader } from '../../store/specifications/reader.js'
import type { StreamWatcher } from '../../store/events/stream-watcher.js'
import type { SearchService } from '../../store/search-workers/search-service.js'
import type { VisitorEventCounter } from '../events/visitor-events.js'
import { refusedOnEach } from '../rules/require-on-each.js'
import type { Verdict } from '../rules/levels.js'
import type { Actor, MaybeActor } from '../signin/actor.js'

/** Process-wide services that handlers use. */
export interface Services {
  readonly database: Database
  /** Caches of rows, objects and rendered results. */
  readonly caches: Caches
  /** The cache of immutable objects. */
  readonly objects: ObjectCache
  readonly files: FileStorage
  /** Resized images of those files. */
  readonly images: SizedImages
  /** Parses texts in worker threads, so that imports and indexing do not block requests. */
  readonly reader: TextReader
  /** Renders slow fragments of pages in worker threads: syntax highlighting, formulas, foreign HTML. */
  readonly fragments: FragmentRenderer<object>
  /** Renders long pages in worker threads, which in turn use `fragments`. */
  readonly pages: FragmentRenderer<object>
  /** Searches in worker threads, a few at a time. */
  readonly searching: SearchService
  /** Parses OpenAPI specifications in worker threads. */
  readonly specifications: SpecificationReader
  /** Background work that may outlive its request. */
  readonly background: BackgroundTasks
  /** HTTP client for URLs that users enter. */
  readonly remote: Remote
  /** Open event streams. */
  readonly eventWatchers: StreamWatcher
  /** Counter of analytics events of site visitors. */
  readonly visitorEvents: VisitorEventCounter
  readonly addresses: Addresses
  /** Folder for temporary files of one request. */
  readonly spoolFolder: string
}

/** Where resources are loaded from: the committed state, or a transaction. */
export interface Source {
  /** For rows that can change. An answer for which it was used is not cached: see `readThrough`. */
  readonly db: Db
  /** For immutable rows: objects and revisions, by their hashes. */
  readonly immutable: Db
  /** Null inside a transaction, which reads its own rows and bypasses the cache. */
  readonly readContext: ReadContext | null
  /** Rows that the transaction requested together with its locks, by kind and key. */
  readonly prefetched?: ReadonlyMap<string, Promise<unknown>>
}

/** A transaction that requests rows of its path before it loads them step by step, each of which would be a round trip. */
export interface PrefetchRequest {
  readonly actor: Actor
  readonly db: Db
  /** The organization of the path, unless its resource is being transferred. */
  readonly organizationId: OrganizationId
  readonly rows: Map<string, Promise<unknown>>
}

export interface LoadRequest<Who extends MaybeActor = Actor> extends Source {
  readonly actor: Who
  readonly services: Services
}

export interface Scope<
  in out Params extends string,
  Resources extends object,
  Action extends string,
  Who extends MaybeActor = Actor,
> {
  readonly params: readonly Params[]
  /** True when callers without a token are allowed. */
  readonly anonymous: boolean
  /** True when the operation stays within what the actor's own token or session opens. */
  readonly isPersonal?: boolean
  /** True when a browser session is required instead of a token. */
  readonly requiresSession?: boolean
  /** True when credentials for one organization are refused, as they are for changes outside of all organizations. */
  readonly requiresAllOrganizations?: boolean
  /** True when users are allowed who were invited to the organization and have not accepted. */
  readonly allowsInvited?: boolean
  load(request: LoadRequest<Who>, params: Readonly<Record<Params, string>>): Promise<Resources>
  /** Requests what `load` will read, as far as it follows from the path. */
  prefetch?(request: PrefetchRequest, params: Readonly<Record<string, string>>): void
  /** Returns the tenant of the loaded resources; absent for scopes outside of all organizations. */
  readonly organizationOf?: (resources: Resources) => OrganizationId | undefined
  /** Throws when the resource is in a read-only state, whoever the actor is. */
  requireWritable?(resources: Resources): void
  /**
   * A property and no method, so that its parameters are checked strictly: a scope is never accepted for actions that
   * it does not authorize.
   */
  readonly authorize: (
    action: Action,
    resources: Resources,
  ) => { readonly verdict: Verdict; readonly noun: string }
}

/** No resource: any signed-in user is allowed. */
export const signedIn: Scope<never, object, 'ask'> = {
  params: [],
  anonymous: false,
  load: async () => ({}),
  authorize: () => ({ verdict: 'yes', noun: '' }),
}

/** The actor's own tokens and sessions: a credential for one organization only sees those of that organization. */
export const ownAccount: Scope<never, object, 'ask'> = { ...signedIn, isPersonal: true }

/** How the actor signs in: for a user in a browser, with a session for all organizations. */
export const ownAccountInBrowser: Scope<never, object, 'ask'> = { ...signedIn, requiresSession: true }

/** How a step finds its resource inside what the outer steps found. */
interface ScopeStep<Key extends string, Outer extends object, Resource> {
  readonly key: Key
  /** Its noun in error messages, for example "space". */
  readonly noun: string
  readonly find: (request: LoadRequest, id: string, resources: Outer) => Promise<Resource | undefined>
  /** Requests the rows of `find` by `prefetchRow`, before the outer steps are loaded. */
  readonly prefetch?: (request: PrefetchRequest, id: string, params: Readonly<Record<string, string>>) => void
  /** Returns the organization of the resource, for the outermost step that knows it; inner steps inherit it. */
  readonly organizationOf?: (resource: Resource) => OrganizationId | null
}

/** The authorization rules of a resource. */
interface Rules<Resources extends object, Action extends string> {
  /** The noun in error messages. */
  readonly noun: string
  readonly authorize: (action: Action, resources: Resources) => Verdict
}

/** The same for resources that are hidden from some users. */
interface VisibilityRules<Resources extends object, Action extends string> extends Rules<Resources, Action> {
  /** The action that makes the resource visible: users who may not do it receive 404. */
  readonly visibleIf: NoInfer<Action>
}

/** Adds a step to a resource with its own authorization rules. */
export function resourceScope<
  Params extends string,
  Outer extends object,
  Param extends string,
  Key extends string,
  Resource,
  Action extends string,
>(
  outer: Scope<Params, Outer, never>,
  param: Param,
  step: ScopeStep<Key, Outer, Resource> & VisibilityRules<Outer & Record<Key, Resource>, Action>,
): Scope<Params | Param, Outer & Record<Key, Resource>, Action> {
  return whenVisible(subresourceScope(outer, param, step), step)
}

/** The same step where the resource may be missing, for idempotent operations: the rules authorize without it. */
export function optionalResourceScope<
  Params extends string,
  Outer extends object,
  Param extends string,
  Key extends string,
  Resource,
  Action extends string,
>(
  outer: Scope<Params, Outer, never>,
  param: Param,
  step: ScopeStep<Key, Outer, Resource> & VisibilityRules<Outer & Record<Key, Resource | undefined>, Action>,
): Scope<Params | Param, Outer & Record<Key, Resource | undefined>, Action> {
  return whenVisible(optionalSubresourceScope(outer, param, step), step)
}

/** Adds a step to a subresource: it is loaded inside the outer resource and authorized by the outer rules. */
export function subresourceScope<
  Params extends string,
  Outer extends object,
  Action extends string,
  Param extends string,
  Key extends string,
  Resource,
>(
  outer: Scope<Params, Outer, Action>,
  param: Param,
  step: ScopeStep<Key, Outer, Resource>,
): Scope<Params | Param, Outer & Record<Key, Resource>, Action> {
  const { key, noun } = step
  const inside = optionalSubresourceScope(outer, param, step)
  return {
    ...inside,
    async load(request, params) {
      const resources = await inside.load(request, params)
      if (resources[key] === undefined) throw new ApiError('not_found', { thing: noun })
      return resources as Outer & Record<Key, Resource>
    },
  }
}

/** The same step where the subresource may be missing, for idempotent operations. */
export function optionalSubresourceScope<
  Params extends string,
  Outer extends object,
  Action extends string,
  Param extends string,
  Key extends string,
  Resource,
>(
  outer: Scope<Params, Outer, Action>,
  param: Param,
  { key, find, prefetch, organizationOf }: ScopeStep<Key, Outer, Resource>,
): Scope<Params | Param, Outer & Record<Key, Resource | undefined>, Action> {
  return {
    ...outer,
    ...(prefetch !== undefined && {
      prefetch(request: PrefetchRequest, params: Readonly<Record<string, string>>) {
        outer.prefetch?.(request, params)
        prefetch(request, params[param]!, params)
      },
    }),
    ...(organizationOf !== undefined && {
      organizationOf: ({ [key]: found }: Record<Key, Resource | undefined>) =>
        (found === undefined ? null : organizationOf(found)) ?? undefined,
    }),
    params: [...outer.params, param],
    async load(request, params) {
      const resources = await outer.load(request, params)
      const found = await find(request, params[param], resources)
      return { ...resources, [key]: found } as Outer & Record<Key, Resource | undefined>
    },
  }
}

/** The same resource with other actions and rules, for operations on something else than the resource itself. */
export function withRules<Params extends string, Resources extends object, Action extends string>(
  outer: Scope<Params, Resources, never>,
  { noun, authorize }: Rules<Resources, Action>,
): Scope<Params, Resources, Action> {
  return { ...outer, authorize: (action, resources) => ({ verdict: authorize(action, resources), noun }) }
}

function whenVisible<Params extends string, Resources extends object, Action extends string>(
  inside: Scope<Params, Resources, never>,
  rules: VisibilityRules<Resources, Action>,
): Scope<Params, Resources, Action> {
  return {
    ...withRules(inside, rules),
    async load(request, params) {
      const resources = await inside.load(request, params)
      requireVerdict(rules.authorize(rules.visibleIf, resources), rules.noun, rules.visibleIf)
      return resources
    },
  }
}

/** Adds a path parameter without loading anything: the handler resolves it. */
export function withParam<
  Params extends string,
  Outer extends object,
  Action extends string,
  Param extends string,
>(
  outer: Scope<Params, Outer, Action>,
  param: Param,
): Scope<Params | Param, Outer & Record<Param, string>, Action> {
  return subresourceScope(outer, param, { key: param, noun: param, find: async (_request, name) => name })
}

/** The same scope with one more loaded value, which needs no path parameter. */
export function withLoaded<
  Params extends string,
  Outer extends object,
  Action extends string,
  Key extends string,
  Resource,
>(
  outer: Scope<Params, Outer, Action>,
  key: Key,
  load: (request: LoadRequest, resources: Outer) => Promise<Resource>,
): Scope<Params, Outer & Record<Key, Resource>, Action> {
  return {
    ...outer,
    async load(request, params) {
      const resources = await outer.load(request, params)
      return { ...resources, [key]: await load(request, resources) } as Outer & Record<Key, Resource>
    },
  }
}

/** Throws the error of a verdict other than `yes`. */
export function requireVerdict(verdict: Verdict, noun: string, action: string): void {
  if (verdict === 'yes') return
  if (verdict === 'hidden') throw new ApiError('not_found', { thing: noun })
  if (verdict === 'own') throw new ApiError('only_own', { thing: noun })
  if (verdict.onEach) throw refusedOnEach(`${action} it`, verdict.needs)
  throw new ApiError('forbidden', { action: `${action} it`, role: verdict.needs })
}

/** Reads a row through the cache; inside a transaction always from the transaction itself. */
export function readThrough<Value>(
  request: LoadRequest,
  kind: RowCacheKind<Value>,
  key: string,
  load: (db: Db) => Promise<Value | undefined>,
): Promise<Value | undefined> {
  return readThroughFrom(request, request.services.caches, kind, key, load)
}

/** The same for callers outside of routes. */
export function readThroughFrom<Value>(
  source: Source,
  caches: Caches,
  kind: RowCacheKind<Value>,
  key: string,
  load: (db: Db) => Promise<Value | undefined>,
): Promise<Value | undefined> {
  if (source.readContext === null)
    return (source.prefetched?.get(kind.prefix + key) as Promise<Value | undefined>) ?? load(source.db)
  return caches.readThrough(source.readContext, kind, key, load)
}

/** Requests a row that `readThrough` will read in the same transaction. */
export function prefetchRow<Value>(
  { db, rows }: PrefetchRequest,
  kind: RowCacheKind<Value>,
  key: string,
  load: (db: Db) => Promise<Value | undefined>,
): void {
  prefetch(rows, kind.prefix + key, load(db))
}

/** Requests the organization that `organizationOfId` will read. */
export function prefetchOrganizationOfId({ db, rows }: PrefetchRequest, id: string): void {
  prefetch(rows, directoryKey(id), findInDirectory(db, id))
}

function prefetch(rows: Map<string, Promise<unknown>>, key: string, row: Promise<unknown>): void {
  // Whoever reads it gets the error.
  row.catch(() => {})
  rows.set(key, row)
}

const directoryKey = (id: string) => `directory ${id}`

/** Returns the organization of the resource with the id, from the directory; undefined when there is none. */
export function organizationOfId(request: LoadRequest, id: string): Promise<OrganizationId | undefined> {
  const { readContext, services, prefetched } = request
  if (readContext !== null) return readOrganizationOf(services.caches, readContext, id)
  // `request.db` is accessed only in a transaction, because the read context records the access.
  const found = prefetched?.get(directoryKey(id)) as Promise<OrganizationId | undefined> | undefined
  return found ?? findInDirectory(request.db, id)
}

/** The committed state as a source; records in the read context when rows are read without the cache. */
export function committedSource(database: Database, readContext: ReadContext): Source {
  let counted: Db | undefined
  return {
    readContext,
    immutable: database.read,
    get db() {
      readContext.isComplete = false
      return (counted ??= countReads(database.read, readContext))
    },
  }
}

/** Forwards `db` as a getter, because the source records its access. */
export function loadRequestFrom(source: Source, actor: Actor, services: Services): LoadRequest {
  const { readContext, immutable, prefetched } = source
  return {
    actor,
    services,
    readContext,
    immutable,
    ...(prefetched !== undefined && { prefetched }),
    get db() {
      return source.db
    },
  }
}
