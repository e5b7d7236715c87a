/** `octavo export`: the content of a space as files, byte for byte as they were imported; or a published site as a folder. */
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import type { SpaceId } from '../../core/ids.js'
import { getContent } from '../../resources/content/content.js'
import { type ExportFile, listExportFiles } from '../../resources/exports/export.js'
import { writeFolder } from '../../resources/exports/write-folder.js'
import { writeZip } from '../../resources/exports/write-zip.js'
import { findSpaceAnywhere } from '../../resources/spaces/store.js'
import { exportPdf } from './export-pdf.js'
import { exportSite } from './export-site.js'
import { CommandError, type CommandContext, exists, withData } from './command-context.js'

interface Flags {
  readonly space?: string
  readonly static?: string
  readonly at?: string
  readonly zip?: boolean
  readonly pdf?: boolean
  readonly page?: string
  readonly only?: boolean
  readonly force?: boolean
}

export function addExport(program: Command): void {
  program
    .command('export')
    .description('Write the content of a space, or a site as files for any web server')
    .argument('<target>', 'an empty or new folder; with --zip or --pdf a file')
    .option('--space <id>', 'the space')
    .option('--static <site>', 'a published site, by its id or its name, as a folder for any web server')
    .option('--at <url>', 'with --static: where the folder will stand, for maps and canonical links')
    .option('--zip', 'write one zip instead of a folder')
    .option('--pdf', 'write one PDF instead of a folder')
    .option('--page <id>', 'with --pdf: a page, and what stands below it')
    .option('--only', 'with --page: that page alone')
    .option('--force', 'write into a folder that is not empty, or over an existing file')
    .action((target: string, flags: Flags, command: Command) =>
      withData(command, (context) => runExport(context, resolve(target), flags)),
    )
}

async function runExport(context: CommandContext, target: string, flags: Flags): Promise<void> {
  const { space, static: site, at, zip, pdf, page, only = false, force = false } = flags
  if (site !== undefined && space === undefined) return exportSite(context, target, { site, at })
  if (site !== undefined || space === undefined)
    throw new CommandError('Say what is to be written: a space with --space, or a site with --static.')
  const { database, services, report } = context
  if (pdf === true) return exportPdf(context, target, { space, page, only, force })
  const row = await findSpaceAnywhere(database.read, space as SpaceId)
  if (row === undefined) throw new CommandError(`There is no space ${space}.`)
  const key = { db: database.read, services, organizationId: row.organization_id, spaceId: row.id }
  const files = await listExportFiles(await getContent(key, row.revision_id), services)
  const task = report.startTask('Writing', files.length)
  const progress = (done: number): void => task.advance(done)
  try {
    if (zip === true) await writeZipFile(target, files, { force, progress })
    else await writeFolder(target, files, { force, progress })
  } finally {
    task.end()
  }
  report.result(`${files.length} files of the space ${row.id} are in ${target}`, {
    space: row.id,
    revision: row.revision_id,
    files: files.length,
    target,
  })
}

async function writeZipFile(
  path: string,
  files: readonly ExportFile[],
  { force, progress }: { readonly force: boolean; readonly progress: (done: number) => void },
): Promise<void> {
  if (!force && (await exists(path))) throw new CommandError(`${path} exists: say --force to replace it.`)
  await mkdir(dirname(path), { recursive: true })
  async function* counted(): AsyncGenerator<ExportFile> {
    for (const [index, file] of files.entries()) {
      yield file
      progress(index + 1)
    }
  }
  const partPath = `${path}.${process.pid}.part`
  try {
    await pipeline(Readable.from(writeZip(counted()), { objectMode: false }), createWriteStream(partPath))
    await rename(partPath, path)
  } finally {
    await rm(partPath, { force: true })
  }
}
