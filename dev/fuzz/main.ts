/**
 * `npm run fuzz`: fuzzes a server with requests generated from the contract, and reports invalid responses: failures,
 * statuses and shapes that the contract does not have, text of another organization, and those slower than a second.
 *
 * `--seconds` (60), `--requests`, `--seed`, `--postgres`. A request that failed is printed as it is; `--replay '{…}'`
 * sends it again, on fresh data, and prints the response.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request as send } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { routes } from '../../src/server/api/api.js'
import { openDatabase } from '../../src/store/db/open.js'
import { startPostgres } from '../postgres-process.js'
import { startServer } from '../server-process.js'
import { createSeededRandom } from './random.js'
import { type FuzzResponse, findFaults, longest } from './check-response.js'
import { type FuzzRequest, makeRequest } from './make-request.js'
import { type SendRequest, type FuzzWorld, makeWorld } from './world.js'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    requests: { type: 'string', default: '1000000000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    postgres: { type: 'boolean', default: false },
    replay: { type: 'string' },
  },
})
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const endpoints = routes.map(({ endpoint }) => endpoint)
const agent = new Agent({ keepAlive: true, maxSockets: 16 })
/** Requests until the data is created again: by then much of it is deleted. */
const worldAge = 3000
const lanes = 4

const data = await mkdtemp(join(tmpdir(), 'octavo-fuzz-'))
const postgres = values.postgres ? await startPostgres() : undefined
if (values.postgres && postgres === undefined) throw new Error('PostgreSQL is not installed')
const server = await startServer({
  data,
  environment: { OCTAVO_LOG_LEVEL: 'error', ...(postgres && { OCTAVO_DATABASE_URL: postgres.url }) },
})
const database = await openDatabase({ dataFolder: data, ...(postgres && { url: postgres.url }) })
const faults = new Map<string, number>()
let [sent, untimed, worst] = [0, 0, { milliseconds: 0, operationId: '' }]
const statuses = new Map<number, number>()

const ask: SendRequest = async (token, method, path, body) => {
  const answer = await fetch(`${server.url}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

/** Replaces names of resources by their ids. */
function replaceNames(text: string, { resourceIds }: FuzzWorld): string {
  return text.replace(/@([AB]\.\w+)/g, (whole, name: string) => resourceIds.get(name) ?? whole)
}

function answerTo(request: FuzzRequest, world: FuzzWorld): Promise<FuzzResponse> {
  const begun = performance.now()
  const token = world.tokens.get(request.actor)
  const body = request.body === undefined ? undefined : Buffer.from(replaceNames(request.body, world))
  return new Promise((resolve, reject) => {
    const clientRequest = send(
      `${server.url}/v1/`,
      {
        agent,
        method: request.method,
        path: `/v1${replaceNames(request.path, world)}`,
        timeout: 30_000,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(request.contentType && { 'content-type': request.contentType }),
          ...(body !== undefined && { 'content-length': body.length }),
        },
      },
      (answer) => {
        const pieces: Buffer[] = []
        answer.on('data', (piece: Buffer) => pieces.push(piece))
        answer.on('error', reject)
        answer.on('end', () => {
          const responseText = Buffer.concat(pieces).toString('latin1')
          const contentType = answer.headers['content-type'] ?? ''
          resolve({
            status: answer.statusCode!,
            contentType,
            body: Buffer.concat(pieces).toString(),
            text: JSON.stringify(answer.headers) + responseText,
            milliseconds: performance.now() - begun,
          })
        })
      },
    )
    clientRequest.on('timeout', () => clientRequest.destroy(new Error('Nothing came for 30 seconds')))
    clientRequest.on('error', reject)
    clientRequest.end(body)
  })
}

async function tryOne(request: FuzzRequest, world: FuzzWorld): Promise<void> {
  const endpoint = endpoints.find(({ operationId }) => operationId === request.operationId)!
  let answer: FuzzResponse
  try {
    answer = await answerTo(request, world)
    // Concurrent load does not count.
    for (let times = 0; times < 3 && answer.milliseconds > longest; times++) {
      const again = await answerTo(request, world)
      answer = { ...answer, milliseconds: Math.min(answer.milliseconds, again.milliseconds) }
    }
  } catch (error) {
    return reportFault(request, `is not answered: ${(error as Error).message}`)
  }
  sent++
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  if (answer.milliseconds > worst.milliseconds)
    worst = { milliseconds: answer.milliseconds, operationId: request.operationId }
  for (const fault of findFaults(endpoint, request, answer, world.mark)) reportFault(request, fault)
  if (answer.milliseconds > longest) {
    if (await isQuiet()) reportFault(request, `takes ${Math.round(answer.milliseconds)} ms`)
    else untimed++
  }
}

/** Where even a trivial request takes long, the machine is busy, and times mean nothing. */
async function isQuiet(): Promise<boolean> {
  const begun = performance.now()
  await (await fetch(`${server.url}/healthz`)).text()
  return performance.now() - begun < 30
}

/** The same fault of the same operation is reported once. */
function reportFault(request: FuzzRequest, fault: string): void {
  const kind = `${request.operationId} ${fault.replace(/\d+ ms/, '… ms')}`
  const before = faults.get(kind) ?? 0
  faults.set(kind, before + 1)
  if (before === 0) say(`${request.operationId} ${fault}\n  --replay '${JSON.stringify(request)}'`)
}

async function run(): Promise<void> {
  const until = performance.now() + Number(values.seconds) * 1000
  const isOver = (): boolean => performance.now() > until || sent >= Number(values.requests)
  for (let round = 0; !isOver(); round++) {
    const world = await makeWorld(database, ask)
    const end = sent + worldAge
    await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        const chance = createSeededRandom(Number(values.seed) * 1_000_003 + round * 101 + lane)
        while (!isOver() && sent < end) await tryOne(makeRequest(chance.pick(endpoints), chance), world)
      }),
    )
  }
}

try {
  if (values.replay === undefined) {
    say(`Seed ${values.seed}, ${postgres ? 'PostgreSQL' : 'SQLite'}, ${endpoints.length} operations`)
    await run()
    const statusCounts = [...statuses]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${count} × ${status}`)
    say(
      `${sent} requests: ${statusCounts.join(', ')}; the slowest took ${Math.round(worst.milliseconds)} ms (${worst.operationId})`,
    )
    if (untimed > 0) say(`${untimed} took over a second while the machine was busy with other things`)
    say(`${faults.size} kinds of faults`)
  } else {
    const request = JSON.parse(values.replay) as FuzzRequest
    const world = await makeWorld(database, ask)
    const answer = await answerTo(request, world)
    say(`${answer.status} in ${Math.round(answer.milliseconds)} ms\n${answer.body}`)
  }
} finally {
  agent.destroy()
  await database.close()
  await server.stop()
  await postgres?.remove()
  await rm(data, { recursive: true, force: true })
}
process.exitCode = faults.size === 0 ? 0 : 1
