import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildThread } from '../../../../tests/thread-program.js'
import type { Hash, OrganizationId } from '../../../core/ids.js'
import type { Database, Tx } from '../database.js'
import { noLocks } from '../lock-scope.js'
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

const insert = (hash: string, bytes: Uint8Array) => (tx: Tx) =>
  tx
    .insertInto('objects')
    .values({ organization_id: 'o' as OrganizationId, hash: hash as Hash, bytes, put_at: 0 })
    .returning('hash')
    .execute()
const put = (hash: string, bytes: Uint8Array) => database.write(insert(hash, bytes))
const putInBulk = (hash: string, bytes: Uint8Array) => database.writeInBulk(noLocks, insert(hash, bytes))
const read = () => database.read.selectFrom('objects').select(['hash', 'bytes']).orderBy('hash').execute()

test('rows that both connections write are read, including bytes', async () => {
  const large = new Uint8Array(100_000).fill(7)
  expect(await putInBulk('a', large.subarray(5, 8))).toEqual([{ hash: 'a' }])
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
  const counted = await database.writeInBulk(noLocks, (tx) =>
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
  void putInBulk('a', new Uint8Array(1)).then(() => (state.isWritten = true))
  const asleep = new Int32Array(new SharedArrayBuffer(4))
  // Promises alone: the event loop receives no messages in between.
  for (let looks = 0; looks < 2_000 && !state.isWritten; looks += 1) {
    Atomics.wait(asleep, 0, 0, 5)
    await read()
  }
  expect(state.isWritten).toBe(true)
})

test('writers of both connections take turns', async () => {
  let inside = 0
  const alone = (hash: string) => async (tx: Tx) => {
    inside += 1
    expect(inside).toBe(1)
    await insert(hash, new Uint8Array(1))(tx)
    await new Promise((resolve) => setImmediate(resolve))
    inside -= 1
  }
  await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((hash, index) =>
      index % 2 === 0 ? database.write(alone(hash)) : database.writeInBulk(noLocks, alone(hash)),
    ),
  )
  expect((await read()).map(({ hash }) => hash)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

test('the log is copied into the file while others write, and stays short', async () => {
  const bytes = new Uint8Array(200_000).fill(7)
  const log = async () => (await stat(join(dataFolder, 'octavo.sqlite-wal'))).size
  for (let number = 0; number < 400; number += 1) await put(`${number}`, bytes)
  // 80 MB were written.
  expect(await log()).toBeLessThan(40_000_000)
  expect((await read()).length).toBe(400)
})
