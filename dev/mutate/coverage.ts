/**
 * Setup of every test process: records which spots ran, and ends a process that a mutation made endless.
 */
import { appendFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { afterAll, expect } from 'vitest'

const { OCTAVO_MUTATE_REACHED: into, OCTAVO_MUTATE_SECONDS: seconds } = process.env
const covered = new Set<string>()
Object.assign(globalThis, { reach: (spot: string) => covered.add(spot) })

// A worker thread, because an endless loop blocks the event loop.
new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${Number(seconds) * 1000})`, {
  eval: true,
}).unref()

afterAll(() => {
  if (into)
    appendFileSync(into, `${JSON.stringify({ test: expect.getState().testPath, spots: [...covered] })}\n`)
})
