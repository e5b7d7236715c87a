import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildThread } from '../../../../tests/thread-program.js'
import type { Hash, OrganizationId } from '../../../core/ids.js'
import type { Database } from '../database.js'
import { openDatabase } from '../open.js'
import { connectSqlite } from './connection.js'

let programs: string
let writingThread: URL
beforeAll(async () => {
  ;({ program: writingThread, folder: programs } = await buildThread(join(import.meta.dirname, 'worker.ts')))
})
afterAll(() => rm(programs, { recursive: true }))

let dataFolder: string
let database: Database
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'octavo-threaded-'))
  database = await openDatabase({ dataFolder, writingThread })
})
afterEach(async () => {
  await database.close()
  await rm(dataFolder, { recursive: true })
})

const put = (hash: string, bytes: Uint8Array) =>
  database.write((tx) =>
    tx
      .insertInto('objects')
      .values({ organization_id: 'o' as OrganizationId, hash: hash as Hash, bytes, put_at: 0 })
      .returning('hash')
      .execute(),
  )
const read = () => database.read.selectFrom('objects').select(['hash', 'bytes']).orderBy('hash').execute()

test('rows that the worker writes are read in this thread, including bytes', async () => {
  const large = new Uint8Array(100_000).fill(7)
  expect(await put('a', large.subarray(5, 8))).toEqual([{ hash: 'a' }])
  await put('b', Buffer.from('bytes'))
  const rows = await read()
  expect(rows.map(({ hash, bytes }) => [hash, [...bytes]])).toEqual([
    ['a', [7, 7, 7]],
    ['b', [...Buffer.from('bytes')]],
  ])
  expect(large.byteLength).toBe(100_000)
})

test('an error of the engine rolls back the transaction, and the next one commits', async () => {
  await put('a', new Uint8Array(1))
  const twice = database.write(async (tx) => {
    await tx.updateTable('objects').set({ put_at: 9 }).execute()
    await sql`insert into objects select * from objects`.execute(tx)
  })
  await expect(twice).rejects.toThrow('UNIQUE constraint failed')
  await put('b', new Uint8Array(1))
  const rows = await database.read.selectFrom('objects').select(['hash', 'put_at']).execute()
  expect(rows.map(({ put_at }) => put_at)).toEqual([0, 0])
})

test('a running statement does not block this thread', async () => {
  let ticks = 0
  const counting = setInterval(() => (ticks += 1), 1)
  // In this thread it would block the event loop.
  const counted = await database.write((tx) =>
    sql<{ n: number }>`with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000000)
      select count(*) as n from n`.execute(tx),
  )
  clearInterval(counting)
  expect(counted.rows).toEqual([{ n: 2_000_000 }])
  expect(ticks).toBeGreaterThan(1)
})

test('a writer waits for another process, and readers do not wait', async () => {
  await put('a', new Uint8Array(1))
  const other = await connectSqlite(join(dataFolder, 'octavo.sqlite'), 'write')
  other.exec('begin immediate')
  const waiting = put('b', new Uint8Array(1))
  expect((await read()).map(({ hash }) => hash)).toEqual(['a'])
  other.exec('rollback')
  other.close()
  await waiting
  expect((await read()).map(({ hash }) => hash)).toEqual(['a', 'b'])
})

test('a transaction commits although this thread does nothing but read', async () => {
  const state = { isWritten: false }
  void put('a', new Uint8Array(1)).then(() => (state.isWritten = true))
  const asleep = new Int32Array(new SharedArrayBuffer(4))
  // Promises alone: the event loop receives no messages in between.
  for (let looks = 0; looks < 2_000 && !state.isWritten; looks += 1) {
    Atomics.wait(asleep, 0, 0, 5)
    await read()
  }
  expect(state.isWritten).toBe(true)
})
