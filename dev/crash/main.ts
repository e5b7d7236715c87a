/**
 * `npm run crash`: crash testing: injects faults into writing servers, and proves that no acknowledged write is lost and that every process sees it.
 *
 * Twenty rounds with two processes on one SQLite folder, or with `--postgres` on a throwaway PostgreSQL, which is
 * restarted, loses connections and has some that hang; the garbage collector runs meanwhile. Then a full disk and
 * flipped bytes. `--rounds`, `--processes`, `--seed`; `--long` makes 200 kills. OCTAVO_DATABASE_URL names another
 * PostgreSQL, empty: there servers are only killed.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../postgres-process.js'
import { runCrashes } from './rounds.js'
import { fillDisk, flipBytes } from './disk-faults.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    processes: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    postgres: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
  },
})
// Half of the rounds on PostgreSQL kill a server.
const kills = values.long ? 200 : 20
const rounds = Number(values.rounds ?? (values.postgres && values.long ? kills * 2 : kills))
const [seed, processes] = [Number(values.seed), Number(values.processes)]
const data = await mkdtemp(join(tmpdir(), 'octavo-crash-'))
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const postgres = values.postgres ? await startPostgres() : undefined
if (values.postgres && postgres === undefined) throw new Error('PostgreSQL is not installed')
const engine = postgres || process.env.OCTAVO_DATABASE_URL ? 'PostgreSQL' : 'SQLite'
say(`${rounds} rounds on ${engine}, ${processes} processes, seed ${seed}, data in ${data}`)
const losses: string[] = []
try {
  const outcome = await runCrashes({ data, rounds, seed, processes, postgres, report: say })
  losses.push(...outcome.losses)
  const done = Object.entries(outcome.faults).map(([kind, count]) => `${count} × ${kind}`)
  say(
    `${outcome.acknowledgements} writes acknowledged, ${outcome.readings} read back meanwhile; ${done.join(', ')}; ` +
      `${outcome.unreferenced.gone} of ${outcome.unreferenced.put} unreferenced objects were collected`,
  )
  losses.push(...(await flipBytes(say, postgres)))
  if (engine === 'SQLite') {
    const full = await fillDisk(say)
    if (full === undefined) say('full disk: left out, because mounting a small one takes root on Linux')
    else losses.push(...full)
  }
} catch (error) {
  losses.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
}
for (const loss of losses) say(`LOST ${loss}`)
say(`${losses.length} lost`)
if (losses.length === 0) {
  await postgres?.remove()
  await rm(data, { recursive: true, force: true })
} else {
  // The data of a loss is retained for inspection.
  await postgres?.halt()
  say(`to be looked at: ${[data, postgres?.folder ?? []].flat().join(', ')}`)
}
process.exitCode = losses.length === 0 ? 0 : 1
