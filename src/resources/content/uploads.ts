/**
 * Stores uploaded bytes and detects their type. They are stored before the change that references them,
 * so a page never shows a file whose bytes are not on disk.
 */
import { Readable } from 'node:stream'
import { fileTypeFromBuffer } from 'file-type'
import { maxNameBytes, shortenName } from '../../core/pages/paths.js'
import type { FileRecord } from '../../core/pages/types.js'
import type { Change } from '../../contract/changes.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import type { Services } from '../../access/route/scope.js'
import type { UploadedFile } from '../../access/route/upload.js'
import { RemoteError } from '../../store/remote/remote.js'
import { measureImage } from './image-dimensions.js'

/** Metadata of stored bytes: a file record without id and path. */
export type StoredBytes = Omit<FileRecord, 'id' | 'path'>
export interface StoredUpload extends StoredBytes {
  readonly ref?: string
}

/** Largest file, in bytes. */
export const maxFileBytes = limits.fileBytes
/** Largest file inside a JSON body, in bytes. */
const maxInlineBytes = 1_000_000
const remoteTimeout = 30_000

/** True when the changes bring no files: then there is nothing to store before them. */
export function areWithoutUploads(changes: readonly Change[]): boolean {
  return changes.every(({ operation }) => operation !== 'insert_files')
}

/** Stores the files of every `insert_files` change and returns them by the index of the change. */
export async function storeUploads(
  services: Services,
  changes: readonly Change[],
): Promise<ReadonlyMap<number, readonly StoredUpload[]>> {
  const stored = new Map<number, StoredUpload[]>()
  for (const [index, change] of changes.entries()) {
    if (change.operation !== 'insert_files') continue
    const uploads: StoredUpload[] = []
    for (const [position, file] of change.files.entries()) {
      const bytes = await bytesOf(services, file, `changes[${index}].files[${position}]`)
      const upload = await storeBytes(services, bytes, file.name, file.contentType)
      uploads.push({ ...upload, ...(file.ref !== undefined && { ref: file.ref }) })
    }
    stored.set(index, uploads)
  }
  return stored
}

async function bytesOf(
  { remote }: Pick<Services, 'remote'>,
  { url, base64 }: { readonly url?: string; readonly base64?: string },
  member: string,
): Promise<Uint8Array> {
  if ((url === undefined) === (base64 === undefined)) {
    throw new ApiError('invalid_request', {
      problem: `The member "${member}" must have one of "url" and "base64".`,
    })
  }
  if (base64 !== undefined) {
    // Node skips invalid characters, which would store other bytes than were meant.
    if (!/^[\w+/\s-]*={0,2}$/.test(base64.trimEnd())) {
      throw new ApiError('invalid_request', { problem: `The member "${member}.base64" must be base64.` })
    }
    const bytes = Buffer.from(base64, 'base64')
    if (bytes.length > maxInlineBytes)
      throw new ApiError('body_too_large', { limit: '1 MB for a file in base64' })
    return bytes
  }
  try {
    return (await remote.fetch(url!, { maxBytes: maxFileBytes, timeout: remoteTimeout })).bytes
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    throw new ApiError('url_not_allowed', { member: `${member}.url`, problem: error.message })
  }
}

/** Stores the bytes and returns their metadata. */
export async function storeBytes(
  { files }: Pick<Services, 'files'>,
  bytes: Uint8Array,
  name: string,
  declaredType?: string,
): Promise<StoredBytes> {
  const { hash, size } = await files.put(Readable.from([bytes]))
  return { name: safeName(name), size, hash, ...(await detectFileType(bytes, name, declaredType)) }
}

/** Bytes of a stored stream that stay in memory to detect its type; no picture for a page is larger. */
const maxDetectedBytes = 32_000_000

/** Stores a stream while it arrives, so that a large file is not held in memory, and returns its metadata. */
export async function storeStream(
  { files }: Pick<Services, 'files'>,
  { stream, name, contentType }: UploadedFile,
): Promise<StoredBytes> {
  const beginning: Uint8Array[] = []
  let bytes = 0
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      if (bytes < maxDetectedBytes) beginning.push(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  const { hash, size } = await files.put(Readable.from(chunks(), { objectMode: false }))
  const detected = await detectFileType(Buffer.concat(beginning), name, contentType)
  return { name: safeName(name), size, hash, ...detected }
}

/** Returns the content type of bytes and, for images, the dimensions in pixels. */
export async function detectFileType(
  bytes: Uint8Array,
  name: string,
  declaredType?: string,
): Promise<Pick<StoredBytes, 'contentType' | 'width' | 'height'>> {
  const contentType = await contentTypeOf(bytes, name, declaredType)
  return { contentType, ...(await measureImage(bytes, contentType)) }
}

/** Returns the last part of a name, without characters that are special in paths and headers. */
export function safeName(name: string): string {
  const plain = name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .replace(/[\u0000-\u001f\u007f"]/g, '')
    .trim()
  // Leaves room for a number, in case the name is taken.
  return plain === '' || plain === '.' || plain === '..' ? 'file' : shortenName(plain, maxNameBytes - 15)
}

const typesByExtension: ReadonlyMap<string, string> = new Map(
  Object.entries({
    svg: 'image/svg+xml',
    txt: 'text/plain',
    md: 'text/markdown',
    csv: 'text/csv',
    json: 'application/json',
    yaml: 'application/yaml',
    yml: 'application/yaml',
    html: 'text/html',
    css: 'text/css',
    js: 'text/javascript',
    xml: 'application/xml',
  }),
)

/** The signature of the bytes decides; name and declared type are trusted for text only, which has none. */
async function contentTypeOf(bytes: Uint8Array, name: string, declared: string | undefined): Promise<string> {
  const sniffed = await fileTypeFromBuffer(bytes)
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  if (sniffed !== undefined && !(sniffed.mime === 'application/xml' && extension === 'svg'))
    return sniffed.mime
  return (
    typesByExtension.get(extension) ?? (declared?.startsWith('text/') ? declared : 'application/octet-stream')
  )
}
