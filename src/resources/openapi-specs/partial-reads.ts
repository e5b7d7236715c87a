/**
 * A version of a specification, read in parts: a directory of its text is made once and kept beside it, and of fifty
 * megabytes only those are read that somebody asks for.
 */
import type { Hash } from '../../core/ids.js'
import { decodeDirectory, encodeDirectory, scanDirectory } from '../../core/openapi/directory.js'
import {
  type Part,
  type Specification,
  partAt,
  partOfReference,
  partialSpecification,
} from '../../core/openapi/specification.js'
import type { Services } from '../../access/route/scope.js'
import { cacheKind } from '../../store/cache/kinds.js'

type PartsServices = Pick<Services, 'files' | 'caches'>

/** With the version of its form. */
const directoryName = 'directory.1'
const directoryKind = cacheKind<{ readonly root: Part; readonly weight: number }>(
  'directory of a specification',
  ({ weight }) => weight,
)
const blockKind = cacheKind<Uint8Array>('block of a specification', ({ length }) => length)
const blockSize = 128 * 1024
/** Bytes: a part that is larger is not shown, nor what goes beyond the sum. */
const [maxPartBytes, maxTotalBytes] = [2_000_000, 12_000_000]
/** Schemas name schemas: how often parts are read until what was asked is answered. */
const maxRounds = 60
const concurrentReads = 8
const prefetchLevels = 1
/** As it stands in the text of a specification, which was written without blanks. */
const referenceInText = /"\$ref":"(#[^"\\]*)"/g

/** The JSON text of a specification: where its parts stand, and their bytes; undefined when they are gone. */
export interface IndexedText {
  readonly root: Part
  bytes(part: Part): Promise<Uint8Array | undefined>
}

/** Returns the text of a version in parts; undefined when the bytes are gone. */
export async function openVersionText(services: PartsServices, hash: Hash): Promise<IndexedText | undefined> {
  const root = await openDirectory(services, hash)
  return root && { root, bytes: createBlockReader(services, hash, root.end) }
}

/**
 * Returns what `read` makes of a specification; it is asked again whenever parts were missing, so it costs what it
 * costs once more for each time. What the parts that came refer to is read along with them, before anybody asks for it.
 */
export async function readPartially<Result>(
  { root, bytes }: IndexedText,
  read: (specification: Specification) => Result,
): Promise<Result> {
  const parts = new Map<string, unknown>()
  let left = maxTotalBytes

  /** Reads a part and returns where the references in it point. */
  async function readPart(pointer: string): Promise<readonly string[]> {
    const part = partAt(root, pointer)
    const size = part.end - part.start
    parts.set(pointer, undefined)
    if (size > maxPartBytes || size > left) return []
    left -= size
    const taken = await bytes(part)
    if (taken === undefined) return []
    const text = Buffer.from(taken.buffer, taken.byteOffset, taken.length).toString()
    parts.set(pointer, JSON.parse(text))
    return Array.from(text.matchAll(referenceInText), ([, ref]) => partOfReference(root, ref!) ?? []).flat()
  }

  for (let round = 1; ; round++) {
    const specification = partialSpecification(root, parts)
    const result = read(specification)
    if (specification.wanted.size === 0 || round === maxRounds) return result
    let wanted = [...specification.wanted]
    for (let level = 0; level <= prefetchLevels; level++) {
      const named: string[] = []
      for (let at = 0; at < wanted.length; at += concurrentReads) {
        // What nobody asked for yet leaves room for what somebody will.
        if (level > 0 && left < maxTotalBytes / 2) break
        const taken = await Promise.all(wanted.slice(at, at + concurrentReads).map(readPart))
        named.push(...taken.flat())
      }
      wanted = [...new Set(named)].filter((pointer) => !parts.has(pointer))
    }
  }
}

/** Reads parts of a text in blocks, which are kept: parts are many and small, and opening costs more than reading. */
function createBlockReader(
  { files, caches }: PartsServices,
  hash: Hash,
  length: number,
): IndexedText['bytes'] {
  const reading = new Map<number, Promise<Uint8Array | undefined>>()

  async function readBlock(index: number): Promise<Uint8Array | undefined> {
    const key = `${hash} ${index}`
    const known = caches.find(blockKind, key)
    if (known !== undefined) return known
    const start = index * blockSize
    const stream = await files.open(hash, { start, end: Math.min(start + blockSize, length) })
    if (stream === undefined) return undefined
    const pieces: Uint8Array[] = []
    for await (const piece of stream) pieces.push(piece as Uint8Array)
    const block = Buffer.concat(pieces)
    caches.put(blockKind, key, block)
    return block
  }

  /** Those who ask at once for what stands in one block share it. */
  function blockAt(index: number): Promise<Uint8Array | undefined> {
    let block = reading.get(index)
    if (block === undefined) {
      block = readBlock(index).finally(() => reading.delete(index))
      reading.set(index, block)
    }
    return block
  }

  return async ({ start, end }) => {
    const pieces: Uint8Array[] = []
    for (let at = start; at < end;) {
      const index = Math.floor(at / blockSize)
      const block = await blockAt(index)
      const piece = block?.subarray(at - index * blockSize, end - index * blockSize)
      // A file that is shorter than it was is damaged.
      if (piece === undefined || piece.length === 0) return undefined
      pieces.push(piece)
      at += piece.length
    }
    return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)
  }
}

async function openDirectory({ files, caches }: PartsServices, hash: Hash): Promise<Part | undefined> {
  const known = caches.find(directoryKind, hash)
  if (known !== undefined) return known.root
  const stored = await files.derived.read(hash, directoryName)
  const text = stored === undefined ? await buildDirectory(files, hash) : Buffer.from(stored).toString()
  if (text === undefined) return undefined
  const root = decodeDirectory(text)
  caches.put(directoryKind, hash, { root, weight: text.length * 6 })
  return root
}

async function buildDirectory(files: PartsServices['files'], hash: Hash): Promise<string | undefined> {
  const stream = await files.open(hash)
  if (stream === undefined) return undefined
  const scan = scanDirectory()
  for await (const bytes of stream) scan.take(bytes as Uint8Array)
  const text = encodeDirectory(scan.end())
  await files.derived.put(hash, directoryName, Buffer.from(text))
  return text
}
