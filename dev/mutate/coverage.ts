/**
 * Set up in every process that runs a test file: notes which spots ran, and ends a process that a change made endless.
 */
import { appendFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { afterAll, expect } from 'vitest'

const { OCTAVO_MUTATE_REACHED: into, OCTAVO_MUTATE_SECONDS: seconds } = process.env
const reached = new Set<string>()
Object.assign(globalThis, { reach: (spot: string) => reached.add(spot) })

// A thread of its own, because an endless loop leaves no turn to anybody else.
new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${Number(seconds) * 1000})`, {
  eval: true,
}).unref()

afterAll(() => {
  if (into)
    appendFileSync(into, `${JSON.stringify({ test: expect.getState().testPath, spots: [...reached] })}\n`)
})
