/** Backups of each engine, restored into either: same rows, same files, nothing half. */
import { createRequire } from 'node:module'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { describeEngines, hasPostgres, type TestEngine } from '../../../tests/engines.js'
import { openTestClient } from '../../../tests/test-client.js'
import type { Hash } from '../../core/ids.js'
import { openDatabase } from '../../store/db/open.js'
import { migrations } from '../../store/db/migrate.js'
import { dumpedTables, openTableDump, selfReferences } from '../../store/db/table-dump.js'
import { openDirectory } from '../../store/files/directory.js'
import type { FileStorage } from '../../store/files/storage.js'
import type { Reporter } from '../reporter.js'
import { createBackup } from './create-backup.js'
import { pruneBackups } from './prune-backups.js'
import { openRepository } from './repository.js'
import { restoreBackup } from './restore-backup.js'
import { readCatalog } from '../../../tests/catalog.js'

const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => {
  run(): Promise<{ port: number }>
  close(): Promise<void>
}

const report: Reporter = {
  result() {},
  warn() {},
  warnAll() {},
  startTask: () => ({ advance() {}, end() {} }),
}

let folder: string
let bucket: InstanceType<typeof S3rver>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-backup-'))
  const configureBuckets = [{ name: 'backups' }]
  const directory = join(folder, 'buckets')
  bucket = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets })
  const { port } = await bucket.run()
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${port}`)
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER')
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await bucket.close()
  await rm(folder, { recursive: true })
})

type Place = Awaited<ReturnType<TestEngine['settings']>>
let places = 0
const newFolder = () => join(folder, `place-${(places += 1)}`)

/** Every row of every table, as text. */
async function readAll({ dataFolder, url }: Place): Promise<Record<string, string[]>> {
  const dump = await openTableDump({ engine: url === undefined ? 'sqlite' : 'postgres', dataFolder, url })
  const found: Record<string, string[]> = {}
  try {
    for (const table of dumpedTables) {
      const columns = (await dump.listColumns(table)).toSorted((one, other) =>
        one.name < other.name ? -1 : 1,
      )
      const rows: string[] = []
      for await (const row of dump.readRows(table, columns)) rows.push(JSON.stringify(row))
      found[table] = rows.toSorted()
    }
  } finally {
    await dump.close()
  }
  return found
}

const open = (target: string, use: 'write' | 'read', passphrase?: string) =>
  openRepository(target, { passphrase, spoolFolder: join(folder, 'spool') }, use)

describeEngines(
  'a backup',
  (engine) => {
    let place: Place
    let files: FileStorage
    let source: Parameters<typeof createBackup>[0]
    let api: Awaited<ReturnType<typeof openTestClient>>
    let ann: Awaited<ReturnType<typeof api.person>>
    let space: string
    let time = Date.parse('2026-01-02T00:00:00Z')
    const backUp = async (target: string, passphrase?: string) =>
      createBackup(source, await open(target, 'write', passphrase), report, (time += 60_000))

    beforeAll(async () => {
      place = await engine.settings()
      const database = await openDatabase(place)
      files = await openDirectory(newFolder())
      source = { database, dataFolder: place.dataFolder, url: place.url, files }
      api = await openTestClient(database, undefined, { files })
      ann = await api.person('ann')
      const organization = await api.organization(ann)
      const make = async (path: string, body: object) => (await api.request(ann, 'POST', path, body)).body
      space = (await make(`/orgs/${organization}/spaces`, { title: 'Übersicht 📚', empty: true })).id
      const { number } = await make(`/spaces/${space}/change-requests`, {})
      const markdown = `# One\n\nText with "quotes", \\ and 𝄞.\n${'A line of words.\n'.repeat(400)}`
      await make(`/spaces/${space}/change-requests/${number}/content`, {
        changes: [{ operation: 'insert_page', title: 'One', document: { markdown } }],
      })
      await make(`/spaces/${space}/change-requests/${number}/merge`, {})
      await make(`/spaces/${space}/comments`, { body: { markdown: 'See @ann' } })
      const answer = await api.server.inject({
        method: 'POST',
        url: `/v1/spaces/${space}/change-requests/${(await make(`/spaces/${space}/change-requests`, {})).number}/content/files`,
        headers: {
          authorization: `Bearer ${ann.token}`,
          'content-type': 'application/octet-stream',
          'content-disposition': 'attachment; filename=notes.bin',
        },
        payload: Buffer.from([0, 1, 2, 255]),
      })
      expect(answer.statusCode, answer.body).toBe(201)
      // A group that is older than the one around it.
      const { id: site } = await make(`/orgs/${organization}/sites`, { title: 'Docs', spaces: [space] })
      const inner = await make(`/orgs/${organization}/sites/${site}/section-groups`, { title: 'Inner' })
      const outer = await make(`/orgs/${organization}/sites/${site}/section-groups`, { title: 'Outer' })
      const moved = await api.request(
        ann,
        'POST',
        `/orgs/${organization}/sites/${site}/section-groups/${inner.id}/move`,
        { position: { into: outer.id } },
      )
      expect(moved.status, moved.text).toBeLessThan(300)
    })
    afterAll(() => source.database.close())

    const targets: [string, () => Promise<Place>][] = [
      ['SQLite', async () => ({ dataFolder: newFolder() })],
      ...(hasPostgres && engine.engine === 'postgres'
        ? [['PostgreSQL', () => engine.settings()] as [string, () => Promise<Place>]]
        : []),
    ]

    it.each(targets)('is restored into %s with every row and file', async (_, makePlace) => {
      const target = newFolder()
      const { manifest } = await backUp(target)
      expect(manifest.files).toBe(1)
      const restored = await makePlace()
      const restoredFiles = await openDirectory(newFolder())
      const repository = await open(target, 'read')
      await restoreBackup(
        repository,
        manifest,
        { ...restored, url: restored.url, files: restoredFiles },
        report,
        time,
      )
      const [before, after] = [await readAll(place), await readAll(restored)]
      // The server's jobs for the search index are new.
      for (const table of dumpedTables.filter((name) => name !== 'jobs'))
        expect(after[table], table).toEqual(before[table])
      expect(before['comments']).toHaveLength(1)
      expect(before['site_section_groups']).toHaveLength(2)
      const [blob] = before['blobs']!
      const hash = (JSON.parse(blob!) as string[]).find((value) => /^[\w-]{43}$/.test(value)) as Hash
      expect(Buffer.concat(await (await restoredFiles.open(hash))!.toArray())).toEqual(
        Buffer.from([0, 1, 2, 255]),
      )
      await expect(
        restoreBackup(
          repository,
          manifest,
          { ...restored, url: restored.url, files: restoredFiles },
          report,
          time,
        ),
      ).rejects.toThrow('holds data already')
    })

    it('stores what did not change once, and prunes what no backup names', async () => {
      const target = newFolder()
      const count = async () => (await readdir(join(target, 'data'), { recursive: true })).length
      await backUp(target)
      const first = await count()
      await backUp(target)
      expect(await count()).toBe(first)
      await api.request(ann, 'POST', `/spaces/${space}/comments`, { body: { markdown: 'Another' } })
      await backUp(target)
      const third = await count()
      expect(third).toBeGreaterThan(first)
      expect(third).toBeLessThan(first * 1.5)
      const repository = await open(target, 'write')
      const names = await repository.listSnapshots()
      expect(names).toHaveLength(3)
      expect(await pruneBackups(repository, 1, Date.now() + 3 * 24 * 60 * 60 * 1000)).toBe(2)
      expect(await count()).toBeLessThan(third)
      expect(await repository.listSnapshots()).toEqual(names.slice(2))
      const restored = newFolder()
      const manifest = await repository.readManifest(names[2]!)
      await restoreBackup(
        repository,
        manifest,
        { dataFolder: restored, url: undefined, files: await openDirectory(newFolder()) },
        report,
        time,
      )
      expect((await readAll({ dataFolder: restored }))['comments']).toEqual(
        (await readAll(place))['comments'],
      )
    })

    it('is encrypted in a bucket, and refused with another passphrase', async () => {
      const target = `s3://backups/${engine.engine}/daily`
      const { manifest, name } = await backUp(target, 'correct horse battery')
      await expect(open(target, 'read')).rejects.toThrow('are encrypted')
      await expect(open(target, 'read', 'wrong horse battery')).rejects.toThrow('The passphrase is not')
      const repository = await open(target, 'read', 'correct horse battery')
      expect(await repository.readManifest(name)).toEqual(manifest)
      for await (const { hash } of repository.data.list()) {
        const bytes = Buffer.concat(await (await repository.data.open(hash))!.toArray())
        expect(bytes.includes(Buffer.from([0, 1, 2, 255]))).toBe(false)
        expect(bytes.subarray(0, 2)).not.toEqual(Buffer.from([0x1f, 0x8b]))
      }
      const restored = newFolder()
      const restoredFiles = await openDirectory(newFolder())
      await restoreBackup(
        repository,
        manifest,
        { dataFolder: restored, url: undefined, files: restoredFiles },
        report,
        time,
      )
      expect((await readAll({ dataFolder: restored }))['objects']).toEqual((await readAll(place))['objects'])
      for await (const { size } of restoredFiles.list()) expect(size).toBe(4)
    })

    it('is refused where a chunk or a file was changed or is missing, and leaves an empty database', async () => {
      const target = newFolder()
      const { manifest } = await backUp(target)
      const repository = await open(target, 'read')
      const chunk = manifest.tables.find(({ name }) => name === 'objects')!.chunks[0]!
      const path = join(target, 'data', chunk.slice(0, 2), chunk.slice(2))
      const whole = await repository.data
        .open(chunk)
        .then(async (stream) => Buffer.concat(await stream!.toArray()))
      const restored = newFolder()
      const attempt = async () =>
        restoreBackup(
          repository,
          manifest,
          { dataFolder: restored, url: undefined, files: await openDirectory(newFolder()) },
          report,
          time,
        )
      await writeFile(path, whole.subarray(0, -1))
      await expect(attempt()).rejects.toThrow(`${chunk} was changed`)
      await rm(path)
      await expect(attempt()).rejects.toThrow(`${chunk} is missing`)
      // The same target, once the backup is whole again.
      await writeFile(path, whole)
      await attempt()
      expect((await readAll({ dataFolder: restored }))['spaces']).toEqual((await readAll(place))['spaces'])
    })

    it('of an older schema is migrated, of a newer one refused', async () => {
      const older = migrations.slice(0, -2)
      const old = await engine.settings()
      const database = await openDatabase({ ...old, migrations: older })
      await database.write((tx) =>
        tx
          .insertInto('users')
          .values({
            id: 'u1' as never,
            display_name: 'Old',
            email: 'old@octavo.test',
            created_at: 1,
            updated_at: 1,
          })
          .execute(),
      )
      const target = newFolder()
      const repository = await open(target, 'write')
      const oldSource = { database, dataFolder: old.dataFolder, url: old.url, files }
      const { manifest } = await createBackup(oldSource, repository, report, time)
      await database.close()
      expect(manifest.migrations).toHaveLength(older.length)
      const restored = { dataFolder: newFolder(), url: undefined, files: await openDirectory(newFolder()) }
      await restoreBackup(repository, manifest, restored, report, time)
      expect((await readAll({ dataFolder: restored.dataFolder }))['users']).toHaveLength(1)
      const newer = { ...manifest, migrations: [...migrations.map(({ name }) => name), '9999-newer'] }
      const other = { ...restored, dataFolder: newFolder() }
      await expect(restoreBackup(repository, newer, other, report, time)).rejects.toThrow('newer version')
    })

    it('knows every table that refers to itself', async () => {
      const referring = [...(await readCatalog(source.database.read))].flatMap(([name, { references }]) =>
        references
          .filter(({ table }) => table === name)
          .map(({ columns }) => [name, columns.at(-1)!] as const),
      )
      expect(Object.fromEntries(referring)).toEqual(selfReferences)
    })
  },
  { layouts: ['whole'] },
)

it('refuses a folder that holds something else', async () => {
  const target = await mkdtemp(join(folder, 'other-'))
  await writeFile(join(target, 'letter.txt'), 'x')
  await expect(open(target, 'write')).rejects.toThrow('is not empty and holds no backup')
  await expect(open(newFolder(), 'read')).rejects.toThrow('There is no backup')
})
