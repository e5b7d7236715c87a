/**
 * Disk faults: a disk that fills up during writes, and flipped bytes. Each starts a server on separate data and returns
 * the failures as sentences.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hashOf } from '../../src/store/content/encoding.js'
import { openDatabase } from '../../src/store/db/open.js'
import type { PostgresProcess } from '../postgres-process.js'
import { type ServerProcess, require2xx, startServer } from '../server-process.js'
import { examine } from './verify.js'

const run = promisify(execFile)
/** Bytes of one text, as hexadecimal of what cannot be packed. */
const textBytes = 400_000
const mostTexts = 200

async function makeSpace(server: ServerProcess): Promise<string> {
  const { items } = await require2xx(server.request('GET', '/orgs'))
  const body = { title: 'Scene', empty: true, editMode: 'live' }
  return (await require2xx(server.request('POST', `/orgs/${items[0].id}/spaces`, body))).id
}

function insert(server: ServerProcess, space: string, slug: string, markdown: string) {
  const changes = [{ operation: 'insert_page', slug, document: { markdown } }]
  return server.request('POST', `/spaces/${space}/content`, { changes })
}

function read(server: ServerProcess, space: string, slug: string) {
  return server.request('GET', `/spaces/${space}/content/path/${slug}?format=markdown`)
}

/** Fills a small disk until writes are refused, frees space, and continues; undefined where no disk can be mounted. */
export async function fillDisk(report: (line: string) => void): Promise<string[] | undefined> {
  const data = await mkdtemp(join(tmpdir(), 'octavo-full-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', data])
  } catch {
    return undefined
  }
  const losses: string[] = []
  let server: ServerProcess | undefined
  try {
    server = await startServer({ data })
    const space = await makeSpace(server)
    const acknowledged = new Map<string, string>()
    const refusals = new Map<number, number>()
    for (let number = 0; number < mostTexts && (refusals.get(507) ?? 0) < 5; number += 1) {
      const text = `# Page ${number}\n\n${randomBytes(textBytes / 2).toString('hex')}\n`
      const { status } = await insert(server, space, `page-${number}`, text)
      if (status < 300) acknowledged.set(`page-${number}`, text)
      else refusals.set(status, (refusals.get(status) ?? 0) + 1)
    }
    if (!refusals.has(507)) losses.push('a full disk was never answered with 507')
    for (const status of refusals.keys())
      if (status !== 507) losses.push(`a full disk was answered with ${status}`)
    const check = async (when: string) => {
      for (const [slug, text] of acknowledged) {
        const { status, body } = await read(server!, space, slug)
        if (status !== 200 || body.markdown !== text)
          losses.push(`${slug} is lost ${when}: answered ${status}`)
      }
    }
    await check('while the disk is full')
    await run('mount', ['-o', 'remount,size=256m', data])
    const text = '# There is room again\n'
    if ((await insert(server, space, 'room', text)).status !== 200)
      losses.push('nothing is written though there is room')
    else acknowledged.set('room', text)
    await server.kill()
    server = await startServer({ data })
    await check('after the disk was full')
    await server.stop()
    losses.push(...(await examine(data)))
    report(
      `full disk: ${acknowledged.size} writes acknowledged, ${refusals.get(507) ?? 0} refused, ${losses.length} lost`,
    )
    return losses
  } finally {
    await server?.kill()
    await run('umount', [data])
    await rm(data, { recursive: true, force: true })
  }
}

/** Changes one byte of some texts while no server runs: reads and the doctor must report those, and no others. */
export async function flipBytes(
  report: (line: string) => void,
  postgres?: PostgresProcess,
): Promise<string[]> {
  const data = await mkdtemp(join(tmpdir(), 'octavo-flipped-'))
  const environment = postgres && { OCTAVO_DATABASE_URL: postgres.url }
  const start = () => startServer({ data, ...(environment && { environment }) })
  const losses: string[] = []
  let server = await start()
  try {
    const space = await makeSpace(server)
    const texts = Array.from({ length: 8 }, (_, number) => `# Page ${number} of ${space}\n\nIts bytes.\n`)
    for (const [number, text] of texts.entries())
      await require2xx(insert(server, space, `page-${number}`, text))
    await server.stop()
    const database = await openDatabase({ dataFolder: data, url: postgres?.url })
    for (const text of texts.filter((_, number) => number % 2 === 0)) {
      const bytes = Buffer.from(text)
      bytes[Math.floor(Math.random() * bytes.length)]! ^= 1 << Math.floor(Math.random() * 8)
      const hash = hashOf(Buffer.from(text))
      await database.write((tx) =>
        tx.updateTable('objects').set({ bytes }).where('hash', '=', hash).execute(),
      )
    }
    await database.close()
    const found = (await examine(data, environment)).join('\n')
    server = await start()
    for (const [number, text] of texts.entries()) {
      const { status, body } = await read(server, space, `page-${number}`)
      const isHit = number % 2 === 0
      if (isHit && status !== 503) losses.push(`a damaged page was answered with ${status}`)
      if (!isHit && body.markdown !== text) losses.push(`a whole page was answered with ${status}`)
      if (found.includes(`"page-${number}"`) !== isHit)
        losses.push(`the doctor is wrong about page ${number}: ${found}`)
    }
    await server.stop()
    report(`flipped bytes: 4 of ${texts.length} pages, ${losses.length} passed unseen or hit others`)
    return losses
  } finally {
    await server.kill()
    await rm(data, { recursive: true, force: true })
  }
}
