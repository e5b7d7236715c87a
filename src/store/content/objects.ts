/**
 * Reading what is named by its hash: map nodes, texts and plain bytes of one organization.
 *
 * `run` drives core's steps: from what the transaction is about to write, from memory, then from the
 * database, all hashes of one question in one query. What comes from there is checked against its name; what is
 * cached is right for ever, and only room is a question.
 */
import type { CompiledQuery } from 'kysely'
import type { Hash, OrganizationId, PageId } from '../../core/ids.js'
import type { SourcedPage } from '../../core/openapi/expand.js'
import type { TextLinks } from '../../core/links/text-links.js'
import type { Load, Loaded, MapNode, Step } from '../../core/merkle/types.js'
import type { Caches } from '../cache/caches.js'
import { type Place, keepNothing, kindOf } from '../cache/kinds.js'
import type { Db } from '../db/database.js'
import { ContentDamaged, requireWhole } from './damaged.js'
import { decodeNode, decodeText } from './encoding.js'
import { gatherBytes, isGathered } from './gather.js'
import type { Revision } from './revisions.js'
import { findTextLinks, linksWeight } from './text-links.js'
import { takeTurns } from './turns.js'

/** What never changes, decoded, of all organizations. */
export interface ObjectCache {
  readonly nodes: Place<MapNode>
  readonly texts: Place<string>
  /** What texts say of links. */
  readonly links: Place<TextLinks>
  /** By space and id. */
  readonly revisions: Place<Revision>
  /** What is made of specifications in a revision, by organization and revision. */
  readonly sourced: Place<readonly SourcedPage[]>
  /** Revisions with what is made so, by organization and name. */
  readonly computed: Place<ComputedRevision>
}

/** A revision with its computed pages, and the objects of it that are stored nowhere. */
export interface ComputedRevision {
  readonly revision: Revision
  readonly pending: PendingObjects
  /** What the index is told of the pages that were made, in place of their texts. */
  readonly searched: ReadonlyMap<PageId, string>
}

/** Objects that are made but not yet in the database; see sink.ts. */
export interface PendingObjects {
  findNode(hash: Hash): MapNode | undefined
  findText(hash: Hash): string | undefined
}

/** Where one organization's objects are read. */
export interface ObjectSource {
  readonly db: Db
  readonly organizationId: OrganizationId
  readonly cache: ObjectCache
  readonly pending?: PendingObjects
}

/** Some 2 ms on SQLite, where nobody else runs meanwhile; of twice as many, each row takes as long. */
const hashesPerQuery = 256

const nodeKind = kindOf<MapNode>('node')
const textKind = kindOf<string>('text')
const linksKind = kindOf<TextLinks>('text links')
const revisionKind = kindOf<Revision>('revision')
const sourcedKind = kindOf<readonly SourcedPage[]>('computed pages')
const computedKind = kindOf<ComputedRevision>('computed revision')

/** Answers the place of objects in what the process keeps. */
export function createObjectCache(caches: Pick<Caches, 'place'>): ObjectCache {
  return {
    nodes: caches.place(nodeKind),
    texts: caches.place(textKind),
    links: caches.place(linksKind),
    revisions: caches.place(revisionKind),
    sourced: caches.place(sourcedKind),
    computed: caches.place(computedKind),
  }
}

/** For work that reads everything once: it would push out what people read. */
export const keepNoObjects: ObjectCache = {
  nodes: keepNothing(),
  texts: keepNothing(),
  links: keepNothing(),
  revisions: keepNothing(),
  sourced: keepNothing(),
  computed: keepNothing(),
}

/** Drives a step to its result; when all it asks for is at hand, no tick of the event loop passes in between. */
export async function run<Result>(step: Step<Result>, source: ObjectSource): Promise<Result> {
  let state = step.next(undefined as never)
  const turn = takeTurns()
  while (!state.done) {
    const rest = turn()
    if (rest !== undefined) await rest
    const loaded = findLoaded(state.value, source) ?? (await load(state.value, source))
    state = step.next(loaded)
  }
  return state.value
}

/** The longest that a long step keeps everybody else waiting, in milliseconds; what it does between two loads is whole. */
const slice = 8

/** The same for a long step that nobody waits for inside a transaction: others have their turns in between. */
export async function runAside<Result>(step: Step<Result>, source: ObjectSource): Promise<Result> {
  let [state, begun] = [step.next(undefined as never), performance.now()]
  while (!state.done) {
    if (performance.now() - begun > slice) {
      await new Promise((resolve) => setImmediate(resolve))
      begun = performance.now()
    }
    const loaded = findLoaded(state.value, source) ?? (await load(state.value, source))
    state = step.next(loaded)
  }
  return state.value
}

/** Answers the nodes in the order of the hashes; throws when the organization has no such object. */
export async function getNodes(source: ObjectSource, hashes: readonly Hash[]): Promise<readonly MapNode[]> {
  return getAll(source, hashes, source.cache.nodes, source.pending?.findNode, (bytes) => ({
    value: decodeNode(bytes),
    weight: nodeWeight(bytes.length),
  }))
}

/** Answers the texts in the order of the hashes; throws when the organization has no such object. */
export async function getTexts(source: ObjectSource, hashes: readonly Hash[]): Promise<readonly string[]> {
  return getAll(source, hashes, source.cache.texts, source.pending?.findText, (bytes) => {
    const value = decodeText(bytes)
    return { value, weight: textWeight(value) }
  })
}

/** Answers the bytes as they were put, undefined when the organization has no such object. Not cached. */
export async function findBytes(
  db: Db,
  organizationId: OrganizationId,
  hash: Hash,
): Promise<Uint8Array | undefined> {
  return (await selectBytes(db, organizationId, [hash])).get(hash)
}

/** Puts a node into memory that will be asked for soon: it has just been written. */
export function rememberNode(
  cache: ObjectCache,
  organizationId: OrganizationId,
  hash: Hash,
  node: MapNode,
  size: number,
) {
  cache.nodes.set(cacheKey(organizationId, hash), node, nodeWeight(size))
}

export function rememberText(cache: ObjectCache, organizationId: OrganizationId, hash: Hash, text: string) {
  cache.texts.set(cacheKey(organizationId, hash), text, textWeight(text))
}

/** Answers what is kept of what texts say of links, without those of which nothing is. */
export async function getKeptLinks(
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
  const turn = takeTurns()
  for (const [hash, links] of await findTextLinks(db, organizationId, [...missing])) {
    const rest = turn()
    if (rest !== undefined) await rest
    rememberLinks(cache, organizationId, hash, links)
    found.set(hash, links)
  }
  return found
}

export function rememberLinks(
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

/** With the organization: that another one holds an object must not answer for this one. */
function cacheKey(organizationId: OrganizationId, hash: Hash): string {
  return organizationId + hash
}

function load(wanted: Load, source: ObjectSource): Promise<Loaded> {
  return 'nodes' in wanted ? getNodes(source, wanted.nodes) : getTexts(source, wanted.texts)
}

function findLoaded(wanted: Load, { organizationId, cache, pending }: ObjectSource): Loaded | undefined {
  return 'nodes' in wanted
    ? findAll(wanted.nodes, organizationId, cache.nodes, pending?.findNode)
    : findAll(wanted.texts, organizationId, cache.texts, pending?.findText)
}

/** Answers all or, as soon as one is missing, undefined. */
function findAll<Value>(
  hashes: readonly Hash[],
  organizationId: OrganizationId,
  cache: Place<Value>,
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
  cache: Place<Value>,
  findPending: ((hash: Hash) => Value | undefined) | undefined,
  decode: (bytes: Uint8Array) => { value: Value; weight: number },
): Promise<Value[]> {
  // Held here as well: a cache that is too small for one question must not lose a part of the answer.
  const found = new Map<Hash, Value>()
  const missing = new Set<Hash>()
  for (const hash of hashes) {
    const value = findPending?.(hash) ?? cache.get(cacheKey(organizationId, hash))
    if (value === undefined) missing.add(hash)
    else found.set(hash, value)
  }
  const turn = takeTurns()
  for (const [hash, bytes] of await readBytes(db, organizationId, [...missing])) {
    const rest = turn()
    if (rest !== undefined) await rest
    const { value, weight } = decode(bytes)
    cache.set(cacheKey(organizationId, hash), value, weight)
    found.set(hash, value)
  }
  return hashes.map((hash) => {
    const value = found.get(hash)
    if (value === undefined) throw new ContentDamaged(organizationId, hash, 'is missing')
    return value
  })
}

/** The same as `selectBytes`, together with what others are reading where that saves round trips. */
async function readBytes(
  db: Db,
  organizationId: OrganizationId,
  hashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, Uint8Array>> {
  if (!isGathered(db, hashes)) return selectBytes(db, organizationId, hashes)
  const gathered = await gatherBytes(db, organizationId, hashes)
  const found = new Map<Hash, Uint8Array>()
  for (const hash of hashes) {
    const bytes = gathered.get(hash)
    if (bytes === undefined) continue
    requireWhole(organizationId, hash, bytes)
    found.set(hash, bytes)
  }
  return found
}

async function selectBytes(
  db: Db,
  organizationId: OrganizationId,
  hashes: readonly Hash[],
): Promise<Map<Hash, Uint8Array>> {
  const found = new Map<Hash, Uint8Array>()
  const turn = takeTurns()
  for (let at = 0; at < hashes.length; at += hashesPerQuery) {
    const wanted = padded(hashes.slice(at, at + hashesPerQuery))
    const { rows } = await db.executeQuery<ObjectRow>({
      ...compiledFor(db, wanted.length),
      parameters: [organizationId, ...wanted],
    })
    for (const { hash, bytes } of rows) {
      const rest = turn()
      if (rest !== undefined) await rest
      requireWhole(organizationId, hash, bytes)
      found.set(hash, bytes)
    }
  }
  return found
}

/** An object as it is stored. */
interface ObjectRow {
  readonly hash: Hash
  readonly bytes: Uint8Array
}

const compiled = new WeakMap<Db, Map<number, CompiledQuery<ObjectRow>>>()

/**
 * The statement for so many hashes, compiled once for each handle of the database: it is asked several times for a page,
 * and compiling it takes as long as SQLite takes to answer.
 */
function compiledFor(db: Db, count: number): CompiledQuery<ObjectRow> {
  let known = compiled.get(db)
  if (known === undefined) compiled.set(db, (known = new Map()))
  let query = known.get(count)
  if (query === undefined) {
    const places = Array.from({ length: count }, () => '' as Hash)
    query = db
      .selectFrom('objects')
      .select(['hash', 'bytes'])
      .where('organization_id', '=', '' as OrganizationId)
      .where('hash', 'in', places)
      .compile()
    known.set(count, query)
  }
  return query
}

/** Repeats the last hash up to a power of two: few lengths make few statements, which stay prepared. */
function padded(hashes: readonly Hash[]): readonly Hash[] {
  const length = 2 ** Math.ceil(Math.log2(hashes.length))
  return [...hashes, ...Array.from({ length: length - hashes.length }, () => hashes.at(-1)!)]
}
