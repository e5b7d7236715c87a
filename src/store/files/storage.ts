/**
 * Uploaded bytes, named by their SHA-256 and kept once: the interface that the directory and S3 fill.
 *
 * Nothing here knows whose bytes they are; the table `blobs` says which organization holds which.
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
   * Keeps the bytes; when it answers, they are durable. Putting the same bytes again changes nothing but their age:
   * whoever removes what nobody holds must find them young.
   */
  put(content: Readable | Uint8Array): Promise<StoredFile>
  /** Answers the bytes as a stream, undefined when there are none of this name. A range must lie inside the file. */
  open(hash: Hash, range?: ByteRange): Promise<Readable | undefined>
  /** Answers the size in bytes, undefined when there are none of this name. */
  findSize(hash: Hash): Promise<number | undefined>
  /** Answers the size and when they were last put, undefined when there are none of this name. */
  find(hash: Hash): Promise<Omit<ListedFile, 'hash'> | undefined>
  /** Gives every file there is, in no order; what comes and goes meanwhile may be among them or not. */
  list(): AsyncIterable<ListedFile>
  /** Removes the bytes, whether or not they are there. */
  delete(hash: Hash): Promise<void>
  readonly derived: DerivedFiles
}

/** What is made of files, and can be made again at any time: kept beside them, and no file itself. */
export interface DerivedFiles {
  /** Keeps bytes that were made of a file under a name of letters, digits and dots, in the place of earlier ones. */
  put(of: Hash, name: string, bytes: Uint8Array): Promise<void>
  /** Answers the bytes, all or none of them: undefined when nothing of this name was made. */
  read(of: Hash, name: string): Promise<Uint8Array | undefined>
  /** Gives every file that something was made of, in no order, some perhaps several times. */
  list(): AsyncIterable<Hash>
  /** Removes all that was made of a file. */
  delete(of: Hash): Promise<void>
}

/** Anything else never names a file: a path must not be made of it. */
export function isHash(text: string): text is Hash {
  return /^[\w-]{43}$/.test(text)
}

/** Writes the content into a new file, on disk when it answers, and tells the name and size that follow from it. */
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

/** Makes the names in a folder durable: a renamed file is only safe when its folder is on disk. */
export async function syncFolder(path: string): Promise<void> {
  // Windows has no such thing, and needs none.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
