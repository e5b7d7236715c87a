/**
 * What folders and zips have in common when they are read: entries, what is left out, limits, and which paths
 * are refused.
 *
 * Everything is checked before the first entry is handed out, so that an import either begins with a sound
 * tree or not at all. Nothing is ever written to disk here, and no name of an entry is ever opened as a path.
 */
import { ApiError } from '../../contract/errors.js'
import { limits as bounds } from '../../contract/limits.js'

export interface ArchiveEntry {
  /** From the root of the tree, parts joined by `/`; names keep their spelling. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Returns the bytes; only while the entries are being read. Throws an ApiError for an entry that is not as announced. */
  open(): Promise<Uint8Array>
  /** The same bytes in pieces. */
  stream(): AsyncIterable<Uint8Array>
}

/** A file or a whole folder that is not read. */
export interface LeftOutItem {
  /** As an entry has it; a folder's ends with a slash. */
  readonly path: string
  /** Why, as a sentence. */
  readonly leftOut: string
}

/** Something of a file that came in which has no place here. */
export interface ConversionNotice {
  readonly path: string
  /** What became of it, as a sentence. */
  readonly notice: string
}

export type ArchiveItem = ArchiveEntry | LeftOutItem | ConversionNotice

export const linkLeftOut = 'A link to another place: left out.'
export const specialLeftOut = 'No ordinary file: left out.'

export interface ReadOptions {
  /** Folders to leave out, beside those that `.gitbook.yaml` names; see exclusion.ts. */
  readonly exclude?: readonly string[]
  readonly limits?: Partial<ArchiveLimits>
}

export interface ArchiveLimits {
  readonly maxFiles: number
  readonly maxFileBytes: number
  readonly maxTotalBytes: number
  /** How many times larger than its packed form a file over a megabyte may be. */
  readonly maxRatio: number
}

export const defaultLimits: ArchiveLimits = {
  maxFiles: bounds.archiveFiles,
  maxFileBytes: bounds.fileBytes,
  maxTotalBytes: bounds.archiveUnpackedBytes,
  maxRatio: bounds.archiveRatio,
}

/** Returns the path of an entry in its plain form. Throws an ApiError for one that is unsafe or cannot exist everywhere. */
export function checkPath(path: string): string {
  const problem = findPathProblem(path)
  if (problem !== undefined) throw new ApiError('archive_unsafe_path', { path: printable(path), problem })
  return splitPath(path).join('/')
}

/** Returns why the path of an entry is refused, undefined when it is not. */
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

/** Returns whether an entry is no content: version control, and what macOS adds to its zips. */
export function isSkipped(path: string): boolean {
  const parts = path.split('/')
  return parts.includes('.git') || parts[0] === '__MACOSX' || parts.at(-1) === '.DS_Store'
}

/**
 * Throws an ApiError when two paths cannot stand beside each other in any file system. Names that differ in case or
 * in the form of their accents alone can in some, and real repositories hold them.
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

/** Counts files and bytes; throws an ApiError as soon as a limit is passed. */
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

/** Returns a path as a message may show it: short, and without characters that change a line. */
export function printable(path: string): string {
  const cleaned = path.replace(/[\p{C}\u2028\u2029]/gu, '\ufffd')
  return cleaned.length > 200 ? `${cleaned.slice(0, 200)}…` : cleaned
}

/** Returns the bytes of a stream as one piece. */
export async function collectBytes(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const piece of stream) chunks.push(piece)
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

/** Compares items by their paths, so that an import reads them in the same order wherever they come from. */
export function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return one.path < other.path ? -1 : 1
}
