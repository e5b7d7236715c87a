#!/usr/bin/env node
/** Builds what is stale in a checkout, then hands over to the program. */
const { buildIfStale } = await import('../scripts/build.mjs')
await buildIfStale()
const { main } = await import('../dist/server/main.js')
await main(process.argv)
