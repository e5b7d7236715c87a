import { createRequire } from 'node:module'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Hash } from '../../core/ids.js'
import { openDirectory } from './directory.js'
import { openS3 } from './s3.js'
import type { FileStorage } from './storage.js'

interface S3Server {
  run(): Promise<{ port: number }>
  close(): Promise<void>
}
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => S3Server

const abc = 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0' as Hash

let folder: string
let server: S3Server
let s3: { endpoint: string; region: string; accessKeyId: string; secretAccessKey: string }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-files-'))
  server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(folder, 'buckets'),
    configureBuckets: [{ name: 'documents' }],
  })
  const { port } = await server.run()
  const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  s3 = { endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', ...keys }
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const listed: Item[] = []
  for await (const item of items) listed.push(item)
  return listed
}

const storages: Record<string, () => Promise<FileStorage>> = {
  'a directory': () => openDirectory(join(folder, 'files')),
  'a bucket': () => openS3({ ...s3, url: 's3://documents/some/prefix', spoolFolder: join(folder, 'spool') }),
}

describe.each(Object.entries(storages))('files in %s', (_, openStorage) => {
  let storage: FileStorage
  beforeAll(async () => {
    storage = await openStorage()
  })

  const read = async (hash: Hash, range?: { start: number; end?: number }) => {
    const stream = await storage.open(hash, range)
    return stream && (await buffer(stream)).toString('latin1')
  }

  it('are named by their hash, and returned unchanged', async () => {
    expect(await storage.findSize(abc)).toBeUndefined()
    expect(await storage.put(Buffer.from('abc'))).toEqual({ hash: abc, size: 3 })
    expect(await storage.findSize(abc)).toBe(3)
    expect(await read(abc)).toBe('abc')
  })

  it('can be put as a stream, repeatedly, and concurrently', async () => {
    const bytes = Buffer.alloc(3_000_000, 'some bytes \xff\0', 'latin1')
    const chunks = () =>
      Readable.from(Array.from({ length: 30 }, (_, at) => bytes.subarray(at * 1e5, at * 1e5 + 1e5)))
    const all = await Promise.all([storage.put(chunks()), storage.put(chunks()), storage.put(bytes)])
    expect(new Set(all.map(({ hash }) => hash)).size).toBe(1)
    expect(all[0].size).toBe(bytes.length)
    expect((await buffer((await storage.open(all[0].hash))!)).equals(bytes)).toBe(true)
  })

  it('may be empty', async () => {
    const { hash, size } = await storage.put(new Uint8Array())
    expect(size).toBe(0)
    expect(await storage.findSize(hash)).toBe(0)
    expect(await read(hash)).toBe('')
    expect(await read(hash, { start: 0 })).toBe('')
  })

  it('may be read in parts', async () => {
    const { hash } = await storage.put(Buffer.from('0123456789'))
    expect(await read(hash, { start: 0, end: 2 })).toBe('01')
    expect(await read(hash, { start: 3, end: 7 })).toBe('3456')
    expect(await read(hash, { start: 8 })).toBe('89')
    expect(await read(hash, { start: 4, end: 4 })).toBe('')
  })

  it('are listed with their sizes and times, without deleted ones', async () => {
    const { hash } = await storage.put(Buffer.from('listed'))
    const { hash: gone } = await storage.put(Buffer.from('gone soon'))
    await storage.delete(gone)
    const listed = new Map<Hash, { size: number; storedAt: number }>()
    for await (const file of storage.list()) listed.set(file.hash, file)
    expect(listed.get(hash)).toMatchObject({ size: 6 })
    expect(Math.abs(Date.now() - listed.get(hash)!.storedAt)).toBeLessThan(60_000)
    expect(listed.has(gone)).toBe(false)
    expect((await storage.find(hash))?.size).toBe(6)
  })

  it('can be deleted, also twice', async () => {
    const { hash } = await storage.put(Buffer.from('to be deleted'))
    expect(await read(hash)).toBe('to be deleted')
    await storage.delete(hash)
    await storage.delete(hash)
    expect(await storage.findSize(hash)).toBeUndefined()
    expect(await storage.open(hash)).toBeUndefined()
    expect((await storage.put(Buffer.from('to be deleted'))).hash).toBe(hash)
    expect(await read(hash)).toBe('to be deleted')
  })

  it('are never accessed by a name that is not a hash', async () => {
    for (const name of ['', '../../etc/passwd', `../${abc}`, `${abc}/..`] as Hash[]) {
      expect(await storage.findSize(name)).toBeUndefined()
      expect(await storage.open(name)).toBeUndefined()
      await storage.delete(name)
    }
    expect(await read(abc)).toBe('abc')
  })

  it('have derived files, which are not files themselves', async () => {
    const { derived } = storage
    const { hash } = await storage.put(Buffer.from('an original'))
    const { hash: other } = await storage.put(Buffer.from('another original'))
    expect(await derived.read(hash, '480.webp')).toBeUndefined()
    await derived.put(hash, '480.webp', Buffer.from('small'))
    await derived.put(hash, '960.webp', Buffer.from('early'))
    await derived.put(hash, '960.webp', Buffer.from('late'))
    await derived.put(other, '480.webp', new Uint8Array())
    const readDerived = async (of: Hash, name: string) => {
      const bytes = await derived.read(of, name)
      return bytes && Buffer.from(bytes).toString()
    }
    expect(await readDerived(hash, '480.webp')).toBe('small')
    expect(await readDerived(hash, '960.webp')).toBe('late')
    expect(await readDerived(other, '480.webp')).toBe('')
    expect(new Set(await all(derived.list()))).toEqual(new Set([hash, other]))
    const listed = (await all(storage.list())).map((file) => file.hash)
    expect(listed.filter((one) => one === hash || one === other)).toHaveLength(2)
    expect(await read(hash)).toBe('an original')

    await derived.delete(hash)
    await derived.delete(hash)
    expect(await readDerived(hash, '480.webp')).toBeUndefined()
    expect(await readDerived(hash, '960.webp')).toBeUndefined()
    expect(await readDerived(other, '480.webp')).toBe('')
    expect(await read(hash)).toBe('an original')
    for (const name of ['', '..', '../..'] as Hash[]) await derived.delete(name)
    expect(await read(hash)).toBe('an original')
  })

  it('leave nothing behind when the stream fails', async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('half')
        throw new Error('connection lost')
      })(),
    )
    await expect(storage.put(broken)).rejects.toThrow('connection lost')
    expect(await readdir(join(folder, 'files', 'arriving'))).toEqual([])
    expect(await readdir(join(folder, 'spool')).catch(() => [])).toEqual([])
  })
})

it('a directory deletes temporary files of dead processes after a day', async () => {
  const arriving = join(folder, 'files', 'arriving')
  await writeFile(join(arriving, 'fresh'), '')
  await writeFile(join(arriving, 'old'), '')
  await utimes(join(arriving, 'old'), 0, 0)
  await openDirectory(join(folder, 'files'))
  expect(await readdir(arriving)).toEqual(['fresh'])
})

it('a bucket that cannot be used throws', async () => {
  const wrong = { ...s3, spoolFolder: join(folder, 'spool') }
  const missing = await openS3({ ...wrong, url: 's3://missing/prefix' })
  await expect(missing.put(Buffer.from('x'))).rejects.toThrow('The file storage answered 404')
  const stranger = await openS3({ ...wrong, accessKeyId: 'wrong', url: 's3://documents' })
  await expect(stranger.put(Buffer.from('x'))).rejects.toThrow('The file storage answered 403')
  await expect(openS3({ ...wrong, url: 'https://documents' })).rejects.toThrow('not of the form s3://')
})
