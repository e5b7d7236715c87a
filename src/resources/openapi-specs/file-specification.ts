/**
 * Parsed specifications of files in a space, stored as derived files. A file is content-addressed, so it is parsed
 * once, in the worker thread that parses all specifications: its JSON text with the directory of its parts is stored
 * beside it, and separately its outline or its problem. Concurrent callers wait for the same parse, until their
 * timeout. Fetches nothing.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Hash } from '../../core/ids.js'
import { decodeDirectory, encodeDirectory, scanDirectory } from '../../core/openapi/directory.js'
import type { SpecificationOutline } from '../../core/openapi/outline.js'
import type { FileRecord } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { limits } from '../../contract/limits.js'
import { cacheKind } from '../../store/cache/kinds.js'
import type { IndexedText } from './partial-reads.js'

type FileServices = Pick<Services, 'files' | 'caches' | 'specifications' | 'background'>

/** The specification in a file, or a sentence about why it has none. */
export type FileSpecification = IndexedText | { readonly problem: string }

/**
 * Name with format version. The file is a line of JSON, which is the directory or the problem, followed by the text.
 */
const specificationName = 'specification.1'
/** Name with format version. The file is JSON: the outline or the problem. */
const outlineName = 'specification-outline.1'
const lineEnd = 10

/** The outline of a file, or a sentence about why it has none. */
export type FileOutline = { readonly outline: SpecificationOutline } | { readonly problem: string }

type SpecificationHeader = { readonly directory: string } | { readonly problem: string }

/** Maximum bytes of the JSON text: short YAML may expand to much more. */
const maxTextBytes = 2 * limits.specificationFileBytes
/** Bytes that are scanned before yielding to the event loop. */
const bytesPerYield = 500_000
/** Maximum files that are being parsed or queued: others are parsed when they are requested again. */
const maxInFlight = 8

const fileKind = cacheKind<{ readonly specification: FileSpecification; readonly weight: number }>(
  'specification of a file',
  ({ weight }) => weight,
)

interface ParsedFile {
  readonly specification: FileSpecification
  readonly outline: FileOutline
}

type InFlight = Map<Hash, Promise<ParsedFile | undefined>>
/** Running parses, by reader: a process has one reader. */
const inFlightByReader = new WeakMap<Services['specifications'], InFlight>()

type FileKey = Pick<FileRecord, 'hash' | 'size'>

/**
 * Returns the specification in a file; undefined when its bytes are missing, `waiting` when it is not parsed before
 * `timeout` resolves.
 */
export async function readFileSpecification(
  services: FileServices,
  { hash, size }: FileKey,
  timeout: Promise<unknown>,
): Promise<FileSpecification | 'waiting' | undefined> {
  if (size > limits.specificationFileBytes) return tooLarge
  const cached = services.caches.find(fileKind, hash)
  if (cached !== undefined) return cached.specification
  const stored = await services.files.derived.read(hash, specificationName)
  if (stored !== undefined) return cacheSpecification(services, hash, stored)
  const parsed = await parseBefore(services, hash, timeout)
  return parsed === 'waiting' ? parsed : parsed?.specification
}

/**
 * Returns the outline of a file; undefined when its bytes are missing, `waiting` when it is not parsed before
 * `timeout` resolves.
 */
export async function readFileOutline(
  services: FileServices,
  { hash, size }: FileKey,
  timeout: Promise<unknown>,
): Promise<FileOutline | 'waiting' | undefined> {
  if (size > limits.specificationFileBytes) return tooLarge
  const stored = await services.files.derived.read(hash, outlineName)
  if (stored !== undefined) return JSON.parse(Buffer.from(stored).toString()) as FileOutline
  const parsed = await parseBefore(services, hash, timeout)
  return parsed === 'waiting' ? parsed : parsed?.outline
}

const tooLarge = { problem: `It is larger than ${limits.specificationFileBytes} bytes` }

async function parseBefore(
  services: FileServices,
  hash: Hash,
  timeout: Promise<unknown>,
): Promise<ParsedFile | 'waiting' | undefined> {
  const inFlight = parseOnce(services, hash)
  if (inFlight === undefined) return 'waiting'
  return Promise.race([inFlight, timeout.then(() => 'waiting' as const)])
}

function parseOnce(services: FileServices, hash: Hash): ReturnType<typeof parseFile> | undefined {
  const { specifications, background } = services
  const inFlight: InFlight = inFlightByReader.get(specifications) ?? new Map()
  inFlightByReader.set(specifications, inFlight)
  const running = inFlight.get(hash)
  if (running !== undefined || inFlight.size >= maxInFlight) return running
  const parsing = background.start(() => parseFile(services, hash)).finally(() => inFlight.delete(hash))
  inFlight.set(hash, parsing)
  // The caller may have stopped waiting: the next caller parses again and gets the error.
  parsing.catch(() => {})
  return parsing
}

async function parseFile(services: FileServices, hash: Hash): Promise<ParsedFile | undefined> {
  const { files, specifications } = services
  const stream = await files.open(hash)
  if (stream === undefined) return undefined
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk as Uint8Array)
  const read = await specifications.read({
    documents: [{ address: undefined, bytes: Buffer.concat(chunks) }],
  })
  const { specification, outline } = 'json' in read ? await encodeParsed(read) : failed(problemOf(read))
  await files.derived.put(hash, outlineName, Buffer.from(JSON.stringify(outline)))
  await files.derived.put(hash, specificationName, specification)
  return { specification: cacheSpecification(services, hash, specification), outline }
}

type DerivedFiles = { readonly specification: Uint8Array; readonly outline: FileOutline }

async function encodeParsed({
  json,
  outline,
}: {
  readonly json: Uint8Array
  readonly outline: string
}): Promise<DerivedFiles> {
  if (json.length > maxTextBytes) return failed('It says more than fits on pages')
  const scan = scanDirectory()
  for (let at = 0; at < json.length; at += bytesPerYield) {
    scan.take(json.subarray(at, at + bytesPerYield))
    await nextTurn()
  }
  return {
    specification: Buffer.concat([headOf({ directory: encodeDirectory(scan.end()) }), json]),
    outline: { outline: JSON.parse(outline) as SpecificationOutline },
  }
}

const failed = (problem: string): DerivedFiles => ({
  specification: headOf({ problem }),
  outline: { problem },
})

function problemOf(read: { readonly problem: string } | { readonly missing: readonly string[] }): string {
  if ('problem' in read) return read.problem
  return `It refers to ${read.missing[0]!.slice(0, 200)}, and a file stands for itself: bundle it into one file`
}

const headOf = (head: SpecificationHeader): Buffer => Buffer.from(`${JSON.stringify(head)}\n`)

function cacheSpecification(
  { caches }: FileServices,
  hash: Hash,
  specification: Uint8Array,
): FileSpecification {
  const bytes = Buffer.from(specification.buffer, specification.byteOffset, specification.length)
  const at = bytes.indexOf(lineEnd) + 1
  const head = JSON.parse(bytes.toString('utf8', 0, at)) as SpecificationHeader
  const parsed =
    'problem' in head
      ? head
      : {
          root: decodeDirectory(head.directory),
          bytes: async ({ start, end }: { readonly start: number; readonly end: number }) =>
            bytes.subarray(at + start, at + end),
        }
  caches.put(fileKind, hash, { specification: parsed, weight: bytes.length + at * 6 })
  return parsed
}
