import { expect, test } from 'vitest'
import { QueueRejection, createBoundedQueue } from './bounded-queue.js'

const { signal } = new AbortController()

/** A task that ends when it is told to. */
function work() {
  let end = () => {}
  const done = new Promise<void>((resolve) => (end = resolve))
  return { end, run: () => done }
}

const reason = (entered: Promise<unknown>) =>
  entered.then(
    () => 'let in',
    (error: unknown) => (error instanceof QueueRejection ? error.reason : error),
  )

test('a few run, the others follow in FIFO order, and further ones are rejected', async () => {
  const queue = createBoundedQueue({ concurrency: 2, maxWaiting: 2 })
  const order: number[] = []
  const works = [0, 1, 2, 3].map(() => work())
  const entered = works.map(({ run }, at) => queue.run(() => (order.push(at), run()), signal))
  expect([await reason(queue.run(async () => {}, signal)), queue.count()]).toEqual([
    'full',
    { running: 2, waiting: 2 },
  ])
  expect(order).toEqual([0, 1])
  works[1]!.end()
  await entered[1]
  await Promise.resolve()
  expect([order, queue.count()]).toEqual([[0, 1, 2], { running: 2, waiting: 1 }])
  for (const { end } of works) end()
  await Promise.all(entered)
  expect([order, queue.count()]).toEqual([[0, 1, 2, 3], { running: 0, waiting: 0 }])
})

test('a failing task releases its slot and rejects with its error', async () => {
  const queue = createBoundedQueue({ concurrency: 1, maxWaiting: 1 })
  const failing = queue.run(() => Promise.reject(new Error('failed')), signal)
  const next = queue.run(async () => 'done', signal)
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('done')
})

test('an aborted task does not run, before it waits or while it does', async () => {
  const queue = createBoundedQueue({ concurrency: 1, maxWaiting: 1 })
  const { end, run } = work()
  const first = queue.run(run, signal)
  const leaving = new AbortController()
  let runs = 0
  const left = queue.run(async () => (runs += 1), leaving.signal)
  leaving.abort()
  expect(await reason(left)).toBe('left')
  expect(queue.count()).toEqual({ running: 1, waiting: 0 })
  expect(await reason(queue.run(async () => (runs += 1), AbortSignal.abort()))).toBe('left')
  // A running task is not aborted.
  end()
  await first
  expect([runs, queue.count()]).toEqual([0, { running: 0, waiting: 0 }])
})

test('a closed queue rejects waiting tasks, and waits for the running ones', async () => {
  const queue = createBoundedQueue({ concurrency: 1, maxWaiting: 5 })
  const { end, run } = work()
  const first = queue.run(run, signal)
  const waiting = [1, 2].map(() => reason(queue.run(async () => {}, signal)))
  let isClosed = false
  const closing = queue.close().then(() => (isClosed = true))
  expect(await Promise.all(waiting)).toEqual(['closed', 'closed'])
  expect(await reason(queue.run(async () => {}, signal))).toBe('closed')
  expect(isClosed).toBe(false)
  end()
  await Promise.all([first, closing])
  expect(isClosed).toBe(true)
})
