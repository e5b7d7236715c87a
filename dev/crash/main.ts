/**
 * `npm run crash`: kills a server twenty times in the middle of imports and merges, and proves that nothing
 * acknowledged is lost. `--rounds`, `--seed`; on PostgreSQL with OCTAVO_DATABASE_URL, which must be empty.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runCrashes } from './rounds.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const [rounds, seed] = [Number(values.rounds), Number(values.seed)]
const data = await mkdtemp(join(tmpdir(), 'octavo-crash-'))
const engine = process.env.OCTAVO_DATABASE_URL ? 'PostgreSQL' : 'SQLite'
process.stdout.write(`${rounds} kills on ${engine}, seed ${seed}, data in ${data}\n`)

const { acknowledgements, losses } = await runCrashes({
  data,
  rounds,
  seed,
  report: (line) => process.stdout.write(`${line}\n`),
})
for (const loss of losses) process.stdout.write(`LOST ${loss}\n`)
process.stdout.write(`${acknowledgements} writes acknowledged in ${rounds} rounds, ${losses.length} lost\n`)
// What was lost stays, to be looked at.
if (losses.length === 0) await rm(data, { recursive: true, force: true })
process.exitCode = losses.length === 0 ? 0 : 1
