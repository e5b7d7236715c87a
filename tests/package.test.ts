/**
 * npm package: packed from this folder, installed into an empty folder with its dependencies and no build tools, and
 * used as by a first user. Packages come from npm's cache where it has them; without it and without a network nothing
 * can be installed, and the test is skipped.
 */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServerProgram, cleanEnvironment, startProgram } from './server-program.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const unreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/

let folder: string
let server: ServerProgram | undefined
let isInstalled = true

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-package-'))
  await run('npm', ['pack', '--pack-destination', folder], { cwd: root, env: cleanEnvironment })
  const [archive] = await readdir(folder)
  const flags = ['--omit=dev', '--prefer-offline', '--fetch-retries=0', '--prefix', folder]
  await run('npm', ['install', ...flags, join(folder, archive!)], { env: cleanEnvironment }).catch(
    (error: Error) => {
      if (!unreachable.test(error.message)) throw error
      isInstalled = false
    },
  )
}, 300_000)

afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('the package works alone: it starts, signs in, imports, and serves a page', async (context) => {
  context.skip(!isInstalled, 'no packages: neither the registry nor a cache of it is at hand')
  const octavo = (...words: string[]) =>
    run('npx', ['--no', 'octavo', ...words], { cwd: folder, env: cleanEnvironment })
  server = await startProgram(folder, 'node_modules/octavo/bin/octavo.js')
  const { base } = server
  const [, guide] = /The guide: {2}(\S+)/.exec(server.errorOutput()) ?? []
  expect(await (await fetch(guide!)).text()).toContain('What you push is what you pull.')

  const [, secret] = /\?link=(\w+)/.exec(server.errorOutput()) ?? []
  const signedIn = await fetch(`${base}/~octavo/sign-in`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ link: secret! }),
    redirect: 'manual',
  })
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
  const user = await fetch(`${base}/v1/user`, { headers: { cookie } })
  expect(await user.json()).toMatchObject({ email: 'admin@localhost' })

  const imported = await octavo('import', 'node_modules/octavo/docs', '--title', 'Copy', '--site', '--json')
  expect(imported.stdout).toContain('"event":"result"')
  const page = await fetch(`${base}/@docs/copy/guide/start`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('bring your texts')])
})

test('a clone without build tools reports it in one sentence', async () => {
  const clone = join(folder, 'clone')
  for (const name of ['bin', 'scripts', 'src', 'package.json'])
    await cp(join(root, name), join(clone, name), { recursive: true })
  for (const words of [['bin/octavo.js', '--version'], ['scripts/build.mjs']])
    await expect(run(process.execPath, words, { cwd: clone })).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^[^\n]* run "npm ci" in it, without --omit=dev\.\n$/),
    })
})
