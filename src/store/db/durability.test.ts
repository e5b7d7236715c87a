import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { openDatabase } from './open.js'

/** Writes objects in a loop, each in its own transaction, and prints the name of each confirmed one. */
const writer = `
  import { openDatabase } from ${JSON.stringify(new URL('open.ts', import.meta.url).href)}
  const database = await openDatabase({ dataFolder: process.argv[1] })
  for (let number = 0; ; number += 1) {
    const hash = process.argv[2] + number
    await database.write((tx) =>
      tx.insertInto('objects').values({ organization_id: 'o', hash, bytes: Buffer.alloc(2000) }).execute())
    console.log(hash)
  }
`

it('retains every confirmed write when the writing processes are killed', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'octavo-killed-'))
  const acknowledged: string[] = []
  const processes = ['a', 'b'].map((name) => {
    const code = ['--import', 'tsx', '--input-type=module', '--eval', writer, dataFolder, name]
    const child = spawn(process.execPath, code, { stdio: ['ignore', 'pipe', 'inherit'] })
    createInterface({ input: child.stdout }).on('line', (line) => acknowledged.push(line))
    const closed = new Promise((resolve) => child.on('close', resolve))
    return { child, closed, wrote: () => acknowledged.some((hash) => hash.startsWith(name)) }
  })
  try {
    while (!processes.every(({ wrote }) => wrote()) || acknowledged.length < 200) {
      expect(processes.map(({ child }) => child.exitCode)).toEqual([null, null])
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  } finally {
    for (const { child } of processes) child.kill('SIGKILL')
    await Promise.all(processes.map(({ closed }) => closed))
  }
  const database = await openDatabase({ dataFolder })
  const rows = await database.read.selectFrom('objects').select('hash').execute()
  await database.close()
  await rm(dataFolder, { recursive: true })
  const stored = new Set<string>(rows.map(({ hash }) => hash))
  expect(acknowledged.filter((hash) => !stored.has(hash))).toEqual([])
})
