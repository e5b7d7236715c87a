import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { describeLayouts } from '../../../tests/engines.js'
import { removeExpired } from '../collect/expired.js'
import { attemptsInMemory } from './attempts.js'
import type { Database } from './database.js'
import { noLocks } from './lock-scope.js'

const allowance = { limit: 3, window: 60_000 }

afterEach(() => {
  vi.useRealTimers()
})

describeLayouts('attempts', (engine) => {
  let database: Database
  let other: Database
  beforeAll(async () => {
    database = await engine.open()
    other = await engine.openAgain()
  })

  test('are rejected beyond the limit until the window ends, which begins with the first', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
    const { attempts } = database
    const remaining = []
    for (const _ of [1, 2, 3]) remaining.push((await attempts.take('a', allowance)).remaining)
    expect(remaining).toEqual([2, 1, 0])
    vi.setSystemTime(1_800_000_020_000)
    expect(await attempts.take('a', allowance)).toEqual({ isWithin: false, remaining: 0, resetIn: 40_000 })
    vi.setSystemTime(1_800_000_059_999)
    expect(await attempts.take('a', allowance)).toEqual({ isWithin: false, remaining: 0, resetIn: 1 })
    vi.setSystemTime(1_800_000_060_001)
    expect(await attempts.take('a', allowance)).toEqual({ isWithin: true, remaining: 2, resetIn: 60_000 })
  })

  test('are counted by key, and reset', async () => {
    const { attempts } = database
    for (const _ of [1, 2, 3]) await attempts.take('b', allowance)
    expect((await attempts.take('c', allowance)).remaining).toBe(2)
    await attempts.forget('b')
    await attempts.forget('never counted')
    expect((await attempts.take('b', allowance)).remaining).toBe(2)
  })

  test('several together that exceed the limit are not counted', async () => {
    const { attempts } = database
    expect((await attempts.take('d', allowance, 2)).remaining).toBe(1)
    expect(await attempts.take('d', allowance, 2)).toMatchObject({ isWithin: false, remaining: 1 })
    expect(await attempts.take('d', allowance, 1)).toMatchObject({ isWithin: true, remaining: 0 })
  })

  test('run concurrently up to the limit, over all processes that count together', async () => {
    const many = (handle: Database) =>
      Array.from({ length: 20 }, () => handle.attempts.take('e', { limit: 10, window: 60_000 }))
    const counted = await Promise.all([...many(database), ...many(other)])
    const within = counted.filter(({ isWithin }) => isWithin).length
    // On SQLite each process counts for itself, in memory.
    expect(within).toBe(engine.engine === 'postgres' ? 10 : 20)
  })

  test('are counted outside of transactions, however many wait for each other', async () => {
    const work = Array.from({ length: 40 }, (_, at) =>
      database.writeWithLocks(noLocks, async (tx) => {
        await tx.selectFrom('users').select('id').execute()
        return database.attempts.take(`f ${at}`, allowance)
      }),
    )
    for (const { isWithin } of await Promise.all(work)) expect(isWithin).toBe(true)
  })

  test('are deleted when their window is over, and do not reveal who tried', async () => {
    await database.attempts.take('account ada@octavo.test', allowance)
    const rows = await database.read.selectFrom('attempts').selectAll().execute()
    expect(rows.length > 0).toBe(engine.engine === 'postgres')
    expect(JSON.stringify(rows)).not.toContain('ada@')
    const signal = new AbortController().signal
    const removed = await removeExpired(database, { now: 1_900_000_000_000, auditLife: 0, signal })
    expect(removed.get('attempts') ?? 0).toBe(rows.length)
  })
})

describe('attempts in memory', () => {
  test('stay within their bound by evicting the oldest', async () => {
    const attempts = attemptsInMemory(2)
    for (const key of ['a', 'b', 'a', 'c']) await attempts.take(key, allowance)
    expect((await attempts.take('a', allowance)).remaining).toBe(0)
    expect((await attempts.take('b', allowance)).remaining).toBe(2)
  })
})
