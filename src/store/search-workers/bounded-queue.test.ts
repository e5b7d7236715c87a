import { expect, test } from 'vitest'
import { QueueRejection, createBoundedQueue } from './bounded-queue.js'

const { signal } = new AbortController()

/** Work that ends when it is told to. */
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

test('a few are inside, the others come in the order in which they came, and no more may wait', async () => {
  const line = createBoundedQueue({ concurrency: 2, maxWaiting: 2 })
  const order: number[] = []
  const works = [0, 1, 2, 3].map(() => work())
  const entered = works.map(({ run }, at) => line.run(() => (order.push(at), run()), signal))
  expect([await reason(line.run(async () => {}, signal)), line.count()]).toEqual([
    'full',
    { inside: 2, waiting: 2 },
  ])
  expect(order).toEqual([0, 1])
  works[1]!.end()
  await entered[1]
  await Promise.resolve()
  expect([order, line.count()]).toEqual([[0, 1, 2], { inside: 2, waiting: 1 }])
  for (const { end } of works) end()
  await Promise.all(entered)
  expect([order, line.count()]).toEqual([[0, 1, 2, 3], { inside: 0, waiting: 0 }])
})

test('work that fails gives its turn on, and its error to whoever asked', async () => {
  const line = createBoundedQueue({ concurrency: 1, maxWaiting: 1 })
  const failing = line.run(() => Promise.reject(new Error('failed')), signal)
  const next = line.run(async () => 'done', signal)
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('done')
})

test('whoever leaves takes no turn, before they wait or while they do', async () => {
  const line = createBoundedQueue({ concurrency: 1, maxWaiting: 1 })
  const { end, run } = work()
  const first = line.run(run, signal)
  const leaving = new AbortController()
  let runs = 0
  const left = line.run(async () => (runs += 1), leaving.signal)
  leaving.abort()
  expect(await reason(left)).toBe('left')
  expect(line.count()).toEqual({ inside: 1, waiting: 0 })
  expect(await reason(line.run(async () => (runs += 1), AbortSignal.abort()))).toBe('left')
  // Whoever is inside stays to the end.
  end()
  await first
  expect([runs, line.count()]).toEqual([0, { inside: 0, waiting: 0 }])
})

test('a closed door sends away who waits, and waits for those inside', async () => {
  const line = createBoundedQueue({ concurrency: 1, maxWaiting: 5 })
  const { end, run } = work()
  const first = line.run(run, signal)
  const waiting = [1, 2].map(() => reason(line.run(async () => {}, signal)))
  let isClosed = false
  const closing = line.close().then(() => (isClosed = true))
  expect(await Promise.all(waiting)).toEqual(['closed', 'closed'])
  expect(await reason(line.run(async () => {}, signal))).toBe('closed')
  expect(isClosed).toBe(false)
  end()
  await Promise.all([first, closing])
  expect(isClosed).toBe(true)
})
