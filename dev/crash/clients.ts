/**
 * Writing clients that run until they are stopped or the server dies: change requests that are merged, change requests
 * that are left open, and archives that replace a whole space. Each records its writes and their acknowledgements in
 * the ledger. Other clients read acknowledged writes back, through any process.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { writeZip } from '../../src/resources/exports/write-zip.js'
import { type ServerProcess, require2xx } from '../server-process.js'
import type { Entry, Ledger } from './ledger.js'

export interface TestSpaces {
  readonly organization: string
  /** A space that is changed through change requests by several clients concurrently. */
  readonly reviewed: string
  /** A space that is replaced by one archive after the other. */
  readonly imported: string
}

export interface WriterContext {
  readonly server: ServerProcess
  readonly places: TestSpaces
  readonly ledger: Ledger
  /** Unique among all clients and rounds. */
  readonly name: string
  readonly random: () => number
  readonly over: AbortSignal
  /** True while the database is away on purpose: then an answer of 503 is as it should be. */
  readonly isFaultActive: () => boolean
}

/** Milliseconds before a client retries after a response that the database is unavailable. */
const pauseAfterRefusal = 50

/** Repeats the work until the round ends; work that is refused during a fault is abandoned. */
async function repeatUntilOver(
  { over, isFaultActive }: WriterContext,
  turn: (number: number) => Promise<void>,
): Promise<void> {
  for (let number = 0; !over.aborted; number += 1) {
    const wasTroubled = isFaultActive()
    try {
      await turn(number)
    } catch (error) {
      if (!(wasTroubled || isFaultActive()) || !(error as Error).message.startsWith('Answered 503'))
        throw error
      await wait(pauseAfterRefusal)
    }
  }
}

/** Pages of one archive: enough that a kill often falls into the middle. */
export const archivePages = 120

/** A word that is in one page alone. */
export function wordOf(...parts: readonly (string | number)[]): string {
  return `w${createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 16)}`
}

/** Inserts pages and changes earlier ones, each through a change request; some are left unmerged. */
export function writeChangeRequests(writer: WriterContext): Promise<void> {
  const { server, places, ledger, name, random } = writer
  const space = `/spaces/${places.reviewed}`
  let mine: Entry[] = []
  return repeatUntilOver(writer, async (turn) => {
    const text = `# Page of ${name} ${turn}\n\n${wordOf(name, turn)} written by ${name}.\n`
    const { id } = await require2xx(
      server.request('POST', `${space}/change-requests`, { subject: `${name} ${turn}` }),
    )
    const request = `${space}/change-requests/${id}`
    const changed = mine.length > 0 && random() < 0.4 ? mine[Math.floor(random() * mine.length)] : undefined
    const page = changed?.key
    const change =
      page === undefined
        ? { operation: 'insert_page', ref: 'page', slug: `${name}-${turn}`, document: { markdown: text } }
        : { operation: 'update_page', page, document: { markdown: text } }
    const answer = server.request('POST', `${request}/content?compat=false`, { changes: [change] })
    const written = (await require2xx(answer)).changes[0].page.id as string
    // The change request retains it, whether or not the merge succeeds.
    ledger.acknowledge(ledger.begin(`${written} in ${id}`, `${request}/content/page/${written}`, text))
    if (random() < 0.2) return
    const entry = ledger.begin(written, `${space}/content/page/${written}`, text)
    // Excluded until the merge is acknowledged: after an unknown outcome its text is unknown.
    mine = mine.filter((one) => one !== changed)
    const { result } = await require2xx(server.request('POST', `${request}/merge`))
    if (result !== 'merge')
      throw new Error(`The merge of a page that no other client changes answered ${result}`)
    ledger.acknowledge(entry)
    mine.push(entry)
  })
}

/** Replaces the content of a space repeatedly; every page names its archive. */
export function importArchives(writer: WriterContext): Promise<void> {
  const { server, places, ledger, name } = writer
  return repeatUntilOver(writer, async (turn) => {
    const generation = `${name}-${turn}`
    const zip = await archiveOf(generation)
    const entry = ledger.begin('archive', `/spaces/${places.imported}`, generation)
    await require2xx(server.request('POST', `/spaces/${places.imported}/content/archive?mode=replace`, zip))
    ledger.acknowledge(entry)
  })
}

/** Reads acknowledged pages of all clients, preferring recent ones; records each read, and lost writes. */
export function readBack(writer: WriterContext, note: (loss: string | undefined) => void): Promise<void> {
  const { server, ledger, random } = writer
  return repeatUntilOver(writer, async () => {
    const written = [...ledger.entries.values()].filter(
      ({ key, acknowledged }) => key !== 'archive' && acknowledged !== undefined,
    )
    if (written.length === 0) return void (await wait(pauseAfterRefusal))
    const entry = written[Math.floor(written.length * Math.max(random(), random(), random()))]!
    const before = { acknowledged: entry.acknowledged, pending: entry.pending }
    const answer = await server.request('GET', `${entry.path}?format=markdown`)
    const found = answer.status === 404 ? undefined : (await require2xx(Promise.resolve(answer))).markdown
    note(ledger.compare(entry, before, found))
  })
}

/** Returns the text of one page of an archive. */
export function archiveText(generation: string, page: number): string {
  return `# Page ${page}\n\nCame with ${wordOf(generation)}, ${generation}.\n\n${`Filling ${page}. `.repeat(60)}\n`
}

/** Returns the bytes of the one file of an archive. */
export function archiveFile(generation: string): Buffer {
  return Buffer.concat([Buffer.from([0, 1, 2, 3]), Buffer.from(generation.repeat(500))])
}

export function archivePath(page: number): string {
  return page === 0 ? 'README.md' : `folder-${page % 7}/page-${page}.md`
}

async function archiveOf(generation: string): Promise<Uint8Array> {
  const entries = Array.from({ length: archivePages }, (_, page) => ({
    path: archivePath(page),
    stream: () => Readable.from([Buffer.from(archiveText(generation, page))]),
  }))
  const file = { path: '.gitbook/assets/mark.bin', stream: () => Readable.from([archiveFile(generation)]) }
  const pieces: Uint8Array[] = []
  for await (const piece of writeZip(Readable.from([...entries, file]))) pieces.push(piece)
  return Buffer.concat(pieces)
}
