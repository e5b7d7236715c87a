/** Command line: version check, help and exit codes of the program. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { cleanEnvironment, startProgram } from './server-program.js'

const run = promisify(execFile)
const program = fileURLToPath(new URL('../bin/octavo.js', import.meta.url))
const { version, engines } = JSON.parse(
  await readFile(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string; engines: { node: string } }

test('the version is that of the package', async () => {
  const { stdout } = await run(process.execPath, [program, '--version'])
  expect(stdout).toBe(`${version}\n`)
})

test.each(['18.20.4', '20.9.0'])('a Node that is too old, %s, is reported in one sentence', async (old) => {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${old}' } })`
  const started = run(process.execPath, ['--import', `data:text/javascript,${pretend}`, program, 'serve'])
  const needed = engines.node.replace('>=', '')
  await expect(started).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: `octavo: This needs Node.js ${needed} or newer, and runs on ${old}.\n`,
  })
})

test.each(['serve', 'import', 'token create'])(
  'the help of %s names the flags of all commands',
  async (command) => {
    const { stdout } = await run(process.execPath, [program, ...command.split(' '), '--help'])
    for (const flag of ['--data', '--database-url', '--files-url', '--url', '--json'])
      expect(stdout).toContain(`  ${flag} `)
  },
)

test('a site is exported beside the server that serves it, by worker threads that have the data open too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-command-'))
  const server = await startProgram(folder, program)
  try {
    const [, site] = /The guide: {2}\S+\/@([^/\s]+\/[^/\s]+)/.exec(server.errorOutput())!
    const words = ['export', '--static', site!, join(folder, 'twin'), '--json']
    const { stdout } = await run(process.execPath, [program, ...words], {
      cwd: folder,
      env: cleanEnvironment,
    })
    const { pages } = JSON.parse(stdout.trim().split('\n').at(-1)!)
    expect(pages).toBeGreaterThan(20)
    const text = (name: string) => readFile(join(folder, 'twin', name), 'utf8')
    expect(await text('guide/start/index.html')).toMatch(
      /<!doctype html>[^]*href="\.\.\/[^]*bring your texts/,
    )
    expect(await text('guide/start.md')).toContain('\n## Sign in and bring your texts\n')
  } finally {
    await server.stop()
    await rm(folder, { recursive: true })
  }
}, 240_000)
