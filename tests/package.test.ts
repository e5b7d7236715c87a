/**
 * npm package: packed from this folder, installed into an empty folder with its dependencies and no build tools, and
 * used as by a first user. Packages come from npm's cache where it has them; without it and without a network nothing
 * can be installed, and the test is skipped.
 */
import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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
  const flags = ['--omit=dev', '--prefer-offline', '--fetch-retries=1', '--prefix', folder]
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

/** The command after `RUN` that starts with these words, as the shell gets it. */
async function commandOfImage(beginning: string): Promise<string> {
  const file = (await readFile(join(root, 'Dockerfile'), 'utf8')).replaceAll('\\\n', ' ')
  const line = file.split('\n').find((one) => one.startsWith(`RUN ${beginning}`))
  if (line === undefined) throw new Error(`The Dockerfile has no command ${beginning}`)
  return line.slice(4)
}

/** Copies the system's libraries that programs load into another root. */
async function copyLibraries(programs: readonly string[], target: string): Promise<void> {
  const { stdout } = await run('ldd', [...programs])
  for (const [, file] of stdout.matchAll(/(?:=> |^\t)((?:\/usr)?\/lib\S*) \(0x/gm)) {
    await mkdir(dirname(join(target, file!)), { recursive: true })
    await cp(file!, join(target, file!), { dereference: true })
  }
}

// Like the image: node and its libraries, no shell, a root that cannot be written, a user without rights.
test('the install of the image starts on a read-only root without a shell, and stops', async (context) => {
  context.skip(!isInstalled, 'no packages: neither the registry nor a cache of it is at hand')
  context.skip(process.getuid?.() !== 0, 'only root may change the root of a process')
  const image = join(folder, 'image')
  const install = join(image, 'opt/octavo')
  await mkdir(install, { recursive: true })
  await cp(join(folder, 'node_modules'), join(install, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  const size = async () => Number((await run('du', ['-sm', install])).stdout.split('\t')[0])
  const whole = await size()
  await run('sh', ['-c', (await commandOfImage('find node_modules')).replace('mkdir /empty', 'true')], {
    cwd: install,
  })
  expect(await size()).toBeLessThan(whole - 30)
  const addons = (await readdir(install, { recursive: true })).filter((name) =>
    /linux.*(?<!musl)\.node$/.test(name),
  )
  await copyLibraries([process.execPath, ...addons.map((name) => join(install, name))], image)
  await mkdir(join(image, 'bin'))
  await cp(process.execPath, join(image, 'bin/node'), { dereference: true })
  for (const place of ['data', 'tmp', 'proc', 'dev']) await mkdir(join(image, place))
  const script = `
    mount --bind ${image} ${image} && mount -o remount,bind,ro ${image} &&
    mount -t tmpfs -o uid=65532,mode=0700 tmpfs ${image}/data && mount -t tmpfs -o mode=1777 tmpfs ${image}/tmp || exit 77
    exec /usr/sbin/chroot --userspec=65532:65532 ${image} /bin/node /opt/octavo/node_modules/octavo/bin/octavo.js serve --port 0 --no-demo`
  const server = spawn('unshare', ['--mount', 'sh', '-c', script], {
    env: { PATH: process.env.PATH, OCTAVO_DATA: '/data', HOME: '/tmp' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => server.on('close', resolve))
  let out = ''
  const ready = new Promise<void>((resolve) => {
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
      if (out.includes('\n')) resolve()
    })
  })
  const early = await Promise.race([ready, ended])
  context.skip(early === 77, 'no file systems may be mounted here')
  const [, base] = /^octavo ready (\S+)\n$/.exec(out) ?? []
  expect((await fetch(`${base}/readyz`)).status).toBe(200)
  expect(await (await fetch(`${base}/`, { headers: { accept: 'text/html' } })).text()).toContain(
    '<!doctype html>',
  )
  server.kill()
  expect(await ended).toBe(0)
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
