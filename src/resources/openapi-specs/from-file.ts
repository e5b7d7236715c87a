/**
 * A specification that is a file of a space. Its bytes are named by their hash, so it is read once, in the thread that
 * reads all others, and what was made of it is kept beside it: one JSON text with the directory of its parts, and by
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
import type { PartedText } from './parts.js'

type FileServices = Pick<Services, 'files' | 'caches' | 'specifications' | 'background'>

/** What a file says: a specification, or a sentence why it is none. */
export type FileSpecification = PartedText | { readonly problem: string }

/** With the version of its form: a line of JSON, which is the directory or the problem, and the text below it. */
const madeName = 'specification.1'
/** A line of JSON, too: the outline or the problem. */
const outlineName = 'specification-outline.1'
const lineEnd = 10

/** What a file is about, or a sentence why nobody can tell. */
export type FileOutline = { readonly outline: SpecificationOutline } | { readonly problem: string }

type Head = { readonly directory: string } | { readonly problem: string }

/** Bytes of the JSON text: YAML may say little that means much. */
const longestText = 2 * limits.specificationFileBytes
/** Bytes whose parts are found before others have their turn. */
const scannedAtOnce = 500_000
/** Files that are being read or wait for it: further ones have their turn when they are asked for again. */
const mostMade = 8

const fileKind = cacheKind<{ readonly known: FileSpecification; readonly weight: number }>(
  'specification of a file',
  ({ weight }) => weight,
)

interface Made {
  readonly specification: FileSpecification
  readonly outline: FileOutline
}

type Making = Map<Hash, Promise<Made | undefined>>
/** What is being read, by those who read it: a process has one reader. */
const makings = new WeakMap<Services['specifications'], Making>()

type ReadFile = Pick<FileRecord, 'hash' | 'size'>

/** Returns what a file says; undefined when its bytes are gone, `waiting` when it is not read before `late` resolves. */
export async function readFileSpecification(
  services: FileServices,
  { hash, size }: ReadFile,
  late: Promise<unknown>,
): Promise<FileSpecification | 'waiting' | undefined> {
  if (size > limits.specificationFileBytes) return tooLarge
  const known = services.caches.find(fileKind, hash)
  if (known !== undefined) return known.known
  const kept = await services.files.derived.read(hash, madeName)
  if (kept !== undefined) return remember(services, hash, kept)
  const made = await makeBefore(services, hash, late)
  return made === 'waiting' ? made : made?.specification
}

/** Returns what a file is about; undefined when its bytes are gone, `waiting` when it is not read before `late` resolves. */
export async function readFileOutline(
  services: FileServices,
  { hash, size }: ReadFile,
  late: Promise<unknown>,
): Promise<FileOutline | 'waiting' | undefined> {
  if (size > limits.specificationFileBytes) return tooLarge
  const kept = await services.files.derived.read(hash, outlineName)
  if (kept !== undefined) return JSON.parse(Buffer.from(kept).toString()) as FileOutline
  const made = await makeBefore(services, hash, late)
  return made === 'waiting' ? made : made?.outline
}

const tooLarge = { problem: `It is larger than ${limits.specificationFileBytes} bytes` }

async function makeBefore(
  services: FileServices,
  hash: Hash,
  late: Promise<unknown>,
): Promise<Made | 'waiting' | undefined> {
  const making = makeOnce(services, hash)
  if (making === undefined) return 'waiting'
  return Promise.race([making, late.then(() => 'waiting' as const)])
}

function makeOnce(services: FileServices, hash: Hash): ReturnType<typeof make> | undefined {
  const { specifications, background } = services
  const making: Making = makings.get(specifications) ?? new Map()
  makings.set(specifications, making)
  const begun = making.get(hash)
  if (begun !== undefined || making.size >= mostMade) return begun
  const made = background.start(() => make(services, hash)).finally(() => making.delete(hash))
  making.set(hash, made)
  // Whoever asked may have stopped waiting: the next one who asks begins anew, and is told.
  made.catch(() => {})
  return made
}

async function make(services: FileServices, hash: Hash): Promise<Made | undefined> {
  const { files, specifications } = services
  const stream = await files.open(hash)
  if (stream === undefined) return undefined
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece as Uint8Array)
  const read = await specifications.read({
    documents: [{ address: undefined, bytes: Buffer.concat(pieces) }],
  })
  const { made, outline } = 'json' in read ? await madeOf(read) : failed(problemOf(read))
  await files.derived.put(hash, outlineName, Buffer.from(JSON.stringify(outline)))
  await files.derived.put(hash, madeName, made)
  return { specification: remember(services, hash, made), outline }
}

type Parts = { readonly made: Uint8Array; readonly outline: FileOutline }

async function madeOf({
  json,
  outline,
}: {
  readonly json: Uint8Array
  readonly outline: string
}): Promise<Parts> {
  if (json.length > longestText) return failed('It says more than fits on pages')
  const scan = scanDirectory()
  for (let at = 0; at < json.length; at += scannedAtOnce) {
    scan.take(json.subarray(at, at + scannedAtOnce))
    await nextTurn()
  }
  return {
    made: Buffer.concat([headOf({ directory: encodeDirectory(scan.end()) }), json]),
    outline: { outline: JSON.parse(outline) as SpecificationOutline },
  }
}

const failed = (problem: string): Parts => ({ made: headOf({ problem }), outline: { problem } })

function problemOf(read: { readonly problem: string } | { readonly missing: readonly string[] }): string {
  if ('problem' in read) return read.problem
  return `It refers to ${read.missing[0]!.slice(0, 200)}, and a file stands for itself: bundle it into one file`
}

const headOf = (head: Head): Buffer => Buffer.from(`${JSON.stringify(head)}\n`)

function remember({ caches }: FileServices, hash: Hash, made: Uint8Array): FileSpecification {
  const bytes = Buffer.from(made.buffer, made.byteOffset, made.length)
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
