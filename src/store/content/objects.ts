/**
 * Content-addressed storage, reads: map nodes, texts and plain bytes of one organization by hash.
 *
 * `run` drives core's steps: from the objects about to be written, from the cache, then from the database, all hashes of
 * one load in one query. Objects from the database are verified against their hash; cached ones never become invalid and
 * are only evicted.
 */
import type { CompiledQuery } from 'kysely'
import type { Hash, OrganizationId, PageId } from '../../core/ids.js'
import type { SpecificationPage } from '../../core/openapi/expand-computed-pages.js'
import type { TextLinks } from '../../core/links/text-links.js'
import type { LoadRequest, LoadResult, MapNode, Step } from '../../core/merkle/types.js'
import type { Caches } from '../cache/caches.js'
import { type CacheNamespace, noCache, cacheKind } from '../cache/kinds.js'
import type { Db } from '../db/database.js'
import { ContentDamaged } from './content-damaged.js'
import { decodeNode, decodeText } from './encoding.js'
import { readBatched, isBatched } from './batch-reads.js'
import { type ObjectRow, type StoredObject, findStored, withBases } from './object-rows.js'
import type { Revision } from './revisions.js'
import { findTextLinks, linksWeight } from './text-links.js'
import { yieldToEventLoop } from './yield-to-event-loop.js'

/** Cache of decoded immutable objects, of all organizations. */
export interface ObjectCache {
  readonly nodes: CacheNamespace<MapNode>
  readonly texts: CacheNamespace<string>
  /** Deltas between a stored text and one that is stored whole. */
  readonly deltas: CacheNamespace<number>
  /** Links of texts. */
  readonly links: CacheNamespace<TextLinks>
  /** By space and id. */
  readonly revisions: CacheNamespace<Revision>
  /** Pages computed from the specifications in a revision, by organization and revision. */
  readonly computedPages: CacheNamespace<readonly SpecificationPage[]>
  /** Revisions with their computed pages, by organization and name. */
  readonly computed: CacheNamespace<ComputedRevision>
}

/** A revision with its computed pages, and those of its objects that are not stored. */
export interface ComputedRevision {
  readonly revision: Revision
  readonly pending: PendingObjects
  /** What is indexed for the computed pages, instead of their texts. */
  readonly searchTexts: ReadonlyMap<PageId, string>
}

/** Objects that are not yet in the database; see sink.ts. */
export interface PendingObjects {
  findNode(hash: Hash): MapNode | undefined
  findText(hash: Hash): string | undefined
}

/** The sources of one organization's objects. */
export interface ObjectSource {
  readonly db: Db
  readonly organizationId: OrganizationId
  readonly cache: ObjectCache
  readonly pending?: PendingObjects
}

/** Blocks the event loop for some 2 ms on SQLite; larger queries have the same cost per row. */
const hashesPerQuery = 256

const nodeKind = cacheKind<MapNode>('node')
const textKind = cacheKind<string>('text')
const deltasKind = cacheKind<number>('deltas of a text')
const linksKind = cacheKind<TextLinks>('text links')
const revisionKind = cacheKind<Revision>('revision')
const sourcedKind = cacheKind<readonly SpecificationPage[]>('computed pages')
const computedKind = cacheKind<ComputedRevision>('computed revision')

/** Returns the cache of objects within the caches of the process. */
export function createObjectCache(caches: Pick<Caches, 'namespace'>): ObjectCache {
  return {
    nodes: caches.namespace(nodeKind),
    texts: caches.namespace(textKind),
    deltas: caches.namespace(deltasKind),
    links: caches.namespace(linksKind),
    revisions: caches.namespace(revisionKind),
    computedPages: caches.namespace(sourcedKind),
    computed: caches.namespace(computedKind),
  }
}

/** For work that reads everything once, which would evict what readers use. */
export const noObjectCache: ObjectCache = {
  nodes: noCache(),
  texts: noCache(),
  deltas: noCache(),
  links: noCache(),
  revisions: noCache(),
  computedPages: noCache(),
  computed: noCache(),
}

/** Drives a step to its result; when all its loads are cached, without a tick of the event loop in between. */
export async function run<Result>(step: Step<Result>, source: ObjectSource): Promise<Result> {
  let state = step.next(undefined as never)
  const yieldIfDue = yieldToEventLoop()
  while (!state.done) {
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
    const loaded = findLoaded(state.value, source) ?? (await load(state.value, source))
    state = step.next(loaded)
  }
  return state.value
}

/** Milliseconds for which a long step may block the event loop; the work between two loads is not interrupted. */
const maxBlockingTime = 8

/** The same for a long step outside of transactions: yields to the event loop in between. */
export async function runYielding<Result>(step: Step<Result>, source: ObjectSource): Promise<Result> {
  let [state, begun] = [step.next(undefined as never), performance.now()]
  while (!state.done) {
    if (performance.now() - begun > maxBlockingTime) {
      await new Promise((resolve) => setImmediate(resolve))
      begun = performance.now()
    }
    const loaded = findLoaded(state.value, source) ?? (await load(state.value, source))
    state = step.next(loaded)
  }
  return state.value
}

/** Returns the nodes in the order of the hashes; throws when the organization has no such object. */
export async function getNodes(source: ObjectSource, hashes: readonly Hash[]): Promise<readonly MapNode[]> {
  return getAll(source, hashes, source.cache.nodes, source.pending?.findNode, ({ bytes }) => ({
    value: decodeNode(bytes),
    weight: nodeWeight(bytes.length),
  }))
}

/** Returns the texts in the order of the hashes; throws when the organization has no such object. */
export async function getTexts(source: ObjectSource, hashes: readonly Hash[]): Promise<readonly string[]> {
  const { cache, organizationId, pending } = source
  return getAll(source, hashes, cache.texts, pending?.findText, ({ bytes, deltas }, hash) => {
    const value = decodeText(bytes)
    cache.deltas.set(cacheKey(organizationId, hash), deltas, deltasWeight)
    return { value, weight: textWeight(value) }
  })
}

/** Returns the bytes as they were put, undefined when the organization has no such object. Not cached. */
export async function findBytes(
  db: Db,
  organizationId: OrganizationId,
  hash: Hash,
): Promise<Uint8Array | undefined> {
  return (await selectStored(db, organizationId, [hash])).get(hash)?.bytes
}

/** Returns whether the organization has an object with this hash. */
export async function isStored(db: Db, organizationId: OrganizationId, hash: Hash): Promise<boolean> {
  const row = await db
    .selectFrom('objects')
    .select('hash')
    .where('organization_id', '=', organizationId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row !== undefined
}

/** Caches a node that has just been written, since it is read soon. */
export function cacheNode(
  cache: ObjectCache,
  organizationId: OrganizationId,
  hash: Hash,
  node: MapNode,
  size: number,
) {
  cache.nodes.set(cacheKey(organizationId, hash), node, nodeWeight(size))
}

export function cacheText(
  cache: ObjectCache,
  organizationId: OrganizationId,
  hash: Hash,
  { text, deltas }: { readonly text: string; readonly deltas: number | undefined },
): void {
  const key = cacheKey(organizationId, hash)
  cache.texts.set(key, text, textWeight(text))
  if (deltas !== undefined) cache.deltas.set(key, deltas, deltasWeight)
}

export interface CachedText {
  readonly text: string
  /** Deltas between it and a text that is stored whole. */
  readonly deltas: number
}

/** Returns a stored text if it is cached with its number of deltas. */
export function findCachedText(
  cache: ObjectCache,
  organizationId: OrganizationId,
  hash: Hash,
): CachedText | undefined {
  const key = cacheKey(organizationId, hash)
  const [text, deltas] = [cache.texts.get(key), cache.deltas.get(key)]
  return text === undefined || deltas === undefined ? undefined : { text, deltas }
}

/** Returns the cached or stored links of texts, without those that have none. */
export async function getStoredLinks(
  { db, organizationId, cache }: ObjectSource,
  hashes: Iterable<Hash>,
): Promise<Map<Hash, TextLinks>> {
  const found = new Map<Hash, TextLinks>()
  const missing = new Set<Hash>()
  for (const hash of hashes) {
    const links = cache.links.get(cacheKey(organizationId, hash))
    if (links === undefined) missing.add(hash)
    else found.set(hash, links)
  }
  if (missing.size === 0) return found
  const yieldIfDue = yieldToEventLoop()
  for (const [hash, links] of await findTextLinks(db, organizationId, [...missing])) {
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
    cacheLinks(cache, organizationId, hash, links)
    found.set(hash, links)
  }
  return found
}

export function cacheLinks(
  cache: ObjectCache,
  organizationId: OrganizationId,
  hash: Hash,
  links: TextLinks,
): void {
  cache.links.set(cacheKey(organizationId, hash), links, linksWeight(links))
}

/** Measured: a decoded node takes 1.6 times the bytes of its JSON. */
function nodeWeight(size: number): number {
  return 200 + size * 2
}

function textWeight(text: string): number {
  return 200 + text.length * 2
}

const deltasWeight = 100

/** Includes the organization: an object of another one must not be found. */
function cacheKey(organizationId: OrganizationId, hash: Hash): string {
  return organizationId + hash
}

function load(wanted: LoadRequest, source: ObjectSource): Promise<LoadResult> {
  return 'nodes' in wanted ? getNodes(source, wanted.nodes) : getTexts(source, wanted.texts)
}

function findLoaded(
  wanted: LoadRequest,
  { organizationId, cache, pending }: ObjectSource,
): LoadResult | undefined {
  return 'nodes' in wanted
    ? findAll(wanted.nodes, organizationId, cache.nodes, pending?.findNode)
    : findAll(wanted.texts, organizationId, cache.texts, pending?.findText)
}

/** Returns all values or, if one is missing, undefined. */
function findAll<Value>(
  hashes: readonly Hash[],
  organizationId: OrganizationId,
  cache: CacheNamespace<Value>,
  findPending: ((hash: Hash) => Value | undefined) | undefined,
): Value[] | undefined {
  const found: Value[] = []
  for (const hash of hashes) {
    const value = findPending?.(hash) ?? cache.get(cacheKey(organizationId, hash))
    if (value === undefined) return undefined
    found.push(value)
  }
  return found
}

async function getAll<Value>(
  { db, organizationId }: ObjectSource,
  hashes: readonly Hash[],
  cache: CacheNamespace<Value>,
  findPending: ((hash: Hash) => Value | undefined) | undefined,
  decode: (stored: StoredObject, hash: Hash) => { value: Value; weight: number },
): Promise<Value[]> {
  // Held in this map as well: a cache that is too small for one load must not lose a part of it.
  const found = new Map<Hash, Value>()
  const missing = new Set<Hash>()
  for (const hash of hashes) {
    const value = findPending?.(hash) ?? cache.get(cacheKey(organizationId, hash))
    if (value === undefined) missing.add(hash)
    else found.set(hash, value)
  }
  const yieldIfDue = yieldToEventLoop()
  for (const [hash, stored] of await readStored(db, organizationId, [...missing])) {
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
    const { value, weight } = decode(stored, hash)
    cache.set(cacheKey(organizationId, hash), value, weight)
    found.set(hash, value)
  }
  return hashes.map((hash) => {
    const value = found.get(hash)
    if (value === undefined) throw new ContentDamaged(organizationId, hash, 'is missing')
    return value
  })
}

/** The same as `selectStored`, batched with other reads where that saves round trips. */
async function readStored(
  db: Db,
  organizationId: OrganizationId,
  hashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, StoredObject>> {
  if (!isBatched(db, hashes)) return selectStored(db, organizationId, hashes)
  const rows = await readBatched(db, organizationId, hashes)
  const found = new Map<Hash, StoredObject>()
  for (const hash of hashes) {
    const stored = findStored(rows, organizationId, hash)
    if (stored !== undefined) found.set(hash, stored)
  }
  return found
}

async function selectStored(
  db: Db,
  organizationId: OrganizationId,
  hashes: readonly Hash[],
): Promise<Map<Hash, StoredObject>> {
  const found = new Map<Hash, StoredObject>()
  const yieldIfDue = yieldToEventLoop()
  for (let at = 0; at < hashes.length; at += hashesPerQuery) {
    const wanted = hashes.slice(at, at + hashesPerQuery)
    const same = padded(wanted)
    const parameters = [organizationId, ...same]
    const { rows } = await db.executeQuery<ObjectRow>({ ...compiledFor(db, same.length), parameters })
    const all = await withBases(db, organizationId, rows)
    for (const hash of wanted) {
      const pause = yieldIfDue()
      if (pause !== undefined) await pause
      const stored = findStored(all, organizationId, hash)
      if (stored !== undefined) found.set(hash, stored)
    }
  }
  return found
}

const compiled = new WeakMap<Db, Map<number, CompiledQuery<ObjectRow>>>()

/**
 * The statement for a number of hashes, compiled once for each handle of the database: it is executed several times for a
 * page, and compiling it takes as long as executing it on SQLite.
 */
function compiledFor(db: Db, count: number): CompiledQuery<ObjectRow> {
  let known = compiled.get(db)
  if (known === undefined) compiled.set(db, (known = new Map()))
  let query = known.get(count)
  if (query === undefined) {
    const placeholders = Array.from({ length: count }, () => '' as Hash)
    query = db
      .selectFrom('objects')
      .select(['hash', 'bytes', 'encoding', 'base'])
      .where('organization_id', '=', '' as OrganizationId)
      .where('hash', 'in', placeholders)
      .compile()
    known.set(count, query)
  }
  return query
}

/** Repeats the last hash up to a power of two: few lengths need few prepared statements. */
function padded(hashes: readonly Hash[]): readonly Hash[] {
  const length = 2 ** Math.ceil(Math.log2(hashes.length))
  return [...hashes, ...Array.from({ length: length - hashes.length }, () => hashes.at(-1)!)]
}
