/**
 * Random access to large specifications: an index (directory) of the parts of the JSON text is built once and stored
 * beside it, so that of fifty megabytes only the requested parts are read.
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

/** Name with format version. */
const directoryName = 'directory.1'
const directoryKind = cacheKind<{ readonly root: Part; readonly weight: number }>(
  'directory of a specification',
  ({ weight }) => weight,
)
const blockKind = cacheKind<Uint8Array>('block of a specification', ({ length }) => length)
const blockSize = 128 * 1024
/** Maximum bytes of one part, and of all parts together; what exceeds them is not rendered. */
const [maxPartBytes, maxTotalBytes] = [2_000_000, 12_000_000]
/** Schemas reference schemas: maximum rounds of reading missing parts. */
const maxRounds = 60
const concurrentReads = 8
const prefetchLevels = 1
/** As written in the JSON text of a specification, which has no whitespace. */
const referenceInText = /"\$ref":"(#[^"\\]*)"/g

/**
 * The indexed JSON text of a specification: the positions of its parts, and their bytes; undefined when they are
 * missing.
 */
export interface IndexedText {
  readonly root: Part
  bytes(part: Part): Promise<Uint8Array | undefined>
}

/** Returns the indexed text of a version; undefined when the bytes are missing. */
export async function openVersionText(services: PartsServices, hash: Hash): Promise<IndexedText | undefined> {
  const root = await openDirectory(services, hash)
  return root && { root, bytes: createBlockReader(services, hash, root.end) }
}

/**
 * Returns the result of `read` on a specification; `read` is called again whenever parts were missing, so it must be
 * cheap. The parts that loaded parts reference are prefetched.
 */
export async function readPartially<Result>(
  { root, bytes }: IndexedText,
  read: (specification: Specification) => Result,
): Promise<Result> {
  const parts = new Map<string, unknown>()
  let left = maxTotalBytes

  /** Reads a part and returns the pointers of the references in it. */
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
      const referenced: string[] = []
      for (let at = 0; at < wanted.length; at += concurrentReads) {
        // Prefetching leaves half of the limit for requested parts.
        if (level > 0 && left < maxTotalBytes / 2) break
        const taken = await Promise.all(wanted.slice(at, at + concurrentReads).map(readPart))
        referenced.push(...taken.flat())
      }
      wanted = [...new Set(referenced)].filter((pointer) => !parts.has(pointer))
    }
  }
}

/**
 * Returns a reader of parts through cached blocks: parts are many and small, and opening a file costs more than
 * reading it.
 */
function createBlockReader(
  { files, caches }: PartsServices,
  hash: Hash,
  length: number,
): IndexedText['bytes'] {
  const reading = new Map<number, Promise<Uint8Array | undefined>>()

  async function readBlock(index: number): Promise<Uint8Array | undefined> {
    const key = `${hash} ${index}`
    const cached = caches.find(blockKind, key)
    if (cached !== undefined) return cached
    const start = index * blockSize
    const stream = await files.open(hash, { start, end: Math.min(start + blockSize, length) })
    if (stream === undefined) return undefined
    const chunks: Uint8Array[] = []
    for await (const chunk of stream) chunks.push(chunk as Uint8Array)
    const block = Buffer.concat(chunks)
    caches.put(blockKind, key, block)
    return block
  }

  /** Concurrent reads of one block share it. */
  function blockAt(index: number): Promise<Uint8Array | undefined> {
    let block = reading.get(index)
    if (block === undefined) {
      block = readBlock(index).finally(() => reading.delete(index))
      reading.set(index, block)
    }
    return block
  }

  return async ({ start, end }) => {
    const slices: Uint8Array[] = []
    for (let at = start; at < end;) {
      const index = Math.floor(at / blockSize)
      const block = await blockAt(index)
      const slice = block?.subarray(at - index * blockSize, end - index * blockSize)
      // A file that is shorter than its directory says is damaged.
      if (slice === undefined || slice.length === 0) return undefined
      slices.push(slice)
      at += slice.length
    }
    return slices.length === 1 ? slices[0] : Buffer.concat(slices)
  }
}

async function openDirectory({ files, caches }: PartsServices, hash: Hash): Promise<Part | undefined> {
  const cached = caches.find(directoryKind, hash)
  if (cached !== undefined) return cached.root
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
