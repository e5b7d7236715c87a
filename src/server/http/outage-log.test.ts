/** What the log says of errors that are no bugs: a lost database, a full disk. */
import { afterEach, expect, test } from 'vitest'
import { DatabaseUnavailable, StorageFull } from '../../store/db/unavailable.js'
import { createHttpServer } from './create-server.js'
import { createOutageLog } from './outage-log.js'

let isAvailable = true
let failure: Error | undefined
const lines: Record<string, unknown>[] = []
function createServer() {
  const server = createHttpServer({
    logLevel: 'warn',
    log: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    outages: createOutageLog(async () => isAvailable, { interval: 1, diskInterval: 100 }),
  })
  server.get('/', () => {
    if (failure !== undefined) throw failure
    return {}
  })
  return server
}
const server = createServer()
const statusOf = async (one = server) => (await one.inject({ url: '/' })).statusCode

afterEach(() => {
  failure = undefined
  lines.length = 0
})

test('a lost database is one line, and one with the number of refused requests afterwards', async () => {
  for (const requests of [20, 3]) {
    isAvailable = false
    failure = new DatabaseUnavailable(new Error('connect ECONNREFUSED'))
    for (let count = 0; count < requests; count++) expect(await statusOf()).toBe(503)
    expect(lines).toMatchObject([
      { msg: 'database unavailable', reason: 'The database cannot be asked: connect ECONNREFUSED' },
    ])
    isAvailable = true
    failure = undefined
    await expect
      .poll(() => lines.slice(1))
      .toMatchObject([{ msg: 'database available again', refusedRequests: requests }])
    expect(await statusOf()).toBe(200)
    lines.length = 0
  }
})

test.each([
  [new StorageFull(new Error('database or disk is full')), /no room left for the database/],
  [
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
    /no room left on the disk/,
  ],
])('a full disk is a sentence: %s', async (error, sentence) => {
  failure = error
  const full = createServer()
  for (let count = 0; count < 4; count += 1) expect(await statusOf(full)).toBe(507)
  const reason = expect.stringMatching(sentence)
  // The others are counted.
  await expect
    .poll(() => lines)
    .toMatchObject([
      { msg: 'disk full', reason },
      { msg: 'disk full', reason, refusedRequests: 3 },
    ])
  expect(JSON.stringify(lines)).not.toContain('outage-log.test')
})

test('any other error has its stack', async () => {
  failure = new Error('a bug')
  expect(await statusOf()).toBe(500)
  expect(JSON.stringify(lines)).toContain('outage-log.test')
})
