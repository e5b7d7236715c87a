/**
 * Scopes: a place of the API, loaded step by step.
 *
 * Each step searches inside what the outer step found, so a comment of another change request is a
 * 404 by construction. A scope also knows which actions exist at its place and how they are judged;
 * handlers never check permission.
 */
import type { OrganizationId } from '../../core/ids.js'
import type { Addresses } from '../../contract/addresses.js'
import { ApiError } from '../../contract/errors.js'
import { type Caches, type Look, countReads } from '../../store/cache/caches.js'
import { recallOrganization } from '../../store/cache/directory.js'
import type { RowKind } from '../../store/cache/kinds.js'
import type { Database, Db } from '../../store/db/database.js'
import { findInDirectory } from '../../store/db/directory.js'
import type { ObjectCache } from '../../store/content/objects.js'
import type { FileStorage } from '../../store/files/storage.js'
import type { SizedImages } from '../../store/images/sized.js'
import type { PieceWorker } from '../../store/reading/pieces.js'
import type { TextReader } from '../../store/reading/reader.js'
import type { Background } from '../../store/jobs/background.js'
import type { Remote } from '../../store/remote/remote.js'
import type { SpecificationReader } from '../../store/specifications/reader.js'
import type { Watching } from '../../store/events/watching.js'
import type { Searching } from '../../store/search-workers/searching.js'
import type { Counting } from '../events/visitor-events.js'
import { refusedOnEach } from '../rules/each.js'
import type { Verdict } from '../rules/levels.js'
import type { Actor, MaybeActor } from '../signin/actor.js'

/** The few things of the process that handlers work with. */
export interface Services {
  readonly database: Database
  /** What was read or made and may be used again. */
  readonly caches: Caches
  /** The part of it that holds immutable objects. */
  readonly objects: ObjectCache
  readonly files: FileStorage
  /** The pictures among them in smaller sizes. */
  readonly images: SizedImages
  /** Reads texts aside, so that imports and the index keep nobody waiting. */
  readonly reader: TextReader
  /** Does aside what takes a library too long: colouring, formulas, foreign HTML of pages. */
  readonly pieces: PieceWorker<object>
  /** Composes long pages aside, which ask for pieces in their turn. */
  readonly pages: PieceWorker<object>
  /** Searches aside, a few at a time. */
  readonly searching: Searching
  /** Reads OpenAPI specifications aside. */
  readonly specifications: SpecificationReader
  /** Work that may outlive its request. */
  readonly background: Background
  /** Fetches what stands at addresses that people give. */
  readonly remote: Remote
  /** Who has what open. */
  readonly watching: Watching
  /** What readers of sites do. */
  readonly counting: Counting
  readonly addresses: Addresses
  /** Folder for files that live as long as one request. */
  readonly spoolFolder: string
}

/** Where a place is loaded from: what is committed, or a transaction. */
export interface Source {
  /** For rows that can change. An answer for which it was used is not kept: see `recall`. */
  readonly db: Db
  /** For what never changes: objects and revisions, by their names. */
  readonly immutable: Db
  /** Null inside a transaction, which sees its own rows and believes nothing that is kept. */
  readonly look: Look | null
}

export interface LoadRequest<Who extends MaybeActor = Actor> extends Source {
  readonly actor: Who
  readonly services: Services
}

export interface Scope<
  in out Params extends string,
  Things extends object,
  Action extends string,
  Who extends MaybeActor = Actor,
> {
  readonly params: readonly Params[]
  /** Whether callers without a token come in. */
  readonly anonymous: boolean
  /** Whether what happens here stays within what the actor's own token or session opens. */
  readonly isPersonal?: boolean
  /** Whether a session of a browser is needed, which no token stands for. */
  readonly takesSession?: boolean
  /** Whether what opens one organization only is kept out, as it is where something is changed outside of all of them. */
  readonly takesWholeReach?: boolean
  /** Whether people come here who were invited to the organization and have not accepted. */
  readonly isOutside?: boolean
  load(request: LoadRequest<Who>, params: Readonly<Record<Params, string>>): Promise<Things>
  /** Throws when the place is in a state in which nothing there is written, by whomever. */
  requireWritable?(things: Things): void
  /** A property, so that a place is never taken for one with actions that it does not judge. */
  readonly judge: (action: Action, things: Things) => { readonly verdict: Verdict; readonly thing: string }
}

/** No place at all: who signs in may. */
export const signedIn: Scope<never, object, 'ask'> = {
  params: [],
  anonymous: false,
  load: async () => ({}),
  judge: () => ({ verdict: 'yes', thing: '' }),
}

/** One's own tokens and sessions: who is signed in for one organization only deals with those of that one. */
export const asOneself: Scope<never, object, 'ask'> = { ...signedIn, isPersonal: true }

/** How one signs in oneself: for the person in a browser, who may open everything. */
export const asOwner: Scope<never, object, 'ask'> = { ...signedIn, takesSession: true }

/** How a step finds its thing: inside what the outer steps found. */
interface Step<Key extends string, Outer extends object, Thing> {
  readonly key: Key
  /** Its name in sentences, for example "space". */
  readonly thing: string
  readonly find: (request: LoadRequest, id: string, things: Outer) => Promise<Thing | undefined>
}

/** What somebody may do at a place. */
interface Rules<Things extends object, Action extends string> {
  /** The name in sentences of what is judged. */
  readonly thing: string
  readonly judge: (action: Action, things: Things) => Verdict
}

/** The same, where not everybody may know of the thing. */
interface RulesOfSight<Things extends object, Action extends string> extends Rules<Things, Action> {
  /** The least that somebody may do who may know of it: others are told that there is no such thing. */
  readonly seen: NoInfer<Action>
}

/** A step into a thing that has rules of its own. */
export function place<
  Params extends string,
  Outer extends object,
  Param extends string,
  Key extends string,
  Thing,
  Action extends string,
>(
  outer: Scope<Params, Outer, never>,
  param: Param,
  step: Step<Key, Outer, Thing> & RulesOfSight<Outer & Record<Key, Thing>, Action>,
): Scope<Params | Param, Outer & Record<Key, Thing>, Action> {
  return inSight(within(outer, param, step), step)
}

/** The same step where the thing may be gone, for operations that are content with it: the rules judge what is left. */
export function perhaps<
  Params extends string,
  Outer extends object,
  Param extends string,
  Key extends string,
  Thing,
  Action extends string,
>(
  outer: Scope<Params, Outer, never>,
  param: Param,
  step: Step<Key, Outer, Thing> & RulesOfSight<Outer & Record<Key, Thing | undefined>, Action>,
): Scope<Params | Param, Outer & Record<Key, Thing | undefined>, Action> {
  return inSight(perhapsWithin(outer, param, step), step)
}

/** A step into a part of a thing: it is loaded inside the thing and judged by the thing's rules. */
export function within<
  Params extends string,
  Outer extends object,
  Action extends string,
  Param extends string,
  Key extends string,
  Thing,
>(
  outer: Scope<Params, Outer, Action>,
  param: Param,
  step: Step<Key, Outer, Thing>,
): Scope<Params | Param, Outer & Record<Key, Thing>, Action> {
  const { key, thing } = step
  const inside = perhapsWithin(outer, param, step)
  return {
    ...inside,
    async load(request, params) {
      const here = await inside.load(request, params)
      if (here[key] === undefined) throw new ApiError('not_found', { thing })
      return here as Outer & Record<Key, Thing>
    },
  }
}

/** The same step where the part may be gone, for operations that are content with it; the rules are the whole's. */
export function perhapsWithin<
  Params extends string,
  Outer extends object,
  Action extends string,
  Param extends string,
  Key extends string,
  Thing,
>(
  outer: Scope<Params, Outer, Action>,
  param: Param,
  { key, find }: Step<Key, Outer, Thing>,
): Scope<Params | Param, Outer & Record<Key, Thing | undefined>, Action> {
  return {
    ...outer,
    params: [...outer.params, param],
    async load(request, params) {
      const things = await outer.load(request, params)
      const found = await find(request, params[param], things)
      return { ...things, [key]: found } as Outer & Record<Key, Thing | undefined>
    },
  }
}

/** The same place with actions and rules of its own, for what is done there to something else than the thing. */
export function ruledBy<Params extends string, Things extends object, Action extends string>(
  outer: Scope<Params, Things, never>,
  { thing, judge }: Rules<Things, Action>,
): Scope<Params, Things, Action> {
  return { ...outer, judge: (action, things) => ({ verdict: judge(action, things), thing }) }
}

function inSight<Params extends string, Things extends object, Action extends string>(
  inside: Scope<Params, Things, never>,
  rules: RulesOfSight<Things, Action>,
): Scope<Params, Things, Action> {
  return {
    ...ruledBy(inside, rules),
    async load(request, params) {
      const here = await inside.load(request, params)
      requireVerdict(rules.judge(rules.seen, here), rules.thing, rules.seen)
      return here
    },
  }
}

/** A step that only names something: what it is, and whether it is there, the operation finds out. */
export function naming<
  Params extends string,
  Outer extends object,
  Action extends string,
  Param extends string,
>(
  outer: Scope<Params, Outer, Action>,
  param: Param,
): Scope<Params | Param, Outer & Record<Param, string>, Action> {
  return within(outer, param, { key: param, thing: param, find: async (_request, name) => name })
}

/** The same place with one more thing at hand, which takes no parameter to find. */
export function withMore<
  Params extends string,
  Outer extends object,
  Action extends string,
  Key extends string,
  Thing,
>(
  outer: Scope<Params, Outer, Action>,
  key: Key,
  load: (request: LoadRequest, things: Outer) => Promise<Thing>,
): Scope<Params, Outer & Record<Key, Thing>, Action> {
  return {
    ...outer,
    async load(request, params) {
      const things = await outer.load(request, params)
      return { ...things, [key]: await load(request, things) } as Outer & Record<Key, Thing>
    },
  }
}

/** Turns a verdict into nothing or the error it stands for. */
export function requireVerdict(verdict: Verdict, thing: string, action: string): void {
  if (verdict === 'yes') return
  if (verdict === 'hidden') throw new ApiError('not_found', { thing })
  if (verdict === 'own') throw new ApiError('only_own', { thing })
  if (verdict.onEach) throw refusedOnEach(`${action} it`, verdict.needs)
  throw new ApiError('forbidden', { action: `${action} it`, role: verdict.needs })
}

/** Loads what is committed through what is kept; inside a transaction always from the transaction itself. */
export function recall<Value>(
  request: LoadRequest,
  kind: RowKind<Value>,
  key: string,
  load: (db: Db) => Promise<Value | undefined>,
): Promise<Value | undefined> {
  return recallFrom(request, request.services.caches, kind, key, load)
}

/** The same for those who come by no route. */
export function recallFrom<Value>(
  source: Source,
  caches: Caches,
  kind: RowKind<Value>,
  key: string,
  load: (db: Db) => Promise<Value | undefined>,
): Promise<Value | undefined> {
  return source.look === null ? load(source.db) : caches.recall(source.look, kind, key, load)
}

/** Returns the organization of what has the id, from the directory; undefined when nothing has. */
export function organizationOfId(request: LoadRequest, id: string): Promise<OrganizationId | undefined> {
  const { look, services } = request
  // Only then is the database asked for, which is noted in the look.
  return look === null ? findInDirectory(request.db, id) : recallOrganization(services.caches, look, id)
}

/** What is committed, for a request that took this look; notes when rows are read that are not recalled. */
export function committed(database: Database, look: Look): Source {
  let counted: Db | undefined
  return {
    look,
    immutable: database.read,
    get db() {
      look.isWhole = false
      return (counted ??= countReads(database.read, look))
    },
  }
}

/** Hands `db` on as the source has it: to ask for it is what the source notes. */
export function requestOf(source: Source, actor: Actor, services: Services): LoadRequest {
  const { look, immutable } = source
  return {
    actor,
    services,
    look,
    immutable,
    get db() {
      return source.db
    },
  }
}
