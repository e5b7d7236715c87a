/**
 * Reads the links of texts from cache or storage, else by parsing: a few small texts in this thread, more in worker
 * threads, so that no other request waits.
 */
import { noLinks } from '../../core/links/text-links.js'
import type { TextLinks } from '../../core/links/text-links.js'
import type { Hash } from '../../core/ids.js'
import { parsePage } from '../../core/markdown/parse.js'
import { linksOfParsed } from '../../core/markdown/text-links.js'
import type { Services } from '../../access/route/scope.js'
import {
  type ObjectSource,
  getStoredLinks,
  getTexts,
  noObjectCache,
  cacheLinks,
} from '../../store/content/objects.js'
import { findEncodedLinks, decodeLinks, encodeLinks, putTextLinks } from '../../store/content/text-links.js'
import { yieldToEventLoop } from '../../store/content/yield-to-event-loop.js'
import { noLocks } from '../../store/db/lock-scope.js'
import type { ContentContext } from '../content/content.js'

/** Characters that are parsed in this thread: some milliseconds. */
const inlineLength = 10_000
/** Texts that are in memory at the same time. */
const textsPerRound = 200

type TextOwner = Pick<ContentContext, 'organizationId' | 'pending'>
type ReadServices = Pick<Services, 'database' | 'objects' | 'reader'>

/** Returns the links of each of these texts. */
export async function readLinks(
  content: TextOwner,
  services: ReadServices,
  hashes: Iterable<Hash>,
): Promise<ReadonlyMap<Hash, TextLinks>> {
  const wanted = new Set(hashes)
  if (wanted.size === 0) return new Map()
  const source = sourceOf(content, services)
  const found = await getStoredLinks(source, wanted)
  await readMissing(source, services, wanted, found, (hash, maybePacked) => {
    const links = unpacked(maybePacked)
    cacheLinks(source.cache, content.organizationId, hash, links)
    found.set(hash, links)
  })
  return found
}

/** Stores the links of texts that are not stored yet: saves of a change request do not store theirs. */
export async function storeLinks(
  content: TextOwner,
  services: ReadServices,
  hashes: Iterable<Hash>,
): Promise<void> {
  const { organizationId } = content
  const { database } = services
  const wanted = new Set(hashes)
  const stored = await findEncodedLinks(database.read, organizationId, [...wanted])
  const missing = [...wanted].filter((hash) => !stored.has(hash))
  for (let at = 0; at < missing.length; at += textsPerRound) {
    const links = await readLinks(content, services, missing.slice(at, at + textsPerRound))
    const encoded = [...links].map(([hash, one]) => [hash, encodeLinks(one)] as const)
    await database.writeInBulk(noLocks, (tx) => putTextLinks(tx, organizationId, encoded))
  }
}

/** The links of many texts in packed form, which takes a tenth of the memory: each is unpacked on read. */
export interface PackedLinks {
  /** Undefined for a text that was not requested. */
  get(hash: Hash): TextLinks | undefined
}

/** Returns the links of most texts of a space, bypassing the cache, from which they would evict what users read. */
export async function readPackedLinks(
  content: TextOwner,
  services: ReadServices,
  hashes: Iterable<Hash>,
): Promise<PackedLinks> {
  const wanted = new Set(hashes)
  const source = sourceOf(content, services)
  const packed: Map<Hash, MaybePackedLinks> = await findEncodedLinks(source.db, content.organizationId, [
    ...wanted,
  ])
  await readMissing(source, services, wanted, packed, (hash, maybePacked) => packed.set(hash, maybePacked))
  return {
    get(hash) {
      const maybePacked = packed.get(hash)
      return maybePacked && unpacked(maybePacked)
    },
  }
}

/** Packed when it comes from the database or a worker thread. */
type MaybePackedLinks = TextLinks | Uint8Array

function unpacked(maybePacked: MaybePackedLinks): TextLinks {
  return maybePacked instanceof Uint8Array ? decodeLinks(maybePacked) : maybePacked
}

/** Bypasses the text cache: texts that are read once would evict what users read. */
function sourceOf({ organizationId, pending }: TextOwner, { database, objects }: ReadServices): ObjectSource {
  const cache = { ...objects, texts: noObjectCache.texts }
  return { db: database.read, organizationId, cache, ...(pending && { pending }) }
}

async function readMissing(
  source: ObjectSource,
  services: ReadServices,
  wanted: ReadonlySet<Hash>,
  found: ReadonlyMap<Hash, unknown>,
  add: (hash: Hash, maybePacked: MaybePackedLinks) => void,
): Promise<void> {
  const missing = [...wanted].filter((hash) => !found.has(hash))
  for (let at = 0; at < missing.length; at += textsPerRound) {
    const round = missing.slice(at, at + textsPerRound)
    const texts = await getTexts(source, round)
    const isLittle = texts.reduce((size, text) => size + text.length, 0) <= inlineLength
    const maybePacked = isLittle ? await readInline(texts) : await readInWorkers(texts, services)
    for (const [index, hash] of round.entries()) add(hash, maybePacked[index] ?? noLinks)
  }
}

async function readInline(texts: readonly string[]): Promise<readonly MaybePackedLinks[]> {
  const pauseIfDue = yieldToEventLoop()
  const read: TextLinks[] = []
  for (const text of texts) {
    const pause = pauseIfDue()
    if (pause !== undefined) await pause
    read.push(linksOfParsed(text, parsePage(text)))
  }
  return read
}

async function readInWorkers(
  texts: readonly string[],
  { reader }: Pick<Services, 'reader'>,
): Promise<readonly MaybePackedLinks[]> {
  const read = await Promise.all(texts.map((text) => reader.describe(text)))
  return read.map(({ encodedLinks }) => encodedLinks)
}
