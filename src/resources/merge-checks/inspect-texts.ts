/**
 * Inspection of changed texts: images without alternative texts and what cannot be read, with lines. Each text is parsed
 * once, in a worker thread, and its result cached by its hash. A request parses a bounded number: further requests go on.
 */
import type { Hash } from '../../core/ids.js'
import type { BareImage, TextProblem } from '../../core/markdown/inspect-page.js'
import type { Services } from '../../access/route/scope.js'
import { cacheKind } from '../../store/cache/kinds.js'
import { type ObjectSource, getTexts, noObjectCache } from '../../store/content/objects.js'
import { decodeDescription } from '../../store/reading/reader.js'
import type { ContentContext } from '../content/content.js'

export interface TextInspection {
  readonly bareImages: readonly BareImage[]
  readonly problems: readonly TextProblem[]
  /** The first line of each destination of a link, as it is written. */
  readonly lines: ReadonlyMap<string, number>
}

/** Texts that a request parses: some milliseconds each, in threads beside it. */
const maxTexts = 200
/** Characters after which a request parses no further text. */
const maxLength = 4_000_000
const textsPerRound = 20

const inspectionKind = cacheKind<TextInspection>('text inspections', ({ bareImages, problems, lines }) => {
  let weight = 300 + problems.length * 300
  for (const { url } of bareImages) weight += 100 + url.length * 2
  for (const url of lines.keys()) weight += 100 + url.length * 2
  return weight
})

export interface TextInspections {
  get(hash: Hash): TextInspection | undefined
  /** Number of texts that this request did not come to. */
  readonly left: number
}

/** Returns the inspections of these texts, in this order as far as one request goes. */
export async function inspectTexts(
  { organizationId, pending }: ContentContext,
  { database, objects, reader, caches }: Services,
  hashes: readonly Hash[],
): Promise<TextInspections> {
  const keyOf = (hash: Hash) => `${organizationId} ${hash}`
  const found = new Map<Hash, TextInspection>()
  const missing: Hash[] = []
  for (const hash of new Set(hashes)) {
    const known = caches.find(inspectionKind, keyOf(hash))
    if (known === undefined) missing.push(hash)
    else found.set(hash, known)
  }
  // Bypasses the text cache, from which they would evict what users read.
  const cache = { ...objects, texts: noObjectCache.texts }
  const source: ObjectSource = { db: database.read, organizationId, cache, ...(pending && { pending }) }
  const limit = Math.min(missing.length, maxTexts)
  let [at, length] = [0, 0]
  while (at < limit && length < maxLength) {
    const round = missing.slice(at, Math.min(at + textsPerRound, limit))
    const texts = await getTexts(source, round)
    const inspected = await Promise.all(texts.map((text) => inspectText(text, reader)))
    for (const [index, inspection] of inspected.entries()) {
      found.set(round[index]!, inspection)
      caches.put(inspectionKind, keyOf(round[index]!), inspection)
    }
    at += round.length
    length += texts.reduce((sum, text) => sum + text.length, 0)
  }
  return { get: (hash) => found.get(hash), left: missing.length - at }
}

async function inspectText(text: string, reader: Services['reader']): Promise<TextInspection> {
  const analysis = await reader.describe(text)
  const { references, referenceLines, bareImages } = decodeDescription(analysis)
  const lines = new Map<string, number>()
  for (const [at, { url }] of references.entries()) if (!lines.has(url)) lines.set(url, referenceLines[at]!)
  return { bareImages, problems: analysis.problems, lines }
}
