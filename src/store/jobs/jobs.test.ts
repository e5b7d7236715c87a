import { beforeEach, expect, it } from 'vitest'
import { describeLayouts } from '../../../tests/engines.js'
import type { Json } from '../../core/merkle/types.js'
import type { Database, Tx } from '../db/database.js'
import { claimJob, completeJob, enqueue, extendLease, failJob, findNextDue } from './outbox.js'
import type { ClaimedJob, NewJob } from './outbox.js'
import { collectObjectsJob } from '../collect/gc-triggers.js'
import { listDeadJobs } from '../content/verify.js'
import { drainJobs } from './testing.js'
import { startWorker } from './worker.js'
import type { WorkerOptions } from './worker.js'

const types = ['index', 'mail'] as const

declare module './payloads.js' {
  interface JobPayloads {
    index: Json
    mail: Json
    other: Json
  }
}

describeLayouts('jobs', ({ open, openAgain }) => {
  let database: Database

  beforeEach(async () => {
    database ??= await open()
    await database.write((tx) => tx.deleteFrom('jobs').execute())
  })

  const put = (job: Partial<NewJob<'index' | 'mail' | 'other'>> = {}) =>
    database.write((tx) =>
      enqueue(tx, { organizationId: null, type: 'index', payload: null, at: 100, ...job }),
    )
  const claim = (now: number, lease = 50) => database.write((tx) => claimJob(tx, { types, now, lease }))
  const rows = () => database.read.selectFrom('jobs').selectAll().orderBy('created_at').execute()
  const waitUntil = (check: () => boolean) => expect.poll(check, { interval: 5 }).toBe(true)

  function options(more: Partial<WorkerOptions>): WorkerOptions {
    const { signal } = new AbortController()
    const report = () => {}
    return { database, handlers: {}, now: () => 100, random: () => 1, report, signal, ...more }
  }

  it('have the payload of their type, or do not compile', async () => {
    const job = { organizationId: null, at: 1 }
    const wrong = (tx: Tx) =>
      // @ts-expect-error the payload of another type
      enqueue(tx, { ...job, type: collectObjectsJob, payload: { spaceId: 'space' } })
    // @ts-expect-error an unknown type
    const unknown = (tx: Tx) => enqueue(tx, { ...job, type: 'nonsense', payload: {} })
    expect([wrong, unknown]).toHaveLength(2)
  })

  it('are claimed once they are due, in the order in which they were enqueued, each once', async () => {
    await put({ payload: 'later', runAt: 120 })
    await put({ payload: 'at once' })
    await put({ payload: 'then' })
    await put({ payload: 'of another type', type: 'other' })
    const first = await claim(119)
    expect([first!.payload, first!.attempt]).toEqual(['at once', 1])
    expect((await claim(120))!.payload).toBe('later')
    expect((await claim(120))!.payload).toBe('then')
    expect(await claim(120)).toBeUndefined()
  })

  it('keep their order when the clock goes back, and are not delayed', async () => {
    for (const at of [5_000, 90, 40, 60]) await put({ payload: at, at })
    expect(await findNextDue(database.read, types, 30)).toBe(0)
    const payloads: Json[] = []
    for (let job = await claim(30, 10_000); job !== undefined; job = await claim(30, 10_000))
      payloads.push(job.payload)
    expect(payloads).toEqual([5_000, 90, 40, 60])
  })

  it('are never claimed twice by concurrent workers', async () => {
    const other = await openAgain()
    for (let at = 0; at < 20; at += 1) await put({ payload: at })
    const claimed = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        (at % 2 ? database : other).write((tx) => claimJob(tx, { types, now: 200, lease: 50 })),
      ),
    )
    const numbers = claimed.flatMap((job) => (job ? [job.payload as number] : []))
    expect(numbers.length).toBe(new Set(numbers).size)
    while (numbers.length < 20) numbers.push((await claim(200))!.payload as number)
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at))
  })

  it('are rolled back with the transaction that wrote them', async () => {
    const undone = database.write(async (tx) => {
      await enqueue(tx, { organizationId: null, type: 'index', payload: null, at: 1 })
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect(await rows()).toEqual([])
  })

  it('of one type and key are one until a worker claims it', async () => {
    await put({ key: 'space', payload: 1, runAt: 150 })
    await put({ key: 'space', payload: 2, runAt: 300 })
    await put({ key: 'space', payload: 3, type: 'mail' })
    await put({ key: 'other', payload: 4 })
    await put({ payload: 5 })
    await put({ payload: 6 })
    expect(await rows()).toHaveLength(5)
    expect((await rows()).filter(({ key, type }) => key === 'space' && type === 'index')).toMatchObject([
      { payload: '2', due_at: 150 },
    ])
  })

  it('enqueued again while the old one is running run again, and both may fail', async () => {
    await put({ key: 'space', payload: 'old' })
    const old = await claim(100)
    await put({ key: 'space', payload: 'new' })
    await database.write((tx) => failJob(tx, old!, { error: 'no', retryAt: 100 }))
    const both: Json[] = []
    for (let job = await claim(100); job !== undefined; job = await claim(100)) {
      both.push(job.payload)
      await database.write((tx) => completeJob(tx, job!))
    }
    expect(both.toSorted()).toEqual(['new', 'old'])
  })

  it('of one type and key never run concurrently, and do not block others', async () => {
    await put({ key: 'space', payload: 'first' })
    const first = await claim(100, 50)
    await put({ key: 'space', payload: 'second' })
    await put({ key: 'other', payload: 'other', runAt: 110 })
    expect((await claim(120))!.payload).toBe('other')
    expect(await claim(120)).toBeUndefined()
    // The next due time does not include jobs that cannot be claimed yet.
    expect(await findNextDue(database.read, types, 120)).toBe(150)
    await database.write((tx) => completeJob(tx, first!))
    expect(await findNextDue(database.read, types, 120)).toBe(0)
    expect((await claim(120))!.payload).toBe('second')
  })

  it('whose lease expired go to another worker, and the first cannot change them any more', async () => {
    await put()
    const first = await claim(100, 50)
    expect(await claim(149)).toBeUndefined()
    expect(await database.write((tx) => extendLease(tx, first!, 170))).toBe(true)
    expect(await claim(169)).toBeUndefined()
    const second = await claim(170)
    expect([second!.id, second!.attempt, second!.kills]).toEqual([first!.id, 1, 1])
    await database.write(async (tx) => {
      expect(await extendLease(tx, first!, 900)).toBe(false)
      await completeJob(tx, first!)
      await failJob(tx, first!, { error: 'late', retryAt: 0 })
    })
    expect(await rows()).toMatchObject([{ claim: second!.claim, error: null }])
    await database.write((tx) => completeJob(tx, second!))
    expect(await rows()).toEqual([])
  })

  it('are drained with their payloads, including those that jobs enqueue', async () => {
    const seen: Json[] = []
    const handlers = {
      index: async (payload: Json) => {
        seen.push(payload)
        if (payload === 'a') await put({ type: 'mail', payload: { to: 'b' } })
      },
      mail: async (payload: Json) => void seen.push(payload),
    }
    await put({ payload: 'a' })
    expect(await drainJobs(options({ handlers }))).toBe(2)
    expect(seen).toEqual(['a', { to: 'b' }])
    expect(await rows()).toEqual([])
  })

  it('that fail are retried with backoff, then given up with their error', async () => {
    let now = 100
    const reported: (boolean | undefined)[] = []
    const failing = options({
      handlers: { index: () => Promise.reject(new Error(`broken at ${now}`)) },
      now: () => now,
      maxAttempts: 3,
      report: (_error, _job, isGivenUp) => reported.push(isGivenUp),
    })
    await put()
    const dues: (number | null)[] = []
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await drainJobs(failing)).toBe(1)
      expect(await drainJobs(failing)).toBe(0)
      const [row] = await rows()
      dues.push(row!.due_at)
      now = row!.due_at ?? now
    }
    expect(dues).toEqual([1_100, 3_100, null])
    expect(reported).toEqual([false, false, true])
    expect((await rows())[0]!.error).toContain('broken at 3100')
    now = 1e9
    expect(await drainJobs(failing)).toBe(0)
  })

  it('that kill the process each time are given up as well, and reported', async () => {
    await put({ payload: 'the one' })
    for (const now of [100, 200, 300]) await claim(now, 10)
    const noted: Json[] = []
    const onGiveUp = { index: async (payload: Json) => void noted.push(payload) }
    const handlers = { index: async () => {} }
    const survived = options({ handlers, onGiveUp, now: () => 400, maxKills: 3 })
    await drainJobs(survived)
    expect(await rows()).toMatchObject([{ due_at: null, attempts: 4 }])
    expect((await rows())[0]!.error).toContain('The process ended 3 times before the job did')
    expect(noted).toEqual(['the one'])
  })

  it('lose no attempt by kills of their process, but are tried later and later', async () => {
    await put({ payload: 'long' })
    let now = 100
    let seen: ClaimedJob | undefined
    const killed = async () => {
      const controller = new AbortController()
      // A killed process writes nothing any more: its database is gone.
      const handlers = {
        index: async (_payload: Json, { job }: { job: ClaimedJob }) => {
          seen = job
          throw new Error('killed')
        },
      }
      let writes = 0
      const dying: Database = {
        ...database,
        writeWithLocks: (locks, work) =>
          (writes += 1) === 1 ? database.writeWithLocks(locks, work) : Promise.reject(new Error('killed')),
      }
      const worker = options({
        database: dying,
        handlers,
        signal: controller.signal,
        now: () => now,
        maxAttempts: 3,
      })
      await expect(drainJobs({ ...worker, leaseMs: 10 })).rejects.toThrow('killed')
      const [row] = await rows()
      const wait = row!.due_at! - now
      now = row!.due_at!
      return [seen!.attempt, seen!.kills, wait]
    }
    const kills: number[][] = []
    for (let kill = 0; kill < 9; kill += 1) kills.push(await killed())
    expect(kills).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 1280].map((wait, at) => [1, at, wait]))
    // Its own failures count as before.
    const failing = { handlers: { index: () => Promise.reject(new Error('broken')) }, maxAttempts: 3 }
    for (const later of [1e6, 2e6, 3e6]) await drainJobs(options({ ...failing, now: () => later }))
    expect(await rows()).toMatchObject([
      { due_at: null, failures: 3, error: expect.stringContaining('broken') },
    ])
  })

  it('remove the dead ones of their type and key when they are done', async () => {
    const fail = async (key: string | undefined, type: 'index' | 'mail' = 'index') => {
      await put({ type, ...(key !== undefined && { key }) })
      const job = await claim(100)
      await database.write((tx) => failJob(tx, job!, { error: 'no', retryAt: null }))
    }
    for (const key of ['space', 'space', 'other', undefined]) await fail(key)
    await fail('space', 'mail')
    const dead = async () => (await listDeadJobs(database.read)).map(({ type, key }) => `${type} ${key}`)
    expect((await dead()).toSorted()).toEqual(['index null', 'index other', 'index space', 'mail space'])
    await put({ key: 'space' })
    expect((await dead()).toSorted()).toEqual(['index null', 'index other', 'mail space'])
    await drainJobs(options({ handlers: { index: async () => {} } }))
    expect((await rows()).map(({ type, key }) => `${type} ${key}`).toSorted()).toEqual([
      'index null',
      'index other',
      'mail space',
    ])
  })

  it('that are released because the worker stops lose no attempt, and are due immediately', async () => {
    await put({ key: 'space', payload: 'long' })
    const stop = async () => {
      const controller = new AbortController()
      const seen: number[] = []
      const handlers = {
        index: async (_payload: Json, { job, signal }: { job: ClaimedJob; signal: AbortSignal }) => {
          seen.push(job.attempt)
          controller.abort(new Error('The process stops'))
          signal.throwIfAborted()
        },
      }
      await drainJobs(options({ handlers, signal: controller.signal, maxAttempts: 3 }))
      return seen
    }
    for (let deploy = 0; deploy < 5; deploy += 1) expect(await stop()).toEqual([1])
    expect(await rows()).toMatchObject([{ claim: null, due_at: 100, error: null }])
    // It was claimed, so the job enqueued now is another one.
    await put({ key: 'space', payload: 'new' })
    expect(await rows()).toHaveLength(2)
    await database.write((tx) => tx.deleteFrom('jobs').where('attempts', '=', 0).execute())

    // Real failures still count, before and after.
    const failing = { handlers: { index: () => Promise.reject(new Error('broken')) }, maxAttempts: 3 }
    await drainJobs(options({ ...failing, now: () => 200 }))
    await stop()
    await drainJobs(options({ ...failing, now: () => 1e6 }))
    expect(await rows()).toMatchObject([{ due_at: expect.any(Number) }])
    await drainJobs(options({ ...failing, now: () => 1e9 }))
    expect(await rows()).toMatchObject([{ due_at: null, error: expect.stringContaining('broken') }])
  })

  it('wake the worker immediately; it stops on abort, and leaves the rest', async () => {
    const controller = new AbortController()
    const seen: Json[] = []
    const worker = startWorker(
      options({
        handlers: { index: async (payload) => void seen.push(payload) },
        signal: controller.signal,
        pollMs: 60_000,
      }),
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    await put({ payload: 1 })
    await waitUntil(() => seen.length === 1)
    await put({ payload: 2 })
    await waitUntil(() => seen.length === 2)
    controller.abort()
    await worker
    await put({ payload: 3 })
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(seen).toEqual([1, 2])
    expect(await rows()).toHaveLength(1)
  })

  it('of another process are found as well', async () => {
    const controller = new AbortController()
    const other = await openAgain()
    const seen: Json[] = []
    const handlers = { index: async (payload: Json) => void seen.push(payload) }
    const worker = startWorker(options({ handlers, signal: controller.signal, pollMs: 20 }))
    await other.write((tx) => enqueue(tx, { organizationId: null, type: 'index', payload: 'theirs', at: 1 }))
    await waitUntil(() => seen.length === 1)
    controller.abort()
    await worker
  })

  it('that take longer than their lease keep it while the worker runs', async () => {
    const controller = new AbortController()
    let calls = 0
    let finish = () => {}
    const handlers = {
      index: () => {
        calls += 1
        return new Promise<void>((resolve) => (finish = resolve))
      },
    }
    const { signal } = controller
    let clock = 100
    const live = { handlers, signal, now: () => clock, leaseMs: 60, pollMs: 10, concurrency: 2 }
    const worker = startWorker(options(live))
    await put()
    await waitUntil(() => calls === 1)
    for (let renewals = 0; renewals < 4; renewals += 1) {
      clock += 50
      while ((await rows())[0]!.due_at !== clock + 60) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(calls).toBe(1)
    finish()
    controller.abort()
    await worker
    expect(await rows()).toEqual([])
  })
})
