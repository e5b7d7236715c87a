/** `octavo import`: a folder, a zip, a file or what stands at an address becomes a new space, or the content of one that exists. */
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
import { type BegunImport, beginImport } from './resumable-import.js'
import { fetchWithProgress } from './import-address.js'
import { publishSpace } from '../start/publish-folder.js'
import type { Task } from '../reporter.js'
import { importRedirects } from './import-redirects.js'
import { importSite } from './import-site.js'
import { CommandError, type Frame, actingUser, chooseOrganization, withData } from './command-context.js'

interface Flags {
  readonly space?: string
  readonly title?: string
  readonly language?: string
  readonly org?: string
  readonly site?: boolean
  readonly siteConfig?: boolean
  readonly redirects?: string
  readonly from?: ImportSource
  readonly onePage?: boolean
  readonly exclude?: readonly string[]
}

const longestTitle = 50
const languageCode = /^[a-z]{2,3}(-[a-z]{2,4})?$/

export function addImport(program: Command): void {
  program
    .command('import')
    .description('Import a folder or a zip of Markdown, or what another program exported, as a space')
    .argument('<source>', 'folder, zip, a file of another format, or an address')
    .addOption(
      new Option('--from <format>', 'what the source is, when it is no Markdown').choices(importSources),
    )
    .option('--space <id>', 'replace the content of this space, as one new revision')
    .option('--title <title>', 'title of the space')
    .option('--language <code>', 'language of the space, such as "de" or "pt-br"; else it is found out')
    .option('--one-page', 'keep a document of Word on one page, whatever headings it has')
    .option('--exclude <folder>', 'leave out a folder; may be said again', collect)
    .option('--org <id or hostname>', 'organization of the new space')
    .option('--site', 'also publish the space as a public site of its own')
    .option(
      '--site-config',
      'make one site of the folder: structure.json, and a folder for each of its spaces',
    )
    .option(
      '--redirects <site>',
      'put the lines of a CSV, source,destination[,permanent], among the redirects of this site',
    )
    .action((source: string, flags: Flags, command: Command) =>
      withData(command, (frame) => runImport(frame, source, flags)),
    )
}

function collect(one: string, others: readonly string[] = []): readonly string[] {
  return [...others, one]
}

async function runImport(frame: Frame, source: string, flags: Flags): Promise<void> {
  if (flags.redirects !== undefined) return importRedirects(frame, resolve(source), flags.redirects)
  if (flags.siteConfig === true) return importSite(frame, resolve(source), flags)
  const { services, report } = frame
  const { language } = flags
  if (language !== undefined && !languageCode.test(language)) {
    throw new CommandError(`"${language}" is no language: say a code such as "de" or "pt-br".`)
  }
  const { imported, space, begun } = await (/^https?:\/\//i.test(source)
    ? importAddress(frame, source, flags)
    : importPath(frame, resolve(source), flags))
  const spaceId = space.id
  if (flags.space !== undefined) await changeAsAsked(frame, space, flags)

  // Begun when there is something to do: nothing of what was there before would read as a loss.
  let indexing: Task | undefined
  const signal = new AbortController().signal
  const unread = await indexSpace({
    services,
    spaceId,
    signal,
    now: Date.now,
    progress: (done, of) => (indexing ??= report.startTask('Indexing', of)).advance(done, of),
  }).finally(() => indexing?.end())

  sayProblems(frame, imported)
  if (unread > 0)
    report.warn(`${unread} pages are found by their titles alone: see "octavo doctor".`, { unread })
  const site = flags.site === true ? await publish(frame, spaceId) : undefined
  sayResult(frame, spaceId, { imported, site })
  await begun?.end()
}

/** Where an import goes, and for whom. */
interface Chosen {
  readonly space: SpaceKey
  readonly target: ImportTarget
  readonly userId: UserId
  /** Of one that makes its space. */
  readonly begun: BegunImport | undefined
}

interface Done extends Chosen {
  readonly imported: ImportOutcome
}

async function importPath(frame: Frame, path: string, flags: Flags): Promise<Done> {
  const { services, report, now } = frame
  const { from = formatOf(path) } = flags
  if (from === 'website') throw new CommandError('A website is imported from its address: https://…')
  const given = await openSource(path, flags)
  const chosen = await chooseTarget(frame, path, flags)
  const { target } = chosen
  const open = (): AsyncIterable<ArchiveItem> =>
    convertItems(from, given, { reader: services.reader, splitsChapters: flags.onePage !== true })

  const total = await countFiles(given())
  const reading = report.startTask('Reading', total)
  const progress = (read: FilesRead): void =>
    reading.advance(read.texts + read.others, total, { texts: read.texts, files: read.others })
  const importing = importTree({ services, target, entries: open(), now, progress })
  return finish(
    chosen,
    importing.finally(() => reading.end()),
  )
}

async function finish(chosen: Chosen, importing: Promise<ImportOutcome>): Promise<Done> {
  try {
    return { ...chosen, imported: await importing }
  } catch (error) {
    await chosen.begun?.endIfEmpty()
    throw error
  }
}

async function importAddress(frame: Frame, url: string, flags: Flags): Promise<Done> {
  const { pathname, hostname } = new URL(url)
  const named = formatOf(pathname)
  const isFile = /\.(?:zip|docx|md|markdown)$/i.test(pathname)
  const source = flags.from ?? (isFile ? named : 'website')
  const title = source === 'website' ? hostname : basename(decodeURI(pathname))
  const chosen = await chooseTarget(frame, url, flags, titleOf(title))
  const split = flags.onePage === true ? 'none' : undefined
  return finish(chosen, fetchWithProgress(frame, { ...chosen, url, source, split }))
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

/** What a file is by its name; a folder or a zip is a tree of the dialect. */
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

async function chooseTarget(
  { database, services, report, now }: Frame,
  source: string,
  flags: Flags,
  usualTitle = titleOf(source),
): Promise<Chosen> {
  const { space, title = usualTitle, language, org } = flags
  if (space !== undefined) {
    const row = await findSpaceAnywhere(database.read, space as SpaceId)
    if (row === undefined) throw new CommandError(`There is no space ${space}.`)
    const organization = await chooseOrganization(database.read, row.organization_id)
    const userId = await actingUser(database.read, organization)
    // Whoever has the data at hand may do what the editor's locks forbid.
    const target = intoSpace(row, { services, userId, now })
    return { target, space: row, userId, begun: undefined }
  }
  const organization = await chooseOrganization(database.read, org)
  const userId = await actingUser(database.read, organization)
  const begun = await beginImport({ database, services, report, now }, organization.id, { source, ...flags })
  const id = await begun.idFor<SpaceId>('space', newId)
  const key = { organization_id: organization.id, id }
  const wanted = {
    title: title.slice(0, longestTitle),
    ...(language !== undefined && { language }),
  }
  const target = intoNewSpace(key, wanted, { services, userId, now })
  return { target, space: key, userId, begun }
}

/** What the flags say of a space that was there before. */
async function changeAsAsked(
  { database, now }: Frame,
  { organization_id: organizationId, id }: SpaceKey,
  { title, language }: Flags,
): Promise<void> {
  if (title === undefined && language === undefined) return
  const change = {
    ...(title !== undefined && { title: title.slice(0, longestTitle) }),
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

function sayProblems({ report }: Frame, { problems, problemCount }: ImportOutcome): void {
  report.warnAll(
    problems.map((problem) => {
      const { path, line, message } = problem
      const place = line === undefined ? path : `${path}:${line}`
      return { sentence: `${place}: ${message}`, members: { ...problem } }
    }),
  )
  if (problemCount > problems.length)
    report.warn(`There are ${problemCount} in all.`, { kind: 'more', problemCount })
}

/** The result is one, and the last that is said. */
function sayResult(
  { services, report }: Frame,
  spaceId: SpaceId,
  { imported, site }: { readonly imported: ImportOutcome; readonly site: string | undefined },
): void {
  const { isChanged, problems: _, problemCount, ...counts } = imported
  const url = services.addresses.app(`/s/${spaceId}/`)
  const asides = [
    ...(counts.unlisted > 0 ? [`${counts.unlisted} Markdown files are kept that are no pages`] : []),
    ...(counts.leftOut > 0 ? [`${counts.leftOut} things were left out`] : []),
  ]
  const done = [
    `${counts.pages} pages and ${counts.files} files are in the space ${spaceId}: ${url}`,
    ...asides,
    ...(site === undefined ? [] : [`Published: ${site}`]),
  ]
  const sentence = isChanged ? done.join('\n') : `Nothing changed: ${done.join('\n')}`
  report.result(sentence, {
    space: spaceId,
    ...counts,
    problems: problemCount,
    isChanged,
    url,
    ...(site !== undefined && { site }),
  })
}

async function publish({ database, services, now }: Frame, spaceId: SpaceId): Promise<string> {
  const space = (await findSpaceAnywhere(database.read, spaceId))!
  const organization = await chooseOrganization(database.read, space.organization_id)
  const owner = { organizationId: organization.id, userId: await actingUser(database.read, organization) }
  return publishSpace(services, owner, { spaceId, title: space.title, now })
}
