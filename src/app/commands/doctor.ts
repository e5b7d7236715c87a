/** `octavo doctor`: is everything there that the data names, and what to do when it is not. */
import type { Command } from 'commander'
import type { Hash } from '../../core/ids.js'
import { range } from '../../core/merkle/map.js'
import { together } from '../../core/merkle/steps.js'
import type { FileRecord, NameEntry, PageRecord } from '../../core/pages/types.js'
import { findContent } from '../../resources/spaces/content/content.js'
import { createObjectCache } from '../../store/content/objects.js'
import {
  type Head,
  findMissingObjects,
  listBlobs,
  listDeadJobs,
  listHeads,
} from '../../store/content/verify.js'
import { checkDatabase } from '../../store/db/copy.js'
import { CommandError, type Frame, withData } from './frame.js'

const restore = 'Restore the newest backup: octavo restore <backup>.'

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('Check that everything is there that the data names; exits with 1 when something is not')
    .action((_flags: object, command: Command) => withData(command, runDoctor))
}

async function runDoctor(frame: Frame): Promise<void> {
  const { settings, database, services, report } = frame
  let problems = 0
  const complain = (problem: string, advice: string): void => {
    problems += 1
    report.warn(`${problem} ${advice}`, { problem, advice })
  }
  // Opening it has brought the schema up to date, or failed with a sentence.
  report.say(`Data in ${settings.data}, database: ${database.engine}, schema current`, {
    data: settings.data,
    engine: database.engine,
  })
  for (const line of await checkDatabase(database.read))
    complain(`The database is damaged: ${line}.`, restore)

  const blobs = await listBlobs(database.read)
  const files = report.begin('Files', blobs.length)
  for (const [index, { hash, size }] of blobs.entries()) {
    const found = await services.files.findSize(hash)
    if (found === undefined) complain(`The file ${hash} is missing.`, restore)
    else if (found !== size) complain(`The file ${hash} has ${found} bytes instead of ${size}.`, restore)
    files.advance(index + 1)
  }
  files.end()

  const heads = await listHeads(database.read)
  const known = new Set(blobs.map(({ hash }) => hash))
  const contents = report.begin('Contents', heads.length)
  for (const [index, head] of heads.entries()) {
    for (const problem of await examineHead(frame, head, known)) {
      complain(`The ${head.name}: ${problem}.`, restore)
    }
    contents.advance(index + 1)
  }
  contents.end()

  for (const { type, error, created_at: at } of await listDeadJobs(database.read)) {
    const reason = error?.split('\n')[0] ?? 'no reason is known'
    complain(
      `The job ${type} of ${new Date(at).toISOString()} was given up: ${reason}.`,
      'The next change of the same thing does it again.',
    )
  }
  if (problems > 0) throw new CommandError(`${problems} things are wrong; see above.`)
  report.say(`${blobs.length} files and ${heads.length} heads are whole.`, {
    files: blobs.length,
    heads: heads.length,
  })
}

/** Reads all that a head reaches; texts are looked for, not read. */
async function examineHead({ database }: Frame, head: Head, blobs: ReadonlySet<Hash>): Promise<string[]> {
  const { organizationId, spaceId, revisionId } = head
  const objects = createObjectCache({ nodes: 0, texts: 0 })
  const place = { db: database.read, services: { objects }, organizationId, spaceId }
  const content = await findContent(place, revisionId)
  if (content === undefined) return [`its revision ${revisionId} is missing`]
  try {
    const { pages, order, paths, files, names, links } = content.revision.snapshot
    const [pageEntries, fileEntries, nameEntries] = await content.run(
      together(range(pages), range(files), range(names), range(order), range(paths), range(links)),
    )
    const texts = new Set<Hash>()
    for (const [, value] of pageEntries) {
      const page = value as unknown as PageRecord
      if (page.type === 'document' && page.text !== undefined) texts.add(page.text)
    }
    for (const [, value] of nameEntries) {
      const entry = value as unknown as NameEntry
      if ('text' in entry) texts.add(entry.text)
    }
    const missing = await findMissingObjects(database.read, organizationId, [...texts])
    const unknown = fileEntries
      .map(([, value]) => value as unknown as FileRecord)
      .filter(({ hash }) => !blobs.has(hash))
    return [
      ...missing.map((hash) => `the text ${hash} is missing`),
      ...unknown.map(({ path }) => `the bytes of ${path} are not known to the file storage`),
    ]
  } catch (error) {
    return [(error as Error).message]
  }
}
