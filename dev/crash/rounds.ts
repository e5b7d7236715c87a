/**
 * Kills a writing server again and again on the same data, and looks after each restart whether everything that
 * was acknowledged is there. The moments come from the seed; what is written until then comes from the machine.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '../bench/corpus.js'
import { type ServerProcess, require2xx, startServer } from '../server-process.js'
import { type Places, importArchives, writeChangeRequests } from './clients.js'
import { createLedger } from './ledger.js'
import { examine, verify } from './verify.js'

export interface CrashOptions {
  readonly data: string
  readonly rounds: number
  readonly seed: number
  readonly report: (line: string) => void
}

export interface CrashOutcome {
  readonly acknowledgements: number
  /** In words; empty when every acknowledged write was kept. */
  readonly losses: readonly string[]
}

const writers = 4
const importers = 1
/** Milliseconds that clients write before the kill: between these. */
const soonest = 150
const latest = 2_000
/** After a kill, milliseconds until the ready line. */
const restartPatience = 20_000

/** Throws when the server does not start again, or answers a client with an error. */
export async function runCrashes({ data, rounds, seed, report }: CrashOptions): Promise<CrashOutcome> {
  const random = createRandom(seed)
  const ledger = createLedger()
  const losses: string[] = []
  let server = await startServer({ data })
  try {
    const places = await makePlaces(server)
    for (let round = 1; round <= rounds; round += 1) {
      const before = ledger.acknowledgements
      const killAfter = Math.round(soonest + random() * (latest - soonest))
      await writeUntilKilled(server, round, killAfter)
      server = await startServer({ data, patience: restartPatience })
      const found = await verify(server, places, ledger)
      losses.push(...found.map((loss) => `round ${round}: ${loss}`))
      const told = ledger.acknowledgements - before
      report(
        `round ${round}/${rounds}: killed after ${killAfter} ms, ${told} writes acknowledged, ` +
          `ready again in ${Math.round(server.readyAfter)} ms, ${found.length} lost of ${ledger.entries.size}`,
      )
    }
    await server.stop()
    losses.push(...(await examine(data)))

    async function writeUntilKilled(dying: ServerProcess, round: number, killAfter: number): Promise<void> {
      let isDying = false
      const pen = (kind: string, index: number) => ({
        server: dying,
        places,
        ledger,
        name: `${kind}${index}r${round}`,
        random: createRandom(seed + round * 100 + index),
      })
      const clients = [
        ...Array.from({ length: writers }, (_, index) => writeChangeRequests(pen('writer', index))),
        ...Array.from({ length: importers }, (_, index) => importArchives(pen('import', writers + index))),
      ].map((client) =>
        client.catch((error: unknown) => {
          // A request that dies with the server is what this is about; an error before that is none of it.
          if (!isDying) throw error
        }),
      )
      const working = Promise.all(clients)
      await Promise.race([wait(killAfter), working])
      isDying = true
      await dying.kill()
      await working
    }
  } finally {
    await server.kill()
  }
  return { acknowledgements: ledger.acknowledgements, losses }
}

async function makePlaces(server: ServerProcess): Promise<Places> {
  const { items } = await require2xx(server.ask('GET', '/orgs'))
  const create = async (title: string) =>
    (
      await require2xx(
        server.ask('POST', `/orgs/${items[0].id}/spaces`, { title, empty: true, editMode: 'live' }),
      )
    ).id as string
  return { reviewed: await create('Reviewed'), imported: await create('Imported') }
}
