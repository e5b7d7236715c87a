/**
 * File storage in an S3 bucket: `<prefix>/ab/cdef…`, one object for each content; derived files are
 * `<prefix>/derived/ab/cdef…/<name>`.
 *
 * An upload is spooled to a local file first, because its name is only known at its end; then it is sent with its checksum,
 * which the server verifies. One request for each object: none is larger than 5 GB.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { AwsV4Signer } from 'aws4fetch'
import { request } from 'undici'
import type { Dispatcher } from 'undici'
import type { Hash } from '../../core/ids.js'
import { putPrecision } from './gc-grace.js'
import { makePrivateFolder } from './private-permissions.js'
import type { NamedFiles } from './named-files.js'
import { isHash, spool } from './storage.js'
import type { DerivedFiles, FileStorage } from './storage.js'

export interface S3Settings {
  /** `s3://bucket/prefix`. */
  readonly url: string
  /** A server other than Amazon's, for example `http://127.0.0.1:9000`; the bucket is then part of the path. */
  readonly endpoint?: string | undefined
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
  /** Local folder for spooled uploads. */
  readonly spoolFolder: string
}

const attempts = 3

/** Returns the storage in a bucket; sends no request before the first use. */
export async function openS3(settings: S3Settings): Promise<FileStorage> {
  await makePrivateFolder(settings.spoolFolder)
  const { bucket, prefix } = addressesOf(settings)
  const base = bucket + prefix
  const addressOf = (hash: Hash) => `${base}${hash.slice(0, 2)}/${hash.slice(2)}`

  async function find(hash: Hash): Promise<{ size: number; storedAt: number } | undefined> {
    if (!isHash(hash)) return undefined
    const response = await send('HEAD', addressOf(hash), settings)
    await response.body.dump()
    if (response.statusCode === 404) return undefined
    requireStatus(response, 200)
    const { 'content-length': size, 'last-modified': storedAt } = response.headers
    return { size: Number(size), storedAt: Date.parse(String(storedAt)) }
  }

  const findSize = async (hash: Hash) => (await find(hash))?.size

  const derivedOf = (of: Hash) => `derived/${of.slice(0, 2)}/${of.slice(2)}/`

  const derived: DerivedFiles = {
    put: (of, name, bytes) => putObject(settings, base + derivedOf(of) + name, bytes),
    read: (of, name) => readObject(settings, base + derivedOf(of) + name),
    async *list() {
      for await (const { name } of listBucket(settings, 'derived/')) {
        const [, first = '', rest = ''] = name.split('/')
        const of = first + rest
        if (isHash(of)) yield of
      }
    },
    async delete(of) {
      if (!isHash(of)) return
      for await (const { name } of listBucket(settings, derivedOf(of)))
        await deleteObject(settings, base + name)
    },
  }

  return {
    derived,
    async put(content) {
      const path = join(settings.spoolFolder, randomUUID())
      try {
        const stored = await spool(content, path)
        const known = await find(stored.hash)
        // An older one is sent again: nothing else updates its time.
        if (known?.size === stored.size && Date.now() - known.storedAt < putPrecision) return stored
        const headers = {
          'content-length': String(stored.size),
          'content-type': 'application/octet-stream',
          'x-amz-content-sha256': Buffer.from(stored.hash, 'base64url').toString('hex'),
        }
        const body = () => createReadStream(path)
        const response = await send('PUT', addressOf(stored.hash), settings, { headers, body })
        await response.body.dump()
        requireStatus(response, 200)
        return stored
      } finally {
        await rm(path, { force: true })
      }
    },
    async open(hash, range) {
      if (!isHash(hash)) return undefined
      // The protocol cannot express an empty range.
      if (range && (range.end ?? (await findSize(hash)) ?? 0) <= range.start) return Readable.from([])
      const last = range?.end === undefined ? '' : range.end - 1
      const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${last}` } : {}
      const response = await send('GET', addressOf(hash), settings, { headers })
      if (response.statusCode === 404) {
        await response.body.dump()
        return undefined
      }
      requireStatus(response, range ? 206 : 200)
      return response.body
    },
    findSize,
    find,
    async *list() {
      for await (const { name, entry } of listBucket(settings, '')) {
        const hash = name.replace('/', '')
        if (!isHash(hash)) continue
        const [size, storedAt] = [member(entry, 'Size'), member(entry, 'LastModified')]
        yield { hash, size: Number(size), storedAt: Date.parse(storedAt ?? '') }
      }
    },
    async delete(hash) {
      if (isHash(hash)) await deleteObject(settings, addressOf(hash))
    },
  }
}

/** Returns small files below the prefix; sends no request before the first use. */
export function openNamedObjects(settings: S3Settings): NamedFiles {
  const { bucket, prefix } = addressesOf(settings)
  const base = bucket + prefix
  return {
    read: (name) => readObject(settings, base + name),
    write: (name, bytes) => putObject(settings, base + name, bytes),
    async list() {
      const names: string[] = []
      for await (const { name } of listBucket(settings, '')) names.push(name)
      return names.toSorted()
    },
    delete: (name) => deleteObject(settings, base + name),
  }
}

/** Returns the bytes of an object, undefined when there is none at this address. */
async function readObject(settings: S3Settings, address: string): Promise<Uint8Array | undefined> {
  const response = await send('GET', address, settings)
  if (response.statusCode === 404) {
    await response.body.dump()
    return undefined
  }
  requireStatus(response, 200)
  return response.body.bytes()
}

async function putObject(settings: S3Settings, address: string, bytes: Uint8Array): Promise<void> {
  const headers = { 'content-length': String(bytes.length), 'content-type': 'application/octet-stream' }
  const response = await send('PUT', address, settings, { headers, body: () => Readable.from([bytes]) })
  await response.body.dump()
  requireStatus(response, 200)
}

async function deleteObject(settings: S3Settings, address: string): Promise<void> {
  const response = await send('DELETE', address, settings)
  await response.body.dump()
  if (response.statusCode !== 404) requireStatus(response, 204)
}

/** Yields the objects with a name prefix: the name after our prefix, and the list entry. */
async function* listBucket(
  settings: S3Settings,
  beginning: string,
): AsyncIterable<{ name: string; entry: string }> {
  const { bucket, prefix } = addressesOf(settings)
  for (let next: string | undefined = ''; next !== undefined;) {
    const query = new URLSearchParams({
      'list-type': '2',
      prefix: prefix + beginning,
      ...(next && { 'continuation-token': next }),
    })
    const response = await send('GET', `${bucket}?${query}`, settings)
    requireStatus(response, 200)
    const text = await response.body.text()
    for (const entry of text.split('<Contents>').slice(1)) {
      yield { name: member(entry, 'Key')?.slice(prefix.length) ?? '', entry }
    }
    next = member(text, 'NextContinuationToken')
  }
}

/** The text of an element of a list, whose names and tokens contain no escapes but the ampersand. */
function member(xml: string, name: string): string | undefined {
  const [, from] = xml.split(`<${name}>`, 2)
  return from?.slice(0, from.indexOf('<')).replaceAll('&amp;', '&')
}

/** The bucket's address, which ends with a slash, and the prefix of our objects. */
function addressesOf({ url, endpoint, region }: S3Settings): { bucket: string; prefix: string } {
  const { protocol, hostname: name, pathname } = new URL(url)
  if (protocol !== 's3:' || !name) throw new Error(`Files: "${url}" is not of the form s3://bucket/prefix`)
  const root = endpoint
    ? `${endpoint.replace(/\/$/, '')}/${name}`
    : `https://${name}.s3.${region}.amazonaws.com`
  const path = pathname.replace(/^\/|\/$/g, '')
  return { bucket: `${root}/`, prefix: path === '' ? '' : `${path}/` }
}

interface S3Request {
  readonly headers?: Record<string, string>
  /** Created again for each attempt. */
  readonly body?: () => Readable
}

/** Sends a signed request; retries twice at most when the server is unavailable or fails. */
async function send(
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE',
  url: string,
  { accessKeyId, secretAccessKey, sessionToken, region }: S3Settings,
  { headers = {}, body }: S3Request = {},
): Promise<Dispatcher.ResponseData> {
  for (let attempt = 1; ; attempt += 1) {
    const credentials = { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
    const signer = new AwsV4Signer({ method, url, headers, service: 's3', region, ...credentials })
    const signed = await signer.sign()
    try {
      const response = await request(url, {
        method,
        headers: Object.fromEntries(signed.headers),
        body: body ? body() : null,
        headersTimeout: 60_000,
        bodyTimeout: 60_000,
      })
      if (response.statusCode < 500 || attempt === attempts) return response
      await response.body.dump()
    } catch (error) {
      if (attempt === attempts) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 200 * attempt))
  }
}

function requireStatus({ statusCode }: Dispatcher.ResponseData, expected: number): void {
  if (statusCode !== expected)
    throw new Error(`The file storage answered ${statusCode} instead of ${expected}`)
}
