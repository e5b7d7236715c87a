/** File permissions: stored data is accessible only to the account that runs Octavo, with any umask; exports follow the umask. */
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { main } from '../src/server/main.js'
import { openOctavo } from '../src/server/start/open.js'
import { readSettings } from '../src/server/settings/settings.js'
import { createOrganization } from '../src/resources/organizations/create.js'
import { createSpace } from '../src/resources/spaces/create.js'
import { insertUser } from '../src/resources/users/store.js'
import type { UserId } from '../src/core/ids.js'

let folder: string
let umask: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-private-'))
  umask = process.umask(0)
})
afterEach(async () => {
  process.umask(umask)
  process.exitCode = 0
  await rm(folder, { recursive: true })
})

/** The folder and its entries that others than the owner may access. */
async function openToOthers(path: string): Promise<string[]> {
  const found: string[] = []
  for (const name of ['', ...(await readdir(path, { recursive: true }))]) {
    if (((await stat(join(path, name))).mode & 0o077) !== 0) found.push(name)
  }
  return found
}

async function furnish(data: string): Promise<string> {
  const settings = await readSettings({ data }, {}, folder)
  const octavo = await openOctavo(settings, 1, 'server')
  await octavo.services.files.put(Buffer.from('bytes'))
  const space = await octavo.database.write(async (tx) => {
    const userId = 'ada' as UserId
    await insertUser(tx, { id: userId, displayName: 'Ada', email: 'ada@octavo.test', now: 1 })
    const { row } = await createOrganization(tx, userId, { title: 'Acme' }, 1)
    return createSpace(tx, {}, { organizationId: row.id, userId, now: 1 })
  })
  // With the files of the engine beside the database.
  expect((await readdir(data)).toSorted()).toContain('octavo.sqlite-wal')
  expect(await openToOthers(data)).toEqual([])
  await octavo.close()
  return space.id
}

test('files are 0600 and folders 0700, in the data folder, in backups, and where they were open before', async () => {
  const [data, backup, copy] = ['data', 'backup', 'copy'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const space = await furnish(data)
  await main(['node', 'octavo', '--data', data, 'backup', backup])
  expect(await openToOthers(backup)).toEqual([])
  expect(await readdir(backup)).toContain('octavo-backup.json')
  await main(['node', 'octavo', '--data', copy, 'restore', backup])
  expect(await openToOthers(copy)).toEqual([])

  for (const name of ['', 'octavo.sqlite', 'files', 'spool']) await chmod(join(data, name), 0o755)
  const settings = await readSettings({ data }, {}, folder)
  await (await openOctavo(settings, 1, 'server')).close()
  expect(await openToOthers(data)).toEqual([])

  const out = join(folder, 'out')
  await main(['node', 'octavo', '--data', data, 'export', '--space', space, out])
  expect((await stat(out)).mode & 0o777).toBe(0o777)
  expect(process.exitCode ?? 0).toBe(0)
})

test('an existing folder is closed, with its content', async () => {
  const data = join(folder, 'shared')
  await mkdir(data, { mode: 0o777 })
  await writeFile(join(data, 'secret'), 'an old secret of sixteen', { mode: 0o644 })
  await furnish(data)
  expect(await readdir(data)).not.toContain('secret')
})

test('every write but exports sets a file mode', async () => {
  const source = fileURLToPath(new URL('../src', import.meta.url))
  const own = new Set([
    'store/files/private-permissions.ts',
    'server/commands/export.ts',
    'server/commands/export-pdf.ts',
    'server/commands/translate.ts',
    'server/static-export/folder.ts',
    'resources/exports/write-folder.ts',
  ])
  const files = (await readdir(source, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !own.has(name),
  )
  const writing = files.flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8')
    const calls = text.match(
      /\b(?:mkdir|mkdirSync|mkdtemp|writeFileSync|appendFile|copyFileSync)\(|\b(?:writeFile|createWriteStream)\((?![^)]*(?:\([^)]*\)[^)]*)*mode: privateFile)/g,
    )
    return (calls ?? []).map((call) => `${relative('', file)}: ${call}`)
  })
  expect(writing).toEqual([])
})
