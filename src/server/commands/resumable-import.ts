/**
 * What a command keeps of its import into new spaces until it ends: the ids that these have or will have, and what was
 * fetched. So the same command, given again after it was killed, makes nothing twice and fetches nothing again. It is
 * a file of lines among those on their way, which are removed after a day.
 */
import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { isMapping } from '../../core/mapping.js'
import { parseJson } from '../../core/parse-json.js'
import { makePrivateFolder, privateFileMode } from '../../store/files/private-permissions.js'
import type { Db } from '../../store/db/database.js'
import { findInDirectory } from '../../store/db/directory.js'
import type { JournalStore } from '../../resources/imports/journal.js'
import { findSpace } from '../../resources/spaces/store.js'
import { type FetchRow, resumeWindow } from '../../resources/imports/store.js'
import type { Frame } from './command-context.js'

export interface BegunImport {
  /** Of websites. */
  readonly notes: JournalStore
  /** Answers the id for a thing that is made, by a name: the same one until the import ends. */
  idFor<Id extends string>(thing: string, make: () => Id): Promise<Id>
  end(): Promise<void>
  /** Ends it where nothing was fetched or made: what was refused has nothing to go on with. */
  endIfEmpty(): Promise<void>
}

interface Line {
  readonly beganAt?: number
  readonly thing?: string
  readonly id?: string
  readonly fetched?: FetchRow
}

/** Takes up what the same words began within twenty hours, which is told, or begins anew. */
export async function beginImport(
  { database, services, report, now }: Pick<Frame, 'database' | 'services' | 'report' | 'now'>,
  organizationId: OrganizationId,
  words: object,
): Promise<BegunImport> {
  const name = createHash('sha256')
    .update(JSON.stringify([organizationId, words]))
    .digest('hex')
  const path = join(services.spoolFolder, `import-${name}`)
  async function write(lines: readonly Line[]): Promise<void> {
    // What a killed process wrote half of the line before stays a line of its own.
    const text = lines.map((line) => `\n${JSON.stringify(line)}`).join('')
    await writeFile(path, text, { flag: 'a', mode: privateFileMode, flush: true })
  }
  const end = (): Promise<void> => rm(path, { force: true })

  await makePrivateFolder(services.spoolFolder)
  let kept = await readLines(path)
  const before = kept.find(({ beganAt }) => beganAt !== undefined)?.beganAt
  const isFit =
    before !== undefined && before > now - resumeWindow && (await areFit(database.read, organizationId, kept))
  if (!isFit) {
    if (kept.length > 0) await end()
    await write([{ beganAt: now }])
    kept = []
  } else {
    const begunAt = new Date(before).toISOString()
    report.warn(
      `The same was begun at ${begunAt} and did not end: this goes on with it, and makes nothing twice.`,
      { kind: 'goes-on', begunAt },
    )
  }
  return {
    notes: {
      list: async () => kept.flatMap(({ fetched }) => fetched ?? []),
      write: (fetches) => write(fetches.map((fetched) => ({ fetched }))),
    },
    async idFor<Id extends string>(thing: string, make: () => Id) {
      const find = (): string | undefined => kept.find((line) => line.thing === thing)?.id
      if (find() === undefined) {
        await write([{ thing, id: make() }])
        // Another process may give the same command: what was written first counts for both.
        kept = await readLines(path)
      }
      return find() as Id
    },
    end,
    async endIfEmpty() {
      const lines = await readLines(path)
      const holders = lines.map(({ id }) => id !== undefined && findInDirectory(database.read, id))
      const isEmpty = (await Promise.all(holders)).every((holder) => !holder)
      if (isEmpty && lines.every(({ fetched }) => fetched === undefined)) await end()
    },
  }
}

/** Nothing is made again that somebody has deleted or given away meanwhile. */
async function areFit(db: Db, organizationId: OrganizationId, lines: readonly Line[]): Promise<boolean> {
  for (const { id } of lines) {
    const holder = id === undefined ? undefined : await findInDirectory(db, id)
    if (holder === undefined) continue
    if (holder !== organizationId) return false
    const space = await findSpace(db, organizationId, id as SpaceId)
    if (space !== undefined && space.deleted_at !== null) return false
  }
  return true
}

async function readLines(path: string): Promise<readonly Line[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.split('\n').flatMap((line): Line[] => {
    const said = parseJson(line)
    return isMapping(said) ? [said] : []
  })
}
