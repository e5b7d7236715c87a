#!/usr/bin/env node
/** Builds what is stale in a clone, then hands over to the program. */
import { existsSync, readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const needed = engines.node.replace('>=', '')
// Before anything is loaded that an old Node cannot read.
if (process.versions.node.localeCompare(needed, 'en', { numeric: true }) < 0)
  fail(`This needs Node.js ${needed} or newer, and runs on ${process.versions.node}.`)
// An installed package carries what was built, and no sources.
if (existsSync(new URL('../src', import.meta.url))) {
  const { buildIfStale } = await import('../scripts/build.mjs')
  await buildIfStale().catch((error) => fail(error.message))
}
const { main } = await import('../dist/server/main.js')
await main(process.argv)

function fail(message) {
  process.stderr.write(`octavo: ${message}\n`)
  process.exit(1)
}
