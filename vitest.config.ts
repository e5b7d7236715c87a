import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/longest-first.js'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    globalSetup: 'scripts/build.mjs',
    // For what hangs, however busy the machine is; no test needs less than that.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    // What passes says nothing: the providers that tests start are talkative.
    silent: 'passed-only',
    pool: 'forks',
    // One more than the cores that the suite is timed on: a fifth of a test is waiting for children, disks and browsers.
    maxWorkers: 3,
    // Half of the time of a file would go into loading and warming what all of them use: each process loads it once.
    // So a test leaves the process as it found it: environment, working folder, clock, what it listens to.
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
})
