/**
 * A zip of a stranger read as the entries of an import.
 *
 * The directory of the zip is read and judged as a whole before any entry; the bytes of an entry are then
 * counted and their checksum compared while they are inflated, since every number in a zip may lie.
 */
import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'
import { ApiError } from '../../contract/errors.js'
import { limits as bounds } from '../../contract/limits.js'
import {
  type ArchiveEntry,
  type ArchiveLimits,
  checkCollisions,
  checkPath,
  collectBytes,
  countAgainst,
  defaultLimits,
  invalid,
  isSkipped,
  printable,
  tooLarge,
} from './archive.js'

/** Small files of one letter are honest; only beyond this does the ratio tell a bomb. */
const ratioMatters = 1_000_000

interface Listed {
  readonly entry: Entry
  readonly path: string
}

/**
 * Yields the files of a zip (a path on this machine, or its bytes) in the order of their paths. When one top
 * folder holds everything, paths begin inside it. Throws an ApiError for whatever is unsafe, damaged or too large.
 */
export async function* readZip(
  source: string | Uint8Array,
  limits: Partial<ArchiveLimits> = {},
): AsyncGenerator<ArchiveEntry> {
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true }
  let zip: ZipFile
  try {
    zip = await (typeof source === 'string'
      ? openPromise(source, options)
      : fromBufferPromise(Buffer.from(source.buffer, source.byteOffset, source.byteLength), options))
  } catch (error) {
    throw readable(error)
  }
  try {
    const listed = await listEntries(zip, { ...defaultLimits, ...limits })
    checkCollisions(listed.map(({ path }) => path))
    const top = topFolder(listed)
    const ordered = listed.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    for (const { entry, path } of ordered) {
      const stream = () => inflate(zip, entry, path)
      yield {
        path: path.slice(top.length),
        size: entry.uncompressedSize,
        stream,
        open: () => collectBytes(stream()),
      }
    }
  } finally {
    zip.close()
  }
}

async function listEntries(zip: ZipFile, limits: ArchiveLimits): Promise<Listed[]> {
  const count = countAgainst(limits)
  const listed: Listed[] = []
  let visited = 0
  try {
    for await (const entry of zip.eachEntry()) {
      // What is beside the name of an entry is held as long as the entry.
      if (Math.max(entry.extraFieldLength, entry.fileCommentLength) > bounds.archiveEntryExtra)
        throw tooLarge(`an entry says more than ${bounds.archiveEntryExtra} bytes beside its name`)
      // Folders and skipped entries cost time too.
      if (++visited > limits.maxFiles * 2) throw tooLarge(`it holds more than ${limits.maxFiles * 2} entries`)
      const path = judge(entry, limits)
      if (path === undefined) continue
      count(path, entry.uncompressedSize)
      listed.push({ entry, path })
    }
  } catch (error) {
    throw readable(error)
  }
  return listed
}

/** Returns the path of a file to read, undefined for a folder or a skipped entry; throws for what is refused. */
function judge(entry: Entry, limits: ArchiveLimits): string | undefined {
  const raw = entry.fileName as unknown as Buffer
  const name = getFileNameLowLevel(entry.generalPurposeBitFlag, raw, entry.extraFields, true)
  const path = checkPath(name)
  if (isSkipped(path)) return undefined
  const refuse = (problem: string) => new ApiError('archive_unsafe_path', { path: printable(path), problem })
  // The type of the file as Unix tools record it; zero where the maker knows none.
  const type = (entry.externalFileAttributes >>> 16) & 0o170000
  if (type === 0o120000) throw refuse('it is a symbolic link')
  if (/[\\/]$/.test(name) || type === 0o040000) return undefined
  if (type !== 0 && type !== 0o100000) throw refuse('it is no ordinary file')
  if (entry.isEncrypted()) throw invalid(`the entry "${printable(path)}" is encrypted`)
  if (!entry.canDecodeFileData()) {
    throw invalid(`the entry "${printable(path)}" is packed in an unknown way (${entry.compressionMethod})`)
  }
  const { compressedSize, uncompressedSize } = entry
  if (uncompressedSize > ratioMatters && uncompressedSize > compressedSize * limits.maxRatio) {
    throw tooLarge(
      `the entry "${printable(path)}" is more than ${limits.maxRatio} times larger than its packed form`,
    )
  }
  return path
}

/** The folder, with its slash, in which every file stands; empty when there is none, or it is a hidden one. */
function topFolder(listed: readonly Listed[]): string {
  const first = listed[0]?.path ?? ''
  const top = first.slice(0, first.indexOf('/') + 1)
  return !top.startsWith('.') && listed.every(({ path }) => path.startsWith(top)) ? top : ''
}

async function* inflate(zip: ZipFile, entry: Entry, path: string): AsyncGenerator<Uint8Array> {
  let size = 0
  let checksum = 0
  try {
    const stream = await zip.openReadStreamPromise(entry)
    for await (const piece of stream as AsyncIterable<Uint8Array>) {
      size += piece.length
      if (size > entry.uncompressedSize) break
      checksum = crc32(piece, checksum)
      yield piece
    }
  } catch (error) {
    throw invalid(`the entry "${printable(path)}" is damaged: ${(error as Error).message}`)
  }
  if (size !== entry.uncompressedSize || checksum !== entry.crc32) {
    throw invalid(`the entry "${printable(path)}" is not what the directory of the zip announces`)
  }
}

function readable(error: unknown): ApiError {
  return error instanceof ApiError ? error : invalid((error as Error).message)
}
