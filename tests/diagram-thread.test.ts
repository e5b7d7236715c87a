/** Worker thread that renders diagrams: the messages of its protocol with the worker pool. */
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { readyMessage } from '../src/store/reading/worker-pool.js'
import { buildThread } from './thread-program.js'

test('the deadline of the first diagram begins when the library is loaded, that of later ones immediately', async () => {
  const { program, folder } = await buildThread(join(import.meta.dirname, '../src/site/thread.ts'))
  const worker = new Worker(program)
  try {
    const next = async () => ((await once(worker, 'message')) as [unknown])[0]
    const diagram = { kind: 'diagram', text: 'graph TD\n A[One] --> B' }
    expect(await next()).toBe(readyMessage)
    worker.postMessage(diagram)
    expect(await next()).toBe(readyMessage)
    expect(await next()).toEqual({ markup: expect.stringContaining('>One</text>') })
    worker.postMessage(diagram)
    expect(await next()).toEqual({ markup: expect.stringContaining('>One</text>') })
  } finally {
    await worker.terminate()
    await rm(folder, { recursive: true })
  }
})
