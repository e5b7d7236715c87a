import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { ApiError, type ErrorName } from '../../contract/errors.js'
import type { ArchiveItem, ArchiveLimits } from './archive.js'
import { readFolder } from './read-folder.js'
import { readZip } from './read-zip.js'
import { writeZip } from '../exports/write-zip.js'

const scratch = mkdtempSync(join(tmpdir(), 'octavo-archive-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

interface Part {
  readonly name: string | Buffer
  readonly data?: string | Buffer
  readonly store?: boolean
  readonly method?: number
  readonly flags?: number
  /** Unix mode. */
  readonly mode?: number
  readonly announced?: number
  readonly checksum?: number
}

/** Builds a zip byte by byte, so that every number in it can be forged. */
function zipOf(...parts: Part[]): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const part of parts) {
    const name = Buffer.from(part.name as string)
    const data = Buffer.from((part.data ?? '') as string)
    const body = part.store ? data : deflateRawSync(data)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    const header = Buffer.alloc(46)
    header.writeUInt32LE(0x02014b50, 0)
    header.writeUInt16LE(0x031e, 4)
    for (const [target, at] of [
      [local, 4],
      [header, 6],
    ] as const) {
      target.writeUInt16LE(20, at)
      target.writeUInt16LE(part.flags ?? 0x800, at + 2)
      target.writeUInt16LE(part.method ?? (part.store ? 0 : 8), at + 4)
      target.writeUInt32LE(part.checksum ?? crc32(data), at + 10)
      target.writeUInt32LE(body.length, at + 14)
      target.writeUInt32LE(part.announced ?? data.length, at + 18)
      target.writeUInt16LE(name.length, at + 22)
    }
    header.writeUInt32LE(((part.mode ?? 0o100644) << 16) >>> 0, 38)
    header.writeUInt32LE(offset, 42)
    pieces.push(local, name, body)
    directory.push(header, name)
    offset += 30 + name.length + body.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...pieces, entries, end])
}

/** Returns paths and texts of all entries. */
async function contents(entries: AsyncIterable<ArchiveItem>): Promise<Record<string, string>> {
  const found: [string, string][] = []
  for await (const entry of entries) {
    if (!('open' in entry)) continue
    const bytes = await entry.open()
    expect(bytes.length).toBe(entry.size)
    found.push([entry.path, Buffer.from(bytes).toString()])
  }
  expect(found.map(([path]) => path)).toEqual(found.map(([path]) => path).toSorted())
  return Object.fromEntries(found)
}

/** Returns the skipped items and the reasons. */
async function leftOutOf(items: AsyncIterable<ArchiveItem>): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const item of items) if ('leftOut' in item) found[item.path] = item.leftOut
  return found
}

async function failureOf(entries: AsyncIterable<ArchiveItem>): Promise<[ErrorName, string]> {
  const error: unknown = await contents(entries).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ApiError)
  return [(error as ApiError).errorName, (error as ApiError).message]
}

describe('a zip is read', () => {
  const cases: [name: string, parts: Part[], expected: Record<string, string>][] = [
    ['nothing', [], {}],
    [
      'files, in order',
      [{ name: 'b.md', data: 'B' }, { name: 'a/c.md', data: 'C', store: true }, { name: 'B.txt' }],
      { 'b.md': 'B', 'a/c.md': 'C', 'B.txt': '' },
    ],
    [
      'a top folder',
      [{ name: 'docs/' }, { name: 'docs/README.md', data: 'R' }, { name: 'docs/a/b.md', data: 'B' }],
      { 'README.md': 'R', 'a/b.md': 'B' },
    ],
    [
      'a top folder beside a file',
      [
        { name: 'docs/a.md', data: 'A' },
        { name: 'b.md', data: 'B' },
      ],
      { 'docs/a.md': 'A', 'b.md': 'B' },
    ],
    ['two top folders', [{ name: 'a/x.md' }, { name: 'b/x.md' }], { 'a/x.md': '', 'b/x.md': '' }],
    ['a hidden top folder', [{ name: '.gitbook/vars.yaml', data: 'a: 1' }], { '.gitbook/vars.yaml': 'a: 1' }],
    [
      'what macOS and Git add',
      [
        { name: 'docs/a.md', data: 'A' },
        { name: '__MACOSX/docs/._a.md' },
        { name: 'docs/.git/config' },
        { name: 'docs/.DS_Store' },
      ],
      { 'a.md': 'A' },
    ],
    [
      'links inside what is skipped',
      [{ name: 'a.md' }, { name: '.git/link', mode: 0o120777 }],
      { 'a.md': '' },
    ],
    [
      'backslashes of old Windows tools',
      [{ name: 'a\\b.md', data: 'B' }, { name: 'c.md' }],
      { 'a/b.md': 'B', 'c.md': '' },
    ],
    [
      'dots and double slashes',
      [{ name: './a//b.md', data: 'B' }, { name: 'c.md' }],
      { 'a/b.md': 'B', 'c.md': '' },
    ],
    [
      'names of the world',
      [{ name: '日本/é 🚀.md', data: 'J' }, { name: 'c.md' }],
      { '日本/é 🚀.md': 'J', 'c.md': '' },
    ],
    [
      'names that no file system takes',
      [{ name: `${'字'.repeat(100)}.md` }],
      { [`${'字'.repeat(100)}.md`]: '' },
    ],
    [
      'names in the old code page',
      [{ name: Buffer.from([0x82, 0x2e, 0x6d, 0x64]), flags: 0 }],
      { 'é.md': '' },
    ],
    ['files without a known type', [{ name: 'a.md', mode: 0 }], { 'a.md': '' }],
  ]
  test.each(cases)('%s', async (_, parts, expected) => {
    expect(await contents(readZip(zipOf(...parts)))).toEqual(expected)
  })

  test('with duplicates, without links, special files and excluded folders', async () => {
    const zip = zipOf(
      { name: 'top/A.md', data: '1' },
      { name: 'top/a.md', data: '2' },
      { name: 'top/é.md', data: '3' },
      { name: 'top/e\u0301.md', data: '4' },
      { name: 'top/A/b.md', data: '5' },
      { name: 'top/link', data: '/etc/passwd', mode: 0o120777 },
      { name: 'top/folder/', mode: 0o120777 },
      { name: 'top/device', mode: 0o020666 },
      { name: 'top/.gitbook.yaml', data: 'exclude: [node_modules, ./drafts/old/, 3]\n' },
      { name: 'top/x/node_modules/p/README.md' },
      { name: 'top/x/node_modules/link', mode: 0o120777 },
      { name: 'top/drafts/old/a.md' },
      { name: 'top/old/a.md' },
      { name: 'top/tests/a.md' },
    )
    const limits = { maxFiles: 7 }
    expect(await contents(readZip(zip, { exclude: ['tests'], limits }))).toEqual({
      'A.md': '1',
      'a.md': '2',
      'é.md': '3',
      'e\u0301.md': '4',
      'A/b.md': '5',
      '.gitbook.yaml': 'exclude: [node_modules, ./drafts/old/, 3]\n',
      'old/a.md': '',
    })
    expect(await leftOutOf(readZip(zip, { exclude: ['tests'] }))).toEqual({
      device: expect.stringContaining('No ordinary file'),
      folder: expect.stringContaining('link'),
      link: expect.stringContaining('link'),
      'drafts/old/': expect.stringContaining('as was asked'),
      'tests/': expect.stringContaining('as was asked'),
      'x/node_modules/': expect.stringContaining('as was asked'),
    })
  })

  test('from a file', async () => {
    const path = join(scratch, 'a.zip')
    writeFileSync(path, zipOf({ name: 'a.md', data: 'A' }))
    expect(await contents(readZip(path))).toEqual({ 'a.md': 'A' })
  })

  test('decodes names in unflagged UTF-8 and in code page 437', async () => {
    const quiet = zipOf({ name: 'Straße™/ü.md', data: 'A', flags: 0 })
    expect(await contents(readZip(quiet))).toEqual({ 'ü.md': 'A' })
    const old = zipOf({ name: Buffer.from([0x81, 0x2e, 0x6d, 0x64]), data: 'A', flags: 0 })
    expect(await contents(readZip(old))).toEqual({ 'ü.md': 'A' })
  })
})

describe('a zip is refused', () => {
  const long = `${'x'.repeat(200)}/`.repeat(11)
  const cases: [
    name: string,
    zip: Buffer,
    error: ErrorName,
    says: string,
    limits?: Partial<ArchiveLimits>,
  ][] = [
    ['way out', zipOf({ name: '../evil.md' }), 'archive_unsafe_path', 'leads out'],
    ['way out inside', zipOf({ name: 'a/../../evil.md' }), 'archive_unsafe_path', 'leads out'],
    ['way there and back', zipOf({ name: 'a/../b.md' }), 'archive_unsafe_path', 'leads out'],
    ['way out by backslash', zipOf({ name: '..\\..\\evil.md' }), 'archive_unsafe_path', 'leads out'],
    ['way out in what is skipped', zipOf({ name: '.git/../../x' }), 'archive_unsafe_path', 'leads out'],
    ['absolute path', zipOf({ name: '/etc/passwd' }), 'archive_unsafe_path', 'absolute'],
    ['network path', zipOf({ name: '\\\\host\\share' }), 'archive_unsafe_path', 'absolute'],
    ['drive', zipOf({ name: 'C:\\x.md' }), 'archive_unsafe_path', 'drive'],
    ['drive without slash', zipOf({ name: 'c:x.md' }), 'archive_unsafe_path', 'drive'],
    ['NUL', zipOf({ name: 'a.md\u0000.png' }), 'archive_unsafe_path', 'control'],
    ['line feed', zipOf({ name: 'a\n.md' }), 'archive_unsafe_path', 'control'],
    ['name that is no UTF-8', zipOf({ name: Buffer.from([0xff, 0xfe]) }), 'archive_unsafe_path', 'UTF-8'],
    ['empty name', zipOf({ name: '' }), 'archive_unsafe_path', 'empty'],
    ['same name twice', zipOf({ name: 'a.md' }, { name: 'a.md' }), 'archive_unsafe_path', 'twice'],
    [
      'same name by another way',
      zipOf({ name: 'a/b.md' }, { name: 'a\\.\\b.md' }),
      'archive_unsafe_path',
      'twice',
    ],
    [
      'file that is a folder',
      zipOf({ name: 'a' }, { name: 'a/b.md' }),
      'archive_unsafe_path',
      'cannot be its folder',
    ],
    ['long path', zipOf({ name: `${long}a.md` }), 'archive_unsafe_path', '2048'],
    ['encryption', zipOf({ name: 'a.md', data: 'x', flags: 1 }), 'archive_invalid', 'encrypted'],
    ['unknown packing', zipOf({ name: 'a.md', data: 'x', method: 99 }), 'archive_invalid', 'unknown way'],
    [
      'bytes that do not match',
      zipOf({ name: 'a.md', data: 'abc', checksum: 1 }),
      'archive_invalid',
      'announces',
    ],
    [
      'more bytes than announced',
      zipOf({ name: 'a.md', data: 'x'.repeat(5000), announced: 10 }),
      'archive_invalid',
      'damaged',
    ],
    [
      'fewer bytes than announced',
      zipOf({ name: 'a.md', data: 'abc', announced: 10 }),
      'archive_invalid',
      'damaged',
    ],
    [
      'stored bytes that lie',
      zipOf({ name: 'a.md', data: 'abc', store: true, announced: 10 }),
      'archive_invalid',
      '',
    ],
    ['bomb', zipOf({ name: 'a.md', data: Buffer.alloc(5_000_000) }), 'archive_too_large', '200 times'],
    [
      'many files',
      zipOf({ name: 'a' }, { name: 'b' }, { name: 'c' }),
      'archive_too_large',
      '2 files',
      { maxFiles: 2 },
    ],
    [
      'many folders',
      zipOf(...['a/', 'b/', 'c/'].map((name) => ({ name }))),
      'archive_too_large',
      'entries',
      { maxFiles: 1 },
    ],
    [
      'large file',
      zipOf({ name: 'a', data: 'x'.repeat(11) }),
      'archive_too_large',
      '"a"',
      { maxFileBytes: 10 },
    ],
    [
      'large sum',
      zipOf({ name: 'a', data: 'xxxx' }, { name: 'b', data: 'xxxx' }),
      'archive_too_large',
      'together',
      { maxTotalBytes: 7 },
    ],
    ['no zip', Buffer.from('hello, this is no zip at all'), 'archive_invalid', ''],
    ['empty file', Buffer.alloc(0), 'archive_invalid', ''],
    ['half a zip', zipOf({ name: 'a.md', data: 'x'.repeat(100) }).subarray(0, 60), 'archive_invalid', ''],
    [
      'directory that is none',
      Buffer.concat([Buffer.alloc(40), zipOf({ name: 'a' }).subarray(-22)]),
      'archive_invalid',
      '',
    ],
  ]
  test.each(cases)('%s', async (_, zip, error, says, limits) => {
    const [name, message] = await failureOf(readZip(zip, { ...(limits !== undefined && { limits }) }))
    expect(name).toBe(error)
    expect(message).toContain(says)
  })

  test('when the file does not exist', async () => {
    expect((await failureOf(readZip(join(scratch, 'missing.zip'))))[0]).toBe('archive_invalid')
  })

  test('before its first entry is yielded', async () => {
    const entries = readZip(zipOf({ name: 'a.md' }, { name: 'z/../../x' }))
    await expect(entries.next()).rejects.toBeInstanceOf(ApiError)
  })
})

describe('a folder is read', () => {
  const folder = (name: string, files: Record<string, string>): string => {
    const root = join(scratch, name)
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(root, path, '..'), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return root
  }

  test('without version control and excluded folders, with packages', async () => {
    const root = folder('plain', {
      'b.md': 'B',
      'a/c.md': 'C',
      'a/é 字.md': 'E',
      '.gitbook/vars.yaml': 'x: 1',
      '.git/config': 'g',
      'node_modules/p/README.md': 'p',
      'a/.git/x': '',
    })
    const all = { 'b.md': 'B', 'a/c.md': 'C', 'a/é 字.md': 'E', '.gitbook/vars.yaml': 'x: 1' }
    const packages = { 'node_modules/p/README.md': 'p' }
    expect(await contents(readFolder(root))).toEqual({ ...all, ...packages })
    expect(await contents(readFolder(root, { exclude: ['node_modules/'] }))).toEqual(all)
    const config = { '.gitbook.yaml': 'exclude:\n  - node_modules\n  - a\n' }
    folder('plain', config)
    expect(await contents(readFolder(root, { limits: { maxFiles: 3 } }))).toEqual({
      'b.md': 'B',
      '.gitbook/vars.yaml': 'x: 1',
      ...config,
    })
    expect(Object.keys(await leftOutOf(readFolder(root)))).toEqual(['a/', 'node_modules/'])
  })

  test.each<[string, (root: string) => void, string, string]>([
    ['a link to a file', (root) => symlinkSync('/etc/passwd', join(root, 'link.md')), 'link.md', 'link'],
    ['a link to a folder', (root) => symlinkSync('/etc', join(root, 'a', 'etc')), 'a/etc', 'link'],
    ['a link that leads nowhere', (root) => symlinkSync('nowhere', join(root, 'gone')), 'gone', 'link'],
    ['a backslash', (root) => writeFileSync(join(root, 'x\\y.md'), ''), 'x\\y.md', 'backslash'],
    ['a line feed', (root) => writeFileSync(join(root, 'x\ny.md'), ''), 'x\ufffdy.md', 'control'],
    [
      'folders beyond measure',
      (root) => mkdirSync(join(root, 'x/'.repeat(70)), { recursive: true }),
      'x/'.repeat(66).slice(0, -1),
      '64 folders',
    ],
  ])('skips and reports %s', async (name, spoil, path, says) => {
    const root = folder(`spoilt ${name}`, { 'a.md': 'A', 'a/b.md': 'B', 'A.md': 'twin' })
    spoil(root)
    expect(Object.keys(await contents(readFolder(root)))).toEqual(['A.md', 'a.md', 'a/b.md'])
    expect(await leftOutOf(readFolder(root))).toEqual({ [path]: expect.stringContaining(says) })
  })

  test('enforces limits, and detects changes while it is read', async () => {
    const root = folder('limits', { 'a.md': 'A', 'b.md': 'BBBB' })
    expect((await failureOf(readFolder(root, { limits: { maxFiles: 1 } })))[0]).toBe('archive_too_large')
    expect((await failureOf(readFolder(root, { limits: { maxFileBytes: 3 } })))[0]).toBe('archive_too_large')
    expect((await failureOf(readFolder(join(root, 'missing'))))[0]).toBe('archive_invalid')
    expect((await failureOf(readFolder(join(root, 'a.md'))))[0]).toBe('archive_invalid')
    for await (const entry of readFolder(root)) {
      writeFileSync(join(root, entry.path), 'something longer than it was')
      if ('open' in entry) await expect(entry.open()).rejects.toThrow('changed while it was read')
    }
  })
})

describe('a zip is written', () => {
  async function* entriesOf(files: Record<string, string | Buffer>) {
    for (const [path, data] of Object.entries(files)) {
      yield {
        path,
        async *stream() {
          const bytes = Buffer.from(data as string)
          for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
        },
      }
    }
  }
  const write = async (files: Record<string, string | Buffer>): Promise<Buffer> => {
    const pieces: Uint8Array[] = []
    for await (const piece of writeZip(entriesOf(files))) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  test('that reads back equal, with equal bytes each time', async () => {
    const files = {
      'README.md': '# A\r\n',
      'a/é 字.md': 'x'.repeat(50_000),
      'a/empty.md': '',
      'z.png': '\u0000png',
    }
    const zip = await write(files)
    expect(zip.length).toBeLessThan(2000)
    expect(await contents(readZip(zip))).toEqual(files)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 })
    try {
      expect(await write(files)).toEqual(zip)
    } finally {
      vi.useRealTimers()
    }
  })

  test('even when it is empty', async () => {
    expect(await contents(readZip(await write({})))).toEqual({})
  })
})
