/**
 * What texts say of links: as it is kept, else read now. A few small texts are read at once; more of them in the reading
 * threads, so that nobody waits for them.
 */
import { noLinks } from '../../core/links/text-links.js'
import type { TextLinks } from '../../core/links/text-links.js'
import type { Hash } from '../../core/ids.js'
import { parsePage } from '../../core/markdown/parse.js'
import { linksOfParsed } from '../../core/markdown/text-links.js'
import type { Services } from '../../access/route/scope.js'
import {
  type ObjectSource,
  getKeptLinks,
  getTexts,
  keepNoObjects,
  rememberLinks,
} from '../../store/content/objects.js'
import { findPackedLinks, unpackLinks } from '../../store/content/text-links.js'
import { takeTurns } from '../../store/content/turns.js'
import type { ContentHere } from '../content/content.js'

/** Characters that are read at once: some milliseconds. */
const mostAtOnce = 10_000
/** Texts that are in memory together. */
const textsPerRound = 200

type ReadHere = Pick<ContentHere, 'organizationId' | 'pending'>
type ReadServices = Pick<Services, 'database' | 'objects' | 'reader'>

/** Returns what each of these texts says of links. */
export async function readLinks(
  content: ReadHere,
  services: ReadServices,
  hashes: Iterable<Hash>,
): Promise<ReadonlyMap<Hash, TextLinks>> {
  const wanted = new Set(hashes)
  if (wanted.size === 0) return new Map()
  const source = sourceOf(content, services)
  const found = await getKeptLinks(source, wanted)
  await readMissing(source, services, wanted, found, (hash, said) => {
    const links = unpacked(said)
    rememberLinks(source.cache, content.organizationId, hash, links)
    found.set(hash, links)
  })
  return found
}

/** What many texts say of links, as it is kept, which takes a tenth of the memory: each answer is read out of it. */
export interface HeldLinks {
  /** Undefined of a text that was not asked for. */
  get(hash: Hash): TextLinks | undefined
}

/** Returns the same for most texts of a space, which would push out of the cache what people read. */
export async function holdLinks(
  content: ReadHere,
  services: ReadServices,
  hashes: Iterable<Hash>,
): Promise<HeldLinks> {
  const wanted = new Set(hashes)
  const source = sourceOf(content, services)
  const held: Map<Hash, Said> = await findPackedLinks(source.db, content.organizationId, [...wanted])
  await readMissing(source, services, wanted, held, (hash, said) => held.set(hash, said))
  return {
    get(hash) {
      const said = held.get(hash)
      return said && unpacked(said)
    },
  }
}

/** Packed where it comes out of the database or another thread. */
type Said = TextLinks | Uint8Array

function unpacked(said: Said): TextLinks {
  return said instanceof Uint8Array ? unpackLinks(said) : said
}

/** Texts that are read once would push out of the cache what people read. */
function sourceOf({ organizationId, pending }: ReadHere, { database, objects }: ReadServices): ObjectSource {
  const cache = { ...objects, texts: keepNoObjects.texts }
  return { db: database.read, organizationId, cache, ...(pending && { pending }) }
}

async function readMissing(
  source: ObjectSource,
  services: ReadServices,
  wanted: ReadonlySet<Hash>,
  found: ReadonlyMap<Hash, unknown>,
  give: (hash: Hash, said: Said) => void,
): Promise<void> {
  const missing = [...wanted].filter((hash) => !found.has(hash))
  for (let at = 0; at < missing.length; at += textsPerRound) {
    const round = missing.slice(at, at + textsPerRound)
    const texts = await getTexts(source, round)
    const isLittle = texts.reduce((size, text) => size + text.length, 0) <= mostAtOnce
    const said = isLittle ? await readAtOnce(texts) : await readAside(texts, services)
    for (const [index, hash] of round.entries()) give(hash, said[index] ?? noLinks)
  }
}

async function readAtOnce(texts: readonly string[]): Promise<readonly Said[]> {
  const turn = takeTurns()
  const read: TextLinks[] = []
  for (const text of texts) {
    const rest = turn()
    if (rest !== undefined) await rest
    read.push(linksOfParsed(text, parsePage(text)))
  }
  return read
}

async function readAside(
  texts: readonly string[],
  { reader }: Pick<Services, 'reader'>,
): Promise<readonly Said[]> {
  const read = await Promise.all(texts.map((text) => reader.describe(text)))
  return read.map(({ kept }) => kept)
}
