import { expect, it } from 'vitest'
import { sql } from 'kysely'
import { describeLayouts } from '../../../tests/engines.js'
import type { UserId } from '../../core/ids.js'
import { announce } from './transactions.js'
import type { Database, Db, Tx } from './database.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'

function insertUser(tx: Tx, id: string) {
  const row = { display_name: id, email: null, photo_url: null, password_hash: null }
  return tx
    .insertInto('users')
    .values({ ...row, id: id as UserId, created_at: 1_763_000_000_000, updated_at: 0 })
    .execute()
}

async function userIds(database: Database): Promise<string[]> {
  const rows = await database.read.selectFrom('users').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

function eventually(check: () => boolean): Promise<void> {
  return expect.poll(check, { interval: 5 }).toBe(true)
}

describeLayouts('a database', ({ engine, open, openAgain }) => {
  it('returns the result of a transaction, and makes it visible to readers', async () => {
    const database = await open()
    expect(await database.write(async (tx) => (await insertUser(tx, 'ann'), 'done'))).toBe('done')
    expect(await userIds(database)).toEqual(['ann'])
  })

  it('rolls back everything when the work throws', async () => {
    const database = await open()
    const failing = database.write(async (tx) => {
      await insertUser(tx, 'ann')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await userIds(database)).toEqual([])
    await database.write((tx) => insertUser(tx, 'bob'))
    expect(await userIds(database)).toEqual(['bob'])
  })

  it('reads one version in all statements of a snapshot, and the next one in the next', async () => {
    const database = await open()
    await database.write((tx) => insertUser(tx, 'ann'))
    const idsIn = (db: Db) => userIds({ ...database, read: db })
    const seen = await database.readSnapshot(async (db) => {
      const first = await idsIn(db)
      await database.write((tx) => insertUser(tx, 'bob'))
      return [first, await idsIn(db), await userIds(database)]
    })
    expect(seen).toEqual([['ann'], ['ann'], ['ann', 'bob']])
    expect(await database.readSnapshot(idsIn)).toEqual(['ann', 'bob'])
    const writing = database.readSnapshot((db) => insertUser(db as Tx, 'cyn'))
    await expect(writing).rejects.toThrow(/readonly|read-only/)
    expect(await database.readSnapshot(idsIn)).toEqual(['ann', 'bob'])
  })

  it('stores times as numbers, bytes as bytes and text unchanged', async () => {
    const database = await open()
    const bytes = Uint8Array.from([0, 255, 128, 10, 13])
    await database.write(async (tx) => {
      await insertUser(tx, 'ünï"\'; -- 😀')
      const row = { organization_id: 'o' as never, hash: 'h' as never, bytes }
      await tx.insertInto('objects').values(row).execute()
    })
    const user = await database.read.selectFrom('users').selectAll().executeTakeFirstOrThrow()
    expect(user.id).toBe('ünï"\'; -- 😀')
    expect(user.created_at).toBe(1_763_000_000_000)
    const object = await acrossTestOrganizations(database.read)
      .selectFrom('objects')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect([...object.bytes]).toEqual([...bytes])
    const { rows } = await sql<{ n: number }>`select count(*) as n from users`.execute(database.read)
    expect(rows[0]!.n).toBe(1)
  })

  it('sorts text byte by byte', async () => {
    const database = await open()
    await database.write(async (tx) => {
      for (const id of ['a', 'B', 'Zz', 'a0', 'é', '-']) await insertUser(tx, id)
    })
    expect(await userIds(database)).toEqual(['-', 'B', 'Zz', 'a', 'a0', 'é'])
  })

  it('lets many transactions count without losing one', async () => {
    const database = await open()
    const second = await openAgain()
    await database.write((tx) => insertUser(tx, 'ann'))
    const increment = (tx: Tx) =>
      tx
        .updateTable('users')
        .set((is) => ({ updated_at: is('updated_at', '+', 1) }))
        .execute()
    await Promise.all(Array.from({ length: 60 }, (_, at) => (at % 2 ? database : second).write(increment)))
    const user = await second.read.selectFrom('users').select('updated_at').executeTakeFirstOrThrow()
    expect(user.updated_at).toBe(60)
  })

  it('announces a topic once the transaction is committed, and never after a rollback', async () => {
    const database = await open()
    let heard = 0
    const stop = database.onAnnounced('jobs', () => (heard += 1))
    await database.write(async (tx) => {
      await insertUser(tx, 'ann')
      announce(tx, 'jobs')
      announce(tx, 'jobs')
      expect(heard).toBe(0)
    })
    expect(heard).toBe(1)
    const undone = database.write(async (tx) => {
      await insertUser(tx, 'bob')
      announce(tx, 'jobs')
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    await database.write((tx) => insertUser(tx, 'eve'))
    expect(heard).toBe(1)
    stop()
    await database.write(async (tx) => {
      await insertUser(tx, 'kim')
      announce(tx, 'jobs')
    })
    expect(heard).toBe(1)
  })

  it('rejects a write inside a write, and continues to work', async () => {
    const database = await open()
    const nested = database.write(() => database.write((tx) => insertUser(tx, 'ann')))
    await expect(nested).rejects.toThrow('A write inside a write')
    await database.write((tx) => insertUser(tx, 'bob'))
    expect(await userIds(database)).toEqual(['bob'])
  })

  it('accepts a write to another database inside a write, and none to the first inside of that', async () => {
    const [database, other] = [await open(), await open()]
    await database.write(() => other.write((tx) => insertUser(tx, 'ann')))
    expect(await userIds(other)).toEqual(['ann'])
    const nested = database.write(() => other.write(() => database.write((tx) => insertUser(tx, 'bob'))))
    await expect(nested).rejects.toThrow('A write inside a write')
    let later: Promise<unknown> | undefined
    await database.write(async () => {
      later = new Promise((resolve) => setTimeout(resolve, 5)).then(() =>
        database.write((tx) => insertUser(tx, 'kim')),
      )
    })
    await later
    expect(await userIds(database)).toEqual(['kim'])
  })

  it.runIf(engine === 'sqlite')('cannot be written to through the reading connection', async () => {
    const database = await open()
    await expect(insertUser(database.read as Tx, 'ann')).rejects.toThrow('readonly')
  })

  it.runIf(engine === 'postgres')('tells the other processes which topic was announced', async () => {
    const database = await open()
    const other = await openAgain()
    let heard = 0
    other.onAnnounced('jobs', () => (heard += 1))
    await database.write(async (tx) => {
      await insertUser(tx, 'ann')
      announce(tx, 'jobs')
    })
    await eventually(() => heard === 1)
  })
})
