/**
 * Zip reader: an untrusted zip as import entries, safe against zip bombs and path traversal.
 *
 * The central directory is read and validated as a whole before any entry; the bytes of an entry are then counted and
 * their checksum is verified while they are inflated, since every number in a zip may be forged.
 */
import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'
import { parseConfig } from '../../core/markdown/gitbook-yaml.js'
import { configFile } from '../../core/pages/paths.js'
import { ApiError } from '../../contract/errors.js'
import { limits as bounds } from '../../contract/limits.js'
import { decodeText } from '../../store/content/encoding.js'
import {
  type ArchiveItem,
  type ArchiveLimits,
  type LeftOutItem,
  type ArchiveReadOptions,
  byPath,
  checkCollisions,
  checkPath,
  collectBytes,
  createLimitCheck,
  defaultLimits,
  invalid,
  isSkipped,
  linkLeftOut,
  printable,
  specialLeftOut,
  tooLarge,
} from './archive.js'
import { createExclusion, excludedFolder, findExcluded } from './exclusion.js'

/** Small files of one repeated letter are legitimate; only above this size does the ratio indicate a zip bomb. */
const ratioCheckMinBytes = 1_000_000

/** General purpose flag of an entry whose name is in UTF-8. */
const utf8NameFlag = 0x800

interface ListedEntry {
  readonly entry: Entry
  readonly path: string
  readonly leftOut?: string
}

/**
 * Yields the skipped items, then the files of a zip (a local path, or its bytes) in path order. When one top folder
 * contains everything, paths are relative to it. Throws an ApiError for an archive that is unsafe, damaged or too
 * large.
 */
export async function* readZip(
  source: string | Uint8Array,
  { exclude = [], limits = {} }: ArchiveReadOptions = {},
): AsyncGenerator<ArchiveItem> {
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true }
  let zip: ZipFile
  try {
    zip = await (typeof source === 'string'
      ? openPromise(source, options)
      : fromBufferPromise(Buffer.from(source.buffer, source.byteOffset, source.byteLength), options))
  } catch (error) {
    throw asApiError(error)
  }
  try {
    const bounded = { ...defaultLimits, ...limits }
    const listed = await listEntries(zip, bounded)
    checkCollisions(listed.map(({ path }) => path))
    const top = topFolder(listed)
    const entriesInTop = listed.map((one) => ({ ...one, path: one.path.slice(top.length) }))
    const isExcluded = createExclusion([...exclude, ...(await excludedByConfig(zip, entriesInTop))])
    const count = createLimitCheck(bounded)
    const leftOut = new Map<string, LeftOutItem>()
    const entries: ListedEntry[] = []
    for (const one of entriesInTop) {
      const folder = findExcluded(one.path, isExcluded)
      if (folder !== undefined) leftOut.set(folder, excludedFolder(folder))
      else if (one.leftOut !== undefined) leftOut.set(one.path, { path: one.path, leftOut: one.leftOut })
      else {
        count(one.path, one.entry.uncompressedSize)
        entries.push(one)
      }
    }
    yield* [...leftOut.values()].toSorted(byPath)
    for (const { entry, path } of entries.toSorted(byPath)) {
      const stream = () => inflate(zip, entry, path)
      yield { path, size: entry.uncompressedSize, stream, open: () => collectBytes(stream()) }
    }
  } finally {
    zip.close()
  }
}

async function listEntries(zip: ZipFile, limits: ArchiveLimits): Promise<ListedEntry[]> {
  const listed: ListedEntry[] = []
  let visited = 0
  try {
    for await (const entry of zip.eachEntry()) {
      // The extra field and comment of an entry are in memory as long as the entry.
      if (Math.max(entry.extraFieldLength, entry.fileCommentLength) > bounds.archiveEntryExtra)
        throw tooLarge(`an entry says more than ${bounds.archiveEntryExtra} bytes beside its name`)
      // Folders and skipped entries cost time too.
      if (++visited > limits.maxFiles * 2) throw tooLarge(`it holds more than ${limits.maxFiles * 2} entries`)
      const checked = checkEntry(entry, limits)
      if (checked !== undefined) listed.push({ entry, ...checked })
    }
  } catch (error) {
    throw asApiError(error)
  }
  return listed
}

/** Returns the path of a file, undefined for a folder or a skipped entry; throws for a refused entry. */
function checkEntry(entry: Entry, limits: ArchiveLimits): Omit<ListedEntry, 'entry'> | undefined {
  const raw = entry.fileName as unknown as Buffer
  // Many programs write names in UTF-8 without setting the flag; names in old code pages are hardly ever valid UTF-8.
  const flags = entry.generalPurposeBitFlag | (isUtf8(raw) ? utf8NameFlag : 0)
  const name = getFileNameLowLevel(flags, raw, entry.extraFields, true)
  const path = checkPath(name)
  if (isSkipped(path)) return undefined
  // The file type as Unix tools record it; zero when the tool records none.
  const type = (entry.externalFileAttributes >>> 16) & 0o170000
  if (type === 0o120000) return { path, leftOut: linkLeftOut }
  if (/[\\/]$/.test(name) || type === 0o040000) return undefined
  if (type !== 0 && type !== 0o100000) return { path, leftOut: specialLeftOut }
  if (entry.isEncrypted()) throw invalid(`the entry "${printable(path)}" is encrypted`)
  if (!entry.canDecodeFileData()) {
    throw invalid(`the entry "${printable(path)}" is packed in an unknown way (${entry.compressionMethod})`)
  }
  const { compressedSize, uncompressedSize } = entry
  if (uncompressedSize > ratioCheckMinBytes && uncompressedSize > compressedSize * limits.maxRatio) {
    throw tooLarge(
      `the entry "${printable(path)}" is more than ${limits.maxRatio} times larger than its packed form`,
    )
  }
  return { path }
}

/** Read before anything is counted: the excluded folders alone may exceed the limits. */
async function excludedByConfig(zip: ZipFile, listed: readonly ListedEntry[]): Promise<readonly string[]> {
  const found = listed.find(({ path, leftOut }) => path === configFile && leftOut === undefined)
  if (found === undefined || found.entry.uncompressedSize > bounds.summaryBytes) return []
  return parseConfig(decodeText(await collectBytes(inflate(zip, found.entry, configFile)))).exclude
}

/** Returns the single top folder with its slash; empty when there is none, or when it is hidden. */
function topFolder(listed: readonly ListedEntry[]): string {
  const first = listed[0]?.path ?? ''
  const top = first.slice(0, first.indexOf('/') + 1)
  return !top.startsWith('.') && listed.every(({ path }) => path.startsWith(top)) ? top : ''
}

async function* inflate(zip: ZipFile, entry: Entry, path: string): AsyncGenerator<Uint8Array> {
  let size = 0
  let checksum = 0
  try {
    const stream = await zip.openReadStreamPromise(entry)
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > entry.uncompressedSize) break
      checksum = crc32(chunk, checksum)
      yield chunk
    }
  } catch (error) {
    throw invalid(`the entry "${printable(path)}" is damaged: ${(error as Error).message}`)
  }
  if (size !== entry.uncompressedSize || checksum !== entry.crc32) {
    throw invalid(`the entry "${printable(path)}" is not what the directory of the zip announces`)
  }
}

function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : invalid((error as Error).message)
}
