/** Verification after a restart: every acknowledged write is read back through the API, exported, found by search, and checked by the doctor. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { readZip } from '../../src/resources/imports/read-zip.js'
import { type ServerProcess, require2xx, root, token } from '../server-process.js'
import { type TestSpaces, archiveFile, archivePages, archivePath, archiveText, wordOf } from './clients.js'
import type { Entry, Ledger } from './ledger.js'

const lanes = 8
/** Milliseconds; a job that was running when the server died is retried after its lease, within half a minute. */
const searchPatience = 60_000

/** Answers what is lost, in words; empty when all is well. */
export async function verify(server: ServerProcess, places: TestSpaces, ledger: Ledger): Promise<string[]> {
  const losses: (string | undefined)[] = []
  const entries = [...ledger.entries.values()]
  await inLanes(entries, async (entry) => {
    if (entry.key === 'archive') losses.push(...(await verifyArchive(server, places, ledger, entry)))
    else losses.push(ledger.settle(entry, await findMarkdown(server, entry.path)))
  })
  losses.push(...(await verifyReviewedExport(server, places, ledger)))
  losses.push(...(await verifySearch(server, places, ledger)))
  return losses.filter((loss) => loss !== undefined)
}

async function findMarkdown(server: ServerProcess, place: string): Promise<string | undefined> {
  const answer = await server.request('GET', `${place}?format=markdown`)
  if (answer.status === 404) return undefined
  return (await require2xx(Promise.resolve(answer))).markdown
}

/** The export contains each page and the file of one archive: never a mix of two archives. */
async function verifyArchive(
  server: ServerProcess,
  { imported }: TestSpaces,
  ledger: Ledger,
  entry: Entry,
): Promise<(string | undefined)[]> {
  const files = await exportFiles(server, imported)
  const first = files.get(archivePath(0))?.toString()
  const generation = first && /^Came with \w+, (\S+)\.$/m.exec(first)?.[1]
  const loss = ledger.settle(entry, generation)
  if (loss !== undefined || generation === undefined) return [loss]
  const wrong = Array.from({ length: archivePages }, (_, page) => page).filter(
    (page) => files.get(archivePath(page))?.toString() !== archiveText(generation, page),
  )
  const mark = files.get('.gitbook/assets/mark.bin')
  return [
    wrong.length > 0 ? `pages ${wrong.join(', ')} are not those of the archive ${generation}` : undefined,
    mark?.equals(archiveFile(generation))
      ? undefined
      : `the file of the archive ${generation} is not its own`,
    files.size === archivePages + 1 ? undefined : `${files.size} files of ${archivePages + 1} are exported`,
  ]
}

async function verifyReviewedExport(
  server: ServerProcess,
  { reviewed }: TestSpaces,
  ledger: Ledger,
): Promise<string[]> {
  const merged = listMerged(ledger, reviewed)
  if (merged.length === 0) return []
  const texts = new Set([...(await exportFiles(server, reviewed)).values()].map((bytes) => bytes.toString()))
  return merged
    .filter(({ acknowledged }) => !texts.has(acknowledged!))
    .map(({ key }) => `${key} is not in the export of its space`)
}

/** The pages of the space itself, not of a change request. */
function listMerged({ entries }: Ledger, space: string): readonly Entry[] {
  return [...entries.values()].filter(({ path }) => path.startsWith(`/spaces/${space}/content/`))
}

async function exportFiles(server: ServerProcess, space: string): Promise<Map<string, Buffer>> {
  const answer = await fetch(`${server.url}/v1/spaces/${space}/content/archive`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (answer.status !== 200) throw new Error(`The export answered ${answer.status}: ${await answer.text()}`)
  const files = new Map<string, Buffer>()
  for await (const entry of readZip(new Uint8Array(await answer.arrayBuffer()))) {
    if ('open' in entry) files.set(entry.path, Buffer.from(await entry.open()))
  }
  return files
}

/** The index is updated in the background: each text is found by its unique word. */
async function verifySearch(
  server: ServerProcess,
  { reviewed, imported }: TestSpaces,
  ledger: Ledger,
): Promise<string[]> {
  const deadline = performance.now() + searchPatience
  const wanted = listMerged(ledger, reviewed).map(({ acknowledged }) => ({
    space: reviewed,
    word: /\bw[0-9a-f]{16}\b/.exec(acknowledged!)![0],
    count: 1,
  }))
  const generation = ledger.entries.get('archive')?.acknowledged
  if (generation !== undefined)
    wanted.push({ space: imported, word: wordOf(generation), count: archivePages })
  const losses: string[] = []
  await inLanes(wanted, async ({ space, word, count }) => {
    for (;;) {
      const found = await require2xx(server.request('GET', `/spaces/${space}/search?query=${word}&limit=1`))
      if (found.count === count) return
      if (performance.now() > deadline) {
        losses.push(`search finds ${word} in ${found.count} pages instead of ${count}`)
        return
      }
      await wait(50)
    }
  })
  return losses
}

/** What `octavo doctor` finds wrong with data that no server runs on. */
export async function examine(data: string, environment: NodeJS.ProcessEnv = {}): Promise<string[]> {
  try {
    const words = [join(root, 'bin/octavo.js'), '--data', data, 'doctor']
    await promisify(execFile)(process.execPath, words, { env: { ...process.env, ...environment } })
    return []
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    return [`octavo doctor: ${stdout ?? ''}${stderr ?? String(error)}`]
  }
}

async function inLanes<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}
