/** `octavo import`: a folder or a zip becomes a new space, or the content of one that exists. */
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import type { SpaceId } from '../../core/ids.js'
import type { ArchiveEntry } from '../../resources/imports/archive.js'
import { type Imported, importTree } from '../../resources/imports/import.js'
import { readFolder } from '../../resources/imports/read-folder.js'
import { readZip } from '../../resources/imports/read-zip.js'
import { type ImportTarget, intoNewSpace, intoSpace } from '../../resources/imports/target.js'
import { indexSpace } from '../../resources/search/index-space.js'
import { findSpace } from '../../resources/spaces/store.js'
import { publishSpace } from '../start/publish-folder.js'
import { CommandError, type Frame, actingUser, chooseOrganization, withData } from './frame.js'

interface Flags {
  readonly space?: string
  readonly title?: string
  readonly org?: string
  readonly site?: boolean
}

const longestTitle = 50
const shownProblems = 20

export function addImport(program: Command): void {
  program
    .command('import')
    .description('Import a folder or a zip of Markdown, laid out as Git Sync does, as a space')
    .argument('<source>', 'folder or zip')
    .option('--space <id>', 'replace the content of this space, as one new revision')
    .option('--title <title>', 'title of the new space')
    .option('--org <id or hostname>', 'organization of the new space')
    .option('--site', 'also publish the space as a public site of its own')
    .action((source: string, flags: Flags, command: Command) =>
      withData(command, (frame) => runImport(frame, source, flags)),
    )
}

async function runImport(frame: Frame, source: string, flags: Flags): Promise<void> {
  const { services, report, now } = frame
  const path = resolve(source)
  const open = await openSource(path)
  const { target, spaceOf } = await chooseTarget(frame, path, flags)

  const total = await countEntries(open())
  const reading = report.begin('Reading', total)
  const progress = (done: number): void => reading.advance(done)
  const imported = await importTree({ services, target, entries: open(), now, progress }).finally(() =>
    reading.end(),
  )

  const spaceId = spaceOf()
  const indexing = report.begin('Indexing', imported.importedResources)
  const signal = new AbortController().signal
  const unread = await indexSpace({
    services,
    spaceId,
    signal,
    now: Date.now,
    progress: (done, of) => indexing.advance(done, of),
  }).finally(() => indexing.end())

  sayProblems(frame, imported)
  if (unread > 0)
    report.warn(`${unread} pages are found by their titles alone: see "octavo doctor".`, { unread })
  const { revision, importedResources, totalResources, isChanged } = imported
  const url = services.addresses.app(`/s/${spaceId}/`)
  const done = `${importedResources} of ${totalResources} pages and files are in the space ${spaceId}: ${url}`
  report.say(isChanged ? done : `Nothing changed: ${done}`, {
    space: spaceId,
    revision,
    importedResources,
    totalResources,
    problems: imported.problems.length,
    isChanged,
    url,
  })
  if (flags.site === true) await publish(frame, spaceId)
}

async function openSource(path: string): Promise<() => AsyncIterable<ArchiveEntry>> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return () => readFolder(path)
  if (found?.isFile() && /\.zip$/i.test(path)) return () => readZip(path)
  throw new CommandError(
    found === undefined ? `There is no ${path}.` : `${path} is neither a folder nor a zip.`,
  )
}

async function countEntries(entries: AsyncIterable<ArchiveEntry>): Promise<number> {
  let count = 0
  for await (const _ of entries) count += 1
  return count
}

async function chooseTarget(
  { database, services, now }: Frame,
  path: string,
  { space, title, org }: Flags,
): Promise<{ target: ImportTarget; spaceOf: () => SpaceId }> {
  if (space !== undefined) {
    const row = await findSpace(database.read, space as SpaceId)
    if (row === undefined) throw new CommandError(`There is no space ${space}.`)
    const organization = await chooseOrganization(database.read, row.organization_id)
    const userId = await actingUser(database.read, organization)
    // Whoever has the data at hand may do what the editor's locks forbid.
    return { target: intoSpace(row, async () => {}, { services, userId, now }), spaceOf: () => row.id }
  }
  const organization = await chooseOrganization(database.read, org)
  const userId = await actingUser(database.read, organization)
  let created: SpaceId | undefined
  const wanted = { title: (title ?? titleOf(path)).slice(0, longestTitle) }
  const target = intoNewSpace(organization.id, wanted, { userId, now }, (id) => (created = id))
  return { target, spaceOf: () => created! }
}

function titleOf(path: string): string {
  const words = basename(path)
    .replace(/\.zip$/i, '')
    .replace(/[-_]+/g, ' ')
    .trim()
  return words === '' ? 'Imported' : words.charAt(0).toUpperCase() + words.slice(1)
}

function sayProblems({ report }: Frame, { problems }: Imported): void {
  for (const { path, message } of problems.slice(0, shownProblems)) {
    report.warn(`${path}: ${message}`, { path, message })
  }
  const more = problems.length - shownProblems
  if (more > 0) report.warn(`… and ${more} more`, { more })
}

async function publish({ database, services, report, now }: Frame, spaceId: SpaceId): Promise<void> {
  const space = (await findSpace(database.read, spaceId))!
  const organization = await chooseOrganization(database.read, space.organization_id)
  const owner = { organizationId: organization.id, userId: await actingUser(database.read, organization) }
  const url = await publishSpace(services, owner, { spaceId, title: space.title, now })
  report.say(`Published: ${url}`, { site: url })
}
