/**
 * Crash rounds: injects a fault into writing servers repeatedly on the same data, and verifies after each that every
 * acknowledged write is there. The times of faults come from the seed; what is written until then depends on the machine.
 */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '../bench/corpus.js'
import type { PostgresProcess } from '../postgres-process.js'
import { type ServerProcess, require2xx, startServer } from '../server-process.js'
import { type Aging, startAging } from './object-aging.js'
import {
  type WriterContext,
  type TestSpaces,
  importArchives,
  readBack,
  writeChangeRequests,
} from './clients.js'
import { createLedger } from './ledger.js'
import { type FaultKind, injectFault } from './faults.js'
import { examine, verify } from './verify.js'

export interface CrashOptions {
  readonly data: string
  readonly rounds: number
  readonly seed: number
  /** Servers on the same data; two by default. */
  readonly processes?: number
  /** A throwaway PostgreSQL for faults; without it servers are only killed. */
  readonly postgres?: PostgresProcess | undefined
  readonly report: (line: string) => void
}

export interface CrashOutcome {
  readonly acknowledgements: number
  /** How often each was injected. */
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>
  /** Pages read back during writes. */
  readonly readings: number
  /** Objects unreferenced for long enough, and how many of them were removed. */
  readonly unreferenced: { readonly put: number; readonly gone: number }
  /** Descriptions; empty when every acknowledged write was stored, and visible to every process from then on. */
  readonly losses: readonly string[]
}

const writers = 4
const importers = 1
/** For each process. */
const readers = 1
/** Milliseconds of writing before the fault, from this range; and after it, where the servers survive. */
const soonest = 150
const latest = 2_000
const afterwards = 500
/** After a kill, milliseconds until the ready line. */
const restartPatience = 60_000

/** Throws when a server does not restart, exits by itself, or answers a client with an error. */
export async function runCrashes(options: CrashOptions): Promise<CrashOutcome> {
  const { data, rounds, seed, processes = 2, postgres, report } = options
  const log = join(data, 'servers.log')
  const environment = postgres && { OCTAVO_DATABASE_URL: postgres.url }
  const start = (patience?: number) =>
    startServer({
      data,
      log,
      ...(environment && { environment }),
      ...(patience !== undefined && { patience }),
    })
  const random = createRandom(seed)
  const kinds: readonly FaultKind[] = postgres
    ? ['kill', 'restart', 'kill', 'terminate', 'kill', 'hang']
    : ['kill']
  const faults: Partial<Record<FaultKind, number>> = {}
  const ledger = createLedger()
  const losses: string[] = []
  let readings = 0
  const servers = [await start()]
  let aging: Aging | undefined
  let unreferenced = { put: 0, gone: 0 }
  try {
    const places = await createTestSpaces(servers[0]!)
    const url = postgres?.url ?? (process.env.OCTAVO_DATABASE_URL || undefined)
    aging = await startAging(data, url, places.organization)
    while (servers.length < processes) servers.push(await start())
    for (let round = 1; round <= rounds; round += 1) {
      const before = ledger.acknowledgements
      const kind = kinds[(round - 1) % kinds.length]!
      const harmAfter = Math.round(soonest + random() * (latest - soonest))
      const victim = Math.floor(random() * servers.length)
      const readLosses = await writeThrough(round, kind, harmAfter, victim)
      if (kind === 'kill') servers[victim] = await start(restartPatience)
      await Promise.all(servers.map(untilReady))
      const found = [...readLosses, ...(await verify(servers[round % servers.length]!, places, ledger))]
      losses.push(...found.map((loss) => `round ${round}: ${loss}`))
      faults[kind] = (faults[kind] ?? 0) + 1
      const acknowledged = ledger.acknowledgements - before
      report(
        `round ${round}/${rounds}: ${kind} after ${harmAfter} ms, ${acknowledged} writes acknowledged, ` +
          `${found.length} lost of ${ledger.entries.size}`,
      )
    }
    for (const server of servers) await server.stop()
    unreferenced = await aging.stop()
    aging = undefined
    if (unreferenced.put > 0 && unreferenced.gone === 0) losses.push('no unreferenced object was collected')
    losses.push(...(await examine(data, environment)))

    /** Lets clients write and read until the harm was done; answers what readers missed. */
    async function writeThrough(
      round: number,
      kind: FaultKind,
      harmAfter: number,
      victim: number,
    ): Promise<string[]> {
      const over = new AbortController()
      const missed: string[] = []
      let dying: ServerProcess | undefined
      let isTroubled = false
      const pen = (what: string, index: number): WriterContext => ({
        server: servers[index % servers.length]!,
        places,
        ledger,
        name: `${what}${index}r${round}`,
        random: createRandom(seed + round * 100 + index),
        over: over.signal,
        isFaultActive: () => isTroubled,
      })
      const each = (count: number, client: (index: number) => Promise<void>) =>
        Array.from({ length: count }, (_, index) => {
          const { server } = pen('', index)
          return client(index).catch((error: unknown) => {
            // A request that dies with its server is what this is about; an error of another one is none of it.
            if (server !== dying) throw error
          })
        })
      const working = Promise.all([
        ...each(writers, (index) => writeChangeRequests(pen('writer', index))),
        ...each(importers, (index) => importArchives(pen('import', index))),
        ...each(readers * servers.length, (index) =>
          readBack(pen('reader', index), (loss) => {
            readings += 1
            if (loss !== undefined) missed.push(loss)
          }),
        ),
      ])
      await Promise.race([wait(harmAfter), working])
      if (kind === 'kill') {
        dying = servers[victim]!
        await dying.kill()
      } else {
        isTroubled = true
        await injectFault(postgres!, kind)
      }
      if (servers.length > 1 || kind !== 'kill') await Promise.race([wait(afterwards), working])
      over.abort()
      await working
      return missed
    }
  } finally {
    for (const server of servers) await server.kill()
    await aging?.stop()
  }
  return { acknowledgements: ledger.acknowledgements, faults, readings, unreferenced, losses }
}

/** Resolves when the server reports that its database is available. */
async function untilReady({ url }: ServerProcess): Promise<void> {
  const deadline = performance.now() + restartPatience
  while ((await fetch(`${url}/readyz`)).status !== 200) {
    if (performance.now() > deadline) throw new Error('The server does not find back to its database')
    await wait(50)
  }
}

async function createTestSpaces(server: ServerProcess): Promise<TestSpaces> {
  const { items } = await require2xx(server.request('GET', '/orgs'))
  const organization = items[0].id
  const create = async (title: string) =>
    (
      await require2xx(
        server.request('POST', `/orgs/${organization}/spaces`, { title, empty: true, editMode: 'live' }),
      )
    ).id as string
  return { organization, reviewed: await create('Reviewed'), imported: await create('Imported') }
}
