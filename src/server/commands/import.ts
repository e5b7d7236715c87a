/** `octavo import`: a folder, a zip, a file or the content of an address becomes a new space, or the content of an existing one. */
import { readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { SpaceId, UserId } from '../../core/ids.js'
import { newId } from '../../access/ids.js'
import type { ArchiveItem } from '../../resources/imports/archive.js'
import { type ImportSource, importSources } from '../../contract/imports.js'
import { limits } from '../../contract/limits.js'
import { type ImportOutcome, importTree } from '../../resources/imports/import.js'
import type { FilesRead } from '../../resources/imports/read-tree.js'
import { readFolder } from '../../resources/imports/read-folder.js'
import { readZip } from '../../resources/imports/read-zip.js'
import { type OpenItems, singleFile } from '../../resources/imports/sources/source.js'
import { type FileSource, convertItems } from '../../resources/imports/sources/sources.js'
import { type ImportTarget, intoNewSpace, intoSpace } from '../../resources/imports/target.js'
import { indexSpace } from '../../resources/search/index-space.js'
import { type SpaceKey, findSpaceAnywhere, lockSpace } from '../../resources/spaces/store.js'
import { changeSpace } from '../../resources/spaces/update.js'
import { type ResumableImport, openResumableImport } from './resumable-import.js'
import { fetchWithProgress } from './import-address.js'
import { type SiteOfSpace, publishSpace } from '../start/publish-folder.js'
import type { ProgressTask } from '../reporter.js'
import { importRedirects } from './import-redirects.js'
import { importSite } from './import-site.js'
import { pagesWithConditions, reportConditions } from './report-conditions.js'
import { reportProblems } from './report-problems.js'
import {
  CommandError,
  type CommandContext,
  actingUser,
  chooseOrganization,
  withData,
} from './command-context.js'

interface Flags {
  readonly space?: string
  readonly title?: string
  readonly language?: string
  readonly org?: string
  readonly site?: boolean
  readonly siteConfig?: boolean
  readonly publish?: boolean
  readonly redirects?: string
  readonly from?: ImportSource
  readonly onePage?: boolean
  readonly exclude?: readonly string[]
}

const maxTitleLength = 50
const languageCode = /^[a-z]{2,3}(-[a-z]{2,4})?$/

export function addImport(program: Command): void {
  program
    .command('import')
    .description('Import a folder or a zip of Markdown, or what another program exported, as a space')
    .argument('<source>', 'folder, zip, a file of another format, or an address')
    .addOption(
      new Option('--from <format>', 'what the source is, when it is no Markdown').choices(importSources),
    )
    .option(
      '--space <id>',
      'make the content of this space equal to the source, as one new revision: what the source does not have is removed',
    )
    .option('--title <title>', 'title of the space')
    .option('--language <code>', 'language of the space, such as "de" or "pt-br"; else it is found out')
    .option('--one-page', 'keep a document of Word on one page, whatever headings it has')
    .option('--exclude <folder>', 'leave out a folder; may be said again', append)
    .option('--org <id or hostname>', 'organization of the new space')
    .option('--site', 'also publish the space as a public site of its own')
    .option(
      '--site-config',
      'make one site of the folder: structure.json, and a folder for each of its spaces',
    )
    .option(
      '--publish',
      'with --site or --site-config: publish also what is under conditions, on a site that shows it to everybody',
    )
    .option(
      '--redirects <site>',
      'put the lines of a CSV, source,destination[,permanent], among the redirects of this site',
    )
    .action((source: string, flags: Flags, command: Command) =>
      withData(command, (context) => runImport(context, source, flags)),
    )
}

function append(folder: string, others: readonly string[] = []): readonly string[] {
  return [...others, folder]
}

async function runImport(context: CommandContext, source: string, flags: Flags): Promise<void> {
  if (flags.redirects !== undefined) return importRedirects(context, resolve(source), flags.redirects)
  if (flags.siteConfig === true) return importSite(context, resolve(source), flags)
  const { services, report } = context
  const { language } = flags
  if (language !== undefined && !languageCode.test(language)) {
    throw new CommandError(`"${language}" is no language: say a code such as "de" or "pt-br".`)
  }
  const { imported, space, resumable } = await (/^https?:\/\//i.test(source)
    ? importAddress(context, source, flags)
    : importPath(context, resolve(source), flags))
  const spaceId = space.id
  if (flags.space !== undefined) await applySpaceFlags(context, space, flags)

  // Started with the first page to index: "0 of 0" would look as if content were lost.
  let indexing: ProgressTask | undefined
  const signal = new AbortController().signal
  const failedPages = await indexSpace({
    services,
    spaceId,
    signal,
    now: Date.now,
    progress: (done, of) => (indexing ??= report.startTask('Indexing', of)).advance(done, of),
  }).finally(() => indexing?.end())

  reportProblems(report, imported)
  if (failedPages > 0)
    report.warn(`${failedPages} pages are found by their titles alone: see "octavo doctor".`, {
      unread: failedPages,
    })
  const site =
    flags.site === true ? await publish(context, spaceId, imported, flags.publish === true) : undefined
  reportResult(context, spaceId, { imported, site, isMirrored: flags.space !== undefined })
  await resumable?.end()
}

/** The space that an import writes, and the user as whom it acts. */
interface ImportDestination {
  readonly space: SpaceKey
  readonly target: ImportTarget
  readonly userId: UserId
  /** Set for an import that creates its space. */
  readonly resumable: ResumableImport | undefined
}

interface FinishedImport extends ImportDestination {
  readonly imported: ImportOutcome
}

async function importPath(context: CommandContext, path: string, flags: Flags): Promise<FinishedImport> {
  const { services, report, now } = context
  const { from = formatOf(path) } = flags
  if (from === 'website') throw new CommandError('A website is imported from its address: https://…')
  const openItems = await openSource(path, flags)
  const destination = await openDestination(context, path, flags)
  const { target } = destination
  const open = (): AsyncIterable<ArchiveItem> =>
    convertItems(from, openItems, { reader: services.reader, splitsChapters: flags.onePage !== true })

  const total = await countFiles(openItems())
  const reading = report.startTask('Reading', total)
  const progress = (read: FilesRead): void =>
    reading.advance(read.texts + read.others, total, { texts: read.texts, files: read.others })
  const importing = importTree({ services, target, mode: 'replace', entries: open(), now, progress })
  return finish(
    destination,
    importing.finally(() => reading.end()),
  )
}

async function finish(
  destination: ImportDestination,
  importing: Promise<ImportOutcome>,
): Promise<FinishedImport> {
  try {
    return { ...destination, imported: await importing }
  } catch (error) {
    await destination.resumable?.removeIfEmpty()
    throw error
  }
}

async function importAddress(context: CommandContext, url: string, flags: Flags): Promise<FinishedImport> {
  const { pathname, hostname } = new URL(url)
  const format = formatOf(pathname)
  const isFile = /\.(?:zip|docx|md|markdown)$/i.test(pathname)
  const source = flags.from ?? (isFile ? format : 'website')
  const title = source === 'website' ? hostname : basename(decodeURI(pathname))
  const destination = await openDestination(context, url, flags, titleOf(title))
  const split = flags.onePage === true ? 'none' : undefined
  return finish(destination, fetchWithProgress(context, { ...destination, url, source, split }))
}

async function openSource(path: string, { exclude = [], from }: Flags): Promise<OpenItems> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new CommandError(`There is no ${path}.`)
  if (found.isDirectory()) return () => readFolder(path, { exclude })
  if (found.isFile() && /\.zip$/i.test(path)) return () => readZip(path, { exclude })
  if (!found.isFile() || (from === undefined && formatOf(path) === 'zip')) {
    throw new CommandError(`${path} is neither a folder nor a zip; --from says what else it is.`)
  }
  if (found.size > limits.fileBytes) {
    throw new CommandError(`${path} is larger than ${limits.fileBytes / 1_000_000} MB.`)
  }
  return singleFile(basename(path), await readFile(path))
}

/** Returns the format of a file by its name; a folder or a zip holds Markdown. */
function formatOf(path: string): FileSource {
  if (/\.docx$/i.test(path)) return 'docx'
  if (/\.x?html?$/i.test(path)) return 'html'
  return /\.(?:md|markdown)$/i.test(path) ? 'markdown' : 'zip'
}

async function countFiles(items: AsyncIterable<ArchiveItem>): Promise<number> {
  let count = 0
  for await (const item of items) if ('open' in item) count += 1
  return count
}

async function openDestination(
  { database, services, report, now }: CommandContext,
  source: string,
  flags: Flags,
  defaultTitle = titleOf(source),
): Promise<ImportDestination> {
  const { space, title = defaultTitle, language, org } = flags
  if (space !== undefined) {
    const row = await findSpaceAnywhere(database.read, space as SpaceId)
    if (row === undefined) throw new CommandError(`There is no space ${space}.`)
    const organization = await chooseOrganization(database.read, row.organization_id)
    const userId = await actingUser(database.read, organization)
    // An operator with access to the data may write what the editor's locks forbid.
    const target = intoSpace(row, { services, userId, now })
    return { target, space: row, userId, resumable: undefined }
  }
  const organization = await chooseOrganization(database.read, org)
  const userId = await actingUser(database.read, organization)
  const resumable = await openResumableImport({ database, services, report, now }, organization.id, {
    source,
    ...flags,
  })
  const id = await resumable.idFor<SpaceId>('space', newId)
  const key = { organization_id: organization.id, id }
  const settings = {
    title: title.slice(0, maxTitleLength),
    ...(language !== undefined && { language }),
  }
  const target = intoNewSpace(key, settings, { services, userId, now })
  return { target, space: key, userId, resumable }
}

/** Applies title and language flags to a space that existed before. */
async function applySpaceFlags(
  { database, now }: CommandContext,
  { organization_id: organizationId, id }: SpaceKey,
  { title, language }: Flags,
): Promise<void> {
  if (title === undefined && language === undefined) return
  const change = {
    ...(title !== undefined && { title: title.slice(0, maxTitleLength) }),
    ...(language !== undefined && { language }),
  }
  await database.write(async (tx) => changeSpace(tx, await lockSpace(tx, organizationId, id), change, now))
}

function titleOf(path: string): string {
  const words = basename(path)
    .replace(/\.(?:zip|docx|x?html?|md|markdown)$/i, '')
    .replace(/[-_]+/g, ' ')
    .trim()
  return words === '' ? 'Imported' : words.charAt(0).toUpperCase() + words.slice(1)
}

/** Reports one result, as the last output. */
function reportResult(
  { services, report }: CommandContext,
  spaceId: SpaceId,
  {
    imported,
    site,
    isMirrored,
  }: {
    readonly imported: ImportOutcome
    readonly site: SiteOfSpace | undefined
    /** True for a space that existed before. */
    readonly isMirrored: boolean
  },
): void {
  const { isChanged, problems: _, problemCount, conditions: __, changes: ___, ...counts } = imported
  const url = services.addresses.app(`/s/${spaceId}/`)
  const { added, changed, removed } = counts
  const notes = [
    ...(isMirrored && isChanged
      ? [`The space equals its source now: ${added} added, ${changed} changed, ${removed} removed`]
      : []),
    ...(counts.unlisted > 0 ? [`${counts.unlisted} Markdown files are kept that are no pages`] : []),
    ...(counts.leftOut > 0 ? [`${counts.leftOut} things were left out`] : []),
  ]
  const done = [
    `${counts.pages} pages and ${counts.files} files are in the space ${spaceId}: ${url}`,
    ...notes,
    ...(site === undefined ? [] : [`${site.isPublished ? 'Published' : 'Not published yet'}: ${site.url}`]),
  ]
  const sentence = isChanged ? done.join('\n') : `Nothing changed: ${done.join('\n')}`
  report.result(sentence, {
    space: spaceId,
    ...counts,
    problems: problemCount,
    isChanged,
    url,
    ...(site !== undefined && { site: site.url, published: site.isPublished }),
  })
}

async function publish(
  { database, services, report, now }: CommandContext,
  spaceId: SpaceId,
  imported: ImportOutcome,
  publishesConditions: boolean,
): Promise<SiteOfSpace> {
  const space = (await findSpaceAnywhere(database.read, spaceId))!
  const organization = await chooseOrganization(database.read, space.organization_id)
  const owner = { organizationId: organization.id, userId: await actingUser(database.read, organization) }
  const { conditions } = imported
  const named = { spaceId, title: space.title, now }
  const site = await publishSpace(services, owner, { ...named, conditions, publishesConditions })
  reportConditions(report, { ...site, pages: pagesWithConditions(imported) })
  return site
}
