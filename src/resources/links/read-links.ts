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
import { getKeptLinks, getTexts, keepNoObjects, rememberLinks } from '../../store/content/objects.js'
import { unpackLinks } from '../../store/content/text-links.js'
import { takeTurns } from '../../store/content/turns.js'
import type { ContentHere } from '../content/content.js'

/** Characters that are read at once: some milliseconds. */
const mostAtOnce = 10_000
/** Texts that are in memory together. */
const textsPerRound = 200

/** Returns what each of these texts says of links. */
export async function readLinks(
  { organizationId, pending }: Pick<ContentHere, 'organizationId' | 'pending'>,
  services: Pick<Services, 'database' | 'objects' | 'reader'>,
  hashes: Iterable<Hash>,
): Promise<ReadonlyMap<Hash, TextLinks>> {
  const wanted = new Set(hashes)
  if (wanted.size === 0) return new Map()
  // Texts that are read once would push out of the cache what people read.
  const cache = { ...services.objects, texts: keepNoObjects.texts }
  const source = { db: services.database.read, organizationId, cache, ...(pending && { pending }) }
  const found = await getKeptLinks(source, wanted)
  const missing = [...wanted].filter((hash) => !found.has(hash))
  for (let at = 0; at < missing.length; at += textsPerRound) {
    const round = missing.slice(at, at + textsPerRound)
    const texts = await getTexts(source, round)
    const isLittle = texts.reduce((size, text) => size + text.length, 0) <= mostAtOnce
    const read = isLittle ? await readAtOnce(texts) : await readAside(texts, services)
    for (const [index, hash] of round.entries()) {
      const links = read[index] ?? noLinks
      rememberLinks(cache, organizationId, hash, links)
      found.set(hash, links)
    }
  }
  return found
}

async function readAtOnce(texts: readonly string[]): Promise<readonly TextLinks[]> {
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
): Promise<readonly TextLinks[]> {
  const read = await Promise.all(texts.map((text) => reader.describe(text)))
  return read.map(({ kept }) => unpackLinks(kept))
}
