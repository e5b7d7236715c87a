/**
 * Write-ahead journal of an import into new spaces: the ids that these have or will have, and what was fetched. The same
 * command, run again after it was killed, creates nothing twice and fetches nothing again. The journal is a file of JSON
 * lines in the spool folder, whose files are removed after a day.
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
import type { CommandContext } from './command-context.js'

export interface ResumableImport {
  /** Journal of fetched websites. */
  readonly notes: JournalStore
  /** Returns the id of a resource that the import creates, by a name: the same one until the import ends. */
  idFor<Id extends string>(name: string, make: () => Id): Promise<Id>
  end(): Promise<void>
  /** Removes a journal without anything fetched or created: a refused import has nothing to resume. */
  removeIfEmpty(): Promise<void>
}

interface JournalLine {
  readonly beganAt?: number
  readonly thing?: string
  readonly id?: string
  readonly fetched?: FetchRow
}

/** Resumes an import of the same arguments from the last twenty hours, with a warning, or starts a new one. */
export async function openResumableImport(
  { database, services, report, now }: Pick<CommandContext, 'database' | 'services' | 'report' | 'now'>,
  organizationId: OrganizationId,
  parameters: object,
): Promise<ResumableImport> {
  const digest = createHash('sha256')
    .update(JSON.stringify([organizationId, parameters]))
    .digest('hex')
  const path = join(services.spoolFolder, `import-${digest}`)
  async function write(lines: readonly JournalLine[]): Promise<void> {
    // A line that a killed process wrote in part stays a line of its own.
    const text = lines.map((line) => `\n${JSON.stringify(line)}`).join('')
    await writeFile(path, text, { flag: 'a', mode: privateFileMode, flush: true })
  }
  const end = (): Promise<void> => rm(path, { force: true })

  await makePrivateFolder(services.spoolFolder)
  let journal = await readLines(path)
  const startedAt = journal.find(({ beganAt }) => beganAt !== undefined)?.beganAt
  const isResumable =
    startedAt !== undefined &&
    startedAt > now - resumeWindow &&
    (await areResumable(database.read, organizationId, journal))
  if (!isResumable) {
    if (journal.length > 0) await end()
    await write([{ beganAt: now }])
    journal = []
  } else {
    const begunAt = new Date(startedAt).toISOString()
    report.warn(
      `The same was begun at ${begunAt} and did not end: this goes on with it, and makes nothing twice.`,
      { kind: 'goes-on', begunAt },
    )
  }
  return {
    notes: {
      list: async () => journal.flatMap(({ fetched }) => fetched ?? []),
      write: (fetches) => write(fetches.map((fetched) => ({ fetched }))),
    },
    async idFor<Id extends string>(name: string, make: () => Id) {
      const find = (): string | undefined => journal.find((line) => line.thing === name)?.id
      if (find() === undefined) {
        await write([{ thing: name, id: make() }])
        // Another process may run the same command: the first line written counts for both.
        journal = await readLines(path)
      }
      return find() as Id
    },
    end,
    async removeIfEmpty() {
      const lines = await readLines(path)
      const holders = lines.map(({ id }) => id !== undefined && findInDirectory(database.read, id))
      const isEmpty = (await Promise.all(holders)).every((holder) => !holder)
      if (isEmpty && lines.every(({ fetched }) => fetched === undefined)) await end()
    },
  }
}

/** False when a user has deleted or moved a created space meanwhile: it is not created again. */
async function areResumable(
  db: Db,
  organizationId: OrganizationId,
  lines: readonly JournalLine[],
): Promise<boolean> {
  for (const { id } of lines) {
    const holder = id === undefined ? undefined : await findInDirectory(db, id)
    if (holder === undefined) continue
    if (holder !== organizationId) return false
    const space = await findSpace(db, organizationId, id as SpaceId)
    if (space !== undefined && space.deleted_at !== null) return false
  }
  return true
}

async function readLines(path: string): Promise<readonly JournalLine[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.split('\n').flatMap((line): JournalLine[] => {
    const value = parseJson(line)
    return isMapping(value) ? [value] : []
  })
}
