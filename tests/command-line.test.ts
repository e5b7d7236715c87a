/** The program as people start it: what it says of itself before it does anything. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const program = fileURLToPath(new URL('../bin/octavo.js', import.meta.url))
const { version, engines } = JSON.parse(
  await readFile(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string; engines: { node: string } }

test('the version is that of the package', async () => {
  const { stdout } = await run(process.execPath, [program, '--version'])
  expect(stdout).toBe(`${version}\n`)
})

test.each(['18.20.4', '20.9.0'])('a Node that is too old, %s, is told in one sentence', async (old) => {
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
