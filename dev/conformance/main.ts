/**
 * `npm run conformance`: runs the API tour on each engine through both generations of the published client, and reports
 * differences from their descriptions. `--engine sqlite|postgres` takes one engine, `--write` rewrites the table of
 * `docs/api/conformance.md`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { clients } from '../../tests/client-schemas.js'
import { readPage } from '../../tests/conformance/table.js'
import { startPostgres } from '../postgres-process.js'
import { openWorld } from './world.js'
import { walk } from './walk.js'

const { values } = parseArgs({
  options: { engine: { type: 'string' }, write: { type: 'boolean', default: false } },
})
const say = (line: string): void => void process.stdout.write(`${line}\n`)
let faults = 0

async function conform(engine: string, databaseUrl?: string): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'octavo-conformance-'))
  const { url, worldOf, close } = await openWorld(data, databaseUrl)
  try {
    for (const client of clients) {
      const found = await walk(client, url, worldOf(`v${client}.test`))
      faults += found.faults.length
      for (const fault of found.faults) say(`  ${fault}`)
      say(
        `${engine}, client ${client}: ${found.calls} answers, ${found.throughClient} operations through the client, ` +
          `${found.listsWalked} lists walked to their end, ${found.faults.length} faults`,
      )
    }
  } finally {
    await close()
    await rm(data, { recursive: true, force: true })
  }
}

if (values.write) {
  const { address, expected } = readPage()
  await writeFile(address, expected)
}
if (values.engine !== 'postgres') await conform('SQLite')
if (values.engine !== 'sqlite') {
  const configuredUrl = process.env.OCTAVO_TEST_DATABASE_URL
  const postgres = configuredUrl === undefined ? await startPostgres() : undefined
  try {
    if (configuredUrl === undefined && postgres === undefined) say('PostgreSQL is not installed: left out')
    else await conform('PostgreSQL', configuredUrl ?? postgres!.url)
  } finally {
    await postgres?.remove()
  }
}
const { current, expected } = readPage()
if (current !== expected) {
  faults++
  say('docs/api/conformance.md is not as it should be: `npm run conformance -- --write` writes it')
}
say(`${faults} faults`)
process.exitCode = faults === 0 ? 0 : 1
