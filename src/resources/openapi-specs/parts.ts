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
  partialSpecification,
} from '../../core/openapi/specification.js'
import type { Services } from '../../access/route/scope.js'
import { kindOf } from '../../store/cache/kinds.js'

type PartsServices = Pick<Services, 'files' | 'caches'>

/** With the version of its form. */
const directoryName = 'directory.1'
const directoryKind = kindOf<{ readonly root: Part; readonly weight: number }>(
  'directory of a specification',
  ({ weight }) => weight,
)
/** Bytes: a part that is larger is not shown, nor what goes beyond the sum. */
const [largestPart, largestSum] = [2_000_000, 12_000_000]
/** Schemas name schemas: how often parts are read until what was asked is answered. */
const mostRounds = 60
const partsAtOnce = 8

/** The JSON text of a specification: where its parts stand, and their bytes; undefined when they are gone. */
export interface PartedText {
  readonly root: Part
  bytes(part: Part): Promise<Uint8Array | undefined>
}

/** Returns the text of a version in parts; undefined when the bytes are gone. */
export async function openVersion(services: PartsServices, hash: Hash): Promise<PartedText | undefined> {
  const root = await openDirectory(services, hash)
  return root && { root, bytes: (part) => readPart(services, hash, part) }
}

/**
 * Returns what `read` makes of a specification; it is asked again whenever parts were missing, so it costs what it
 * costs once for each level of references.
 */
export async function readInParts<Result>(
  { root, bytes }: PartedText,
  read: (specification: Specification) => Result,
): Promise<Result> {
  const parts = new Map<string, unknown>()
  let left = largestSum
  for (let round = 1; ; round++) {
    const specification = partialSpecification(root, parts)
    const result = read(specification)
    if (specification.wanted.size === 0 || round === mostRounds) return result
    const wanted = [...specification.wanted]
    for (let at = 0; at < wanted.length; at += partsAtOnce) {
      await Promise.all(
        wanted.slice(at, at + partsAtOnce).map(async (pointer) => {
          const part = partAt(root, pointer)
          const size = part.end - part.start
          const fits = size <= largestPart && size <= left
          if (fits) left -= size
          parts.set(pointer, fits ? valueOf(await bytes(part)) : undefined)
        }),
      )
    }
  }
}

const valueOf = (bytes: Uint8Array | undefined): unknown =>
  bytes && (JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) as unknown)

async function readPart(
  { files }: PartsServices,
  hash: Hash,
  { start, end }: Part,
): Promise<Uint8Array | undefined> {
  const stream = await files.open(hash, { start, end })
  if (stream === undefined) return undefined
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece as Uint8Array)
  return Buffer.concat(pieces)
}

async function openDirectory({ files, caches }: PartsServices, hash: Hash): Promise<Part | undefined> {
  const known = caches.find(directoryKind, hash)
  if (known !== undefined) return known.root
  const kept = await files.derived.read(hash, directoryName)
  const text = kept === undefined ? await makeDirectory(files, hash) : Buffer.from(kept).toString()
  if (text === undefined) return undefined
  const root = decodeDirectory(text)
  caches.keep(directoryKind, hash, { root, weight: text.length * 6 })
  return root
}

async function makeDirectory(files: PartsServices['files'], hash: Hash): Promise<string | undefined> {
  const stream = await files.open(hash)
  if (stream === undefined) return undefined
  const scan = scanDirectory()
  for await (const bytes of stream) scan.take(bytes as Uint8Array)
  const text = encodeDirectory(scan.end())
  await files.derived.put(hash, directoryName, Buffer.from(text))
  return text
}
