/**
 * A specification that is a file of a space. Its bytes are named by their hash, so it is read once, in the thread that
 * reads all others, and what was made of it is stored beside it: one JSON text with the directory of its parts, and by
 * itself what it is about, or what is wrong with it. Whoever asks while it is being read waits a moment for it.
 * Fetches nothing.
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

/** What a file says: a specification, or a sentence why it is none. */
export type FileSpecification = IndexedText | { readonly problem: string }

/** With the version of its form: a line of JSON, which is the directory or the problem, and the text below it. */
const specificationName = 'specification.1'
/** A line of JSON, too: the outline or the problem. */
const outlineName = 'specification-outline.1'
const lineEnd = 10

/** What a file is about, or a sentence why nobody can tell. */
export type FileOutline = { readonly outline: SpecificationOutline } | { readonly problem: string }

type Head = { readonly directory: string } | { readonly problem: string }

/** Bytes of the JSON text: YAML may say little that means much. */
const maxTextBytes = 2 * limits.specificationFileBytes
/** Bytes whose parts are found before others have their turn. */
const bytesPerYield = 500_000
/** Files that are being read or wait for it: further ones have their turn when they are asked for again. */
const maxInFlight = 8

const fileKind = cacheKind<{ readonly known: FileSpecification; readonly weight: number }>(
  'specification of a file',
  ({ weight }) => weight,
)

interface ParsedFile {
  readonly specification: FileSpecification
  readonly outline: FileOutline
}

type InFlight = Map<Hash, Promise<ParsedFile | undefined>>
/** What is being read, by those who read it: a process has one reader. */
const inFlightByReader = new WeakMap<Services['specifications'], InFlight>()

type FileKey = Pick<FileRecord, 'hash' | 'size'>

/** Returns what a file says; undefined when its bytes are gone, `waiting` when it is not read before `timeout` resolves. */
export async function readFileSpecification(
  services: FileServices,
  { hash, size }: FileKey,
  timeout: Promise<unknown>,
): Promise<FileSpecification | 'waiting' | undefined> {
  if (size > limits.specificationFileBytes) return tooLarge
  const known = services.caches.find(fileKind, hash)
  if (known !== undefined) return known.known
  const stored = await services.files.derived.read(hash, specificationName)
  if (stored !== undefined) return cacheSpecification(services, hash, stored)
  const parsed = await parseBefore(services, hash, timeout)
  return parsed === 'waiting' ? parsed : parsed?.specification
}

/** Returns what a file is about; undefined when its bytes are gone, `waiting` when it is not read before `timeout` resolves. */
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
  // Whoever asked may have stopped waiting: the next one who asks begins anew, and is told.
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

const headOf = (head: Head): Buffer => Buffer.from(`${JSON.stringify(head)}\n`)

function cacheSpecification(
  { caches }: FileServices,
  hash: Hash,
  specification: Uint8Array,
): FileSpecification {
  const bytes = Buffer.from(specification.buffer, specification.byteOffset, specification.length)
  const at = bytes.indexOf(lineEnd) + 1
  const head = JSON.parse(bytes.toString('utf8', 0, at)) as Head
  const known =
    'problem' in head
      ? head
      : {
          root: decodeDirectory(head.directory),
          bytes: async ({ start, end }: { readonly start: number; readonly end: number }) =>
            bytes.subarray(at + start, at + end),
        }
  caches.put(fileKind, hash, { known, weight: bytes.length + at * 6 })
  return known
}
