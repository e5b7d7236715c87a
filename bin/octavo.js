#!/usr/bin/env node
/** Builds what is stale in a checkout, then hands over to the program. */
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const needed = engines.node.replace('>=', '')
// Before anything is loaded that an old Node cannot read.
if (process.versions.node.localeCompare(needed, 'en', { numeric: true }) < 0) {
  process.stderr.write(
    `octavo: This needs Node.js ${needed} or newer, and runs on ${process.versions.node}.\n`,
  )
  process.exit(1)
}
const { buildIfStale } = await import('../scripts/build.mjs')
await buildIfStale()
const { main } = await import('../dist/server/main.js')
await main(process.argv)
