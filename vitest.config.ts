import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    globalSetup: 'scripts/build.mjs',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What passes says nothing: the providers that tests start are talkative.
    silent: 'passed-only',
    pool: 'forks',
    maxWorkers: 2,
  },
})
