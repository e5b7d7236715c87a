/**
 * Archive entries: the common model of folders and zips (entries, skipped items, limits, refused paths).
 *
 * Everything is checked before the first entry is yielded, so that an import starts either with a valid tree or not
 * at all. Nothing is written to disk, and no entry name is ever opened as a path.
 */
import { ApiError } from '../../contract/errors.js'
import { limits as bounds } from '../../contract/limits.js'

export interface ArchiveEntry {
  /** From the root of the tree, parts joined by `/`; names keep their spelling. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /**
   * Returns the bytes; only while the entries are being read. Throws an ApiError for an entry that differs from its
   * declared size or checksum.
   */
  open(): Promise<Uint8Array>
  /** The same bytes as a stream of chunks. */
  stream(): AsyncIterable<Uint8Array>
}

/** A file or a whole folder that is not read. */
export interface LeftOutItem {
  /** In the form of an entry's path; a folder's path ends with a slash. */
  readonly path: string
  /** The reason, as a sentence. */
  readonly leftOut: string
}

/** A part of an imported file that could not be converted. */
export interface ConversionNotice {
  readonly path: string
  /** What happened to it, as a sentence. */
  readonly notice: string
}

export type ArchiveItem = ArchiveEntry | LeftOutItem | ConversionNotice

export const linkLeftOut = 'A link to another place: left out.'
export const specialLeftOut = 'No ordinary file: left out.'

export interface ArchiveReadOptions {
  /** Folders to leave out in addition to those that `.gitbook.yaml` names; see exclusion.ts. */
  readonly exclude?: readonly string[]
  readonly limits?: Partial<ArchiveLimits>
}

export interface ArchiveLimits {
  readonly maxFiles: number
  readonly maxFileBytes: number
  readonly maxTotalBytes: number
  /** Maximum ratio of unpacked to packed size for files over a megabyte. */
  readonly maxRatio: number
}

export const defaultLimits: ArchiveLimits = {
  maxFiles: bounds.archiveFiles,
  maxFileBytes: bounds.fileBytes,
  maxTotalBytes: bounds.archiveUnpackedBytes,
  maxRatio: bounds.archiveRatio,
}

/**
 * Returns the normalized path of an entry. Throws an ApiError for one that is unsafe or not valid on every file
 * system.
 */
export function checkPath(path: string): string {
  const problem = findPathProblem(path)
  if (problem !== undefined) throw new ApiError('archive_unsafe_path', { path: printable(path), problem })
  return splitPath(path).join('/')
}

/** Returns why the path of an entry is refused, undefined when it is valid. */
export function findPathProblem(path: string): string | undefined {
  if (/[\u0000-\u001f\u007f]/.test(path)) return 'the name holds control characters'
  if (path.includes('\ufffd')) return 'the name is not valid UTF-8'
  if (/^[A-Za-z]:/.test(path)) return 'the path names a drive'
  if (/^[\\/]/.test(path)) return 'the path is absolute'
  const parts = splitPath(path)
  if (parts.includes('..')) return 'the path leads out of the archive'
  if (parts.length === 0) return 'the path is empty'
  if (Buffer.byteLength(parts.join('/')) > bounds.pathBytes) {
    return `the path is longer than ${bounds.pathBytes} bytes`
  }
  if (parts.length > bounds.pathFolders + 1) return `it stands in more than ${bounds.pathFolders} folders`
  return undefined
}

function splitPath(path: string): string[] {
  return path.split(/[\\/]/).filter((part) => part !== '' && part !== '.')
}

/** Returns whether an entry is not content: version control files, and what macOS adds to its zips. */
export function isSkipped(path: string): boolean {
  const parts = path.split('/')
  return parts.includes('.git') || parts[0] === '__MACOSX' || parts.at(-1) === '.DS_Store'
}

/**
 * Throws an ApiError when two paths cannot exist together on any file system. Names that differ only in case or
 * Unicode normalization can on some, and real repositories contain them.
 */
export function checkCollisions(paths: readonly string[]): void {
  const files = new Set<string>()
  const refuse = (path: string, problem: string) =>
    new ApiError('archive_unsafe_path', { path: printable(path), problem })
  for (const path of paths) {
    if (files.has(path)) throw refuse(path, 'it stands there twice')
    files.add(path)
  }
  for (const path of paths) {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const file = path.slice(0, slash)
      if (files.has(file)) throw refuse(path, `"${printable(file)}" is a file, and cannot be its folder`)
    }
  }
}

/** Returns a function that counts files and bytes, and throws an ApiError as soon as a limit is exceeded. */
export function createLimitCheck(limits: ArchiveLimits): (path: string, size: number) => void {
  let files = 0
  let bytes = 0
  return (path, size) => {
    if (++files > limits.maxFiles) {
      throw tooLarge(
        `it holds more than ${limits.maxFiles} files; "exclude" in .gitbook.yaml leaves folders out`,
      )
    }
    if (size > limits.maxFileBytes) {
      throw tooLarge(`the file "${printable(path)}" is larger than ${limits.maxFileBytes} bytes`)
    }
    if ((bytes += size) > limits.maxTotalBytes) {
      throw tooLarge(`its files are larger than ${limits.maxTotalBytes} bytes together`)
    }
  }
}

export function tooLarge(problem: string): ApiError {
  return new ApiError('archive_too_large', { problem })
}

export function invalid(problem: string): ApiError {
  return new ApiError('archive_invalid', { problem })
}

/** Returns a path for use in a message: shortened, and without control characters and line separators. */
export function printable(path: string): string {
  const cleaned = path.replace(/[\p{C}\u2028\u2029]/gu, '\ufffd')
  return cleaned.length > 200 ? `${cleaned.slice(0, 200)}…` : cleaned
}

/** Returns the bytes of a stream as one array. */
export async function collectBytes(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

/** Compares items by path, so that an import reads them in the same order whatever their source. */
export function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return one.path < other.path ? -1 : 1
}
