/**
 * Content-addressed file storage: uploaded bytes by SHA-256, stored once; implemented by a directory and by S3.
 *
 * Does not know whose bytes they are; the table `blobs` contains the references of organizations.
 */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Hash } from '../../core/ids.js'
import { privateFileMode } from './private-permissions.js'

export interface StoredFile {
  readonly hash: Hash
  /** Bytes. */
  readonly size: number
}

export interface ListedFile extends StoredFile {
  /** Milliseconds since 1970, to the day. */
  readonly storedAt: number
}

/** Half open, in bytes; without `end` to the end of the file. */
export interface ByteRange {
  readonly start: number
  readonly end?: number
}

export interface FileStorage {
  /**
   * Stores the bytes; resolves when they are durable. Putting the same bytes again only updates their time, which protects
   * them from garbage collection.
   */
  put(content: Readable | Uint8Array): Promise<StoredFile>
  /** Returns the bytes as a stream, undefined when there are none with this hash. A range must be within the file. */
  open(hash: Hash, range?: ByteRange): Promise<Readable | undefined>
  /** Returns the size in bytes, undefined when there are none with this hash. */
  findSize(hash: Hash): Promise<number | undefined>
  /** Returns the size and the time of the last put, undefined when there are none with this hash. */
  find(hash: Hash): Promise<Omit<ListedFile, 'hash'> | undefined>
  /** Yields all files, in no order; concurrently added or deleted ones may be included or not. */
  list(): AsyncIterable<ListedFile>
  /** Deletes the bytes, if they exist. */
  delete(hash: Hash): Promise<void>
  readonly derived: DerivedFiles
}

/** Derived files, which can be recreated at any time: stored beside the originals, and not listed as files. */
export interface DerivedFiles {
  /** Stores bytes derived from a file under a name of letters, digits and dots, replacing earlier ones. */
  put(of: Hash, name: string, bytes: Uint8Array): Promise<void>
  /** Returns the complete bytes, undefined when there are none with this name. */
  read(of: Hash, name: string): Promise<Uint8Array | undefined>
  /** Yields every file with derived files, in no order, some perhaps repeatedly. */
  list(): AsyncIterable<Hash>
  /** Deletes all files derived from a file. */
  delete(of: Hash): Promise<void>
}

/** Only hashes may be used as file names in paths. */
export function isHash(text: string): text is Hash {
  return /^[\w-]{43}$/.test(text)
}

/** Writes the content into a new file; resolves with its hash and size once it is on disk. */
export async function spool(content: Readable | Uint8Array, path: string): Promise<StoredFile> {
  const hash = createHash('sha256')
  let size = 0
  const measured = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      hash.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  const source = content instanceof Uint8Array ? Readable.from([content]) : content
  await pipeline(
    source,
    measured,
    createWriteStream(path, { flags: 'wx', flush: true, mode: privateFileMode }),
  )
  return { hash: hash.digest('base64url') as Hash, size }
}

/** Syncs a folder: a rename is durable only when its folder is on disk. */
export async function syncFolder(path: string): Promise<void> {
  // Not available on Windows, and not needed.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
