/**
 * `octavo translate`: status of a translated space, export and import of its passages as XLIFF, and an immediate
 * translation run. The run works in this process: no server is needed, and one on the same data takes no part in it.
 */
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { recordAudit } from '../../access/audit/record.js'
import type { SpaceId, UserId } from '../../core/ids.js'
import { limits } from '../../contract/limits.js'
import { importXliff, runSpaceTranslation, translatedPageStates } from '../../contract/space-translations.js'
import { translateSpaceJob } from '../../resources/content/content-jobs.js'
import { findOrganization } from '../../resources/organizations/store.js'
import { type SpaceRow, findSpace, findSpaceAnywhere, headOf } from '../../resources/spaces/store.js'
import {
  type SpaceTranslationRow,
  countUntranslated,
  findSpaceTranslation,
} from '../../resources/translations/space-translation-store.js'
import { requestRun, translationHandlers } from '../../resources/translations/run.js'
import { findTranslator } from '../../resources/translations/translators.js'
import {
  headContent,
  listTranslatedPages,
  openTranslationContents,
} from '../../resources/translations/translated-pages.js'
import { planXliffImport, applyXliff, exportXliff } from '../../resources/translations/xliff.js'
import type { Tx } from '../../store/db/database.js'
import { isJobPending } from '../../store/jobs/outbox.js'
import { startWorker } from '../../store/jobs/worker.js'
import { pause } from '../start/pause.js'
import type { CommandWarning } from '../reporter.js'
import { CommandError, type CommandContext, actingUser, exists, withData } from './command-context.js'

type RetryScope = 'failed' | 'everything'

interface ExportFlags {
  readonly missing?: boolean
  readonly page?: string
  readonly force?: boolean
}

const spaceArgument = ['<space>', 'the space that follows another one, by its id'] as const

export function addTranslate(program: Command): void {
  const translate = program.command('translate').description('Spaces that follow others in another language')

  translate
    .command('status')
    .description('How a translation stands, and the pages that are not as their source is')
    .argument(...spaceArgument)
    .action((space: string, _flags: object, command: Command) =>
      withData(command, (context) => reportStatus(context, space)),
    )

  translate
    .command('run')
    .description('Bring a translation up to its source now')
    .argument(...spaceArgument)
    .option(
      '--again <what>',
      'ask once more for what is "failed", or for "everything" that a translator said',
    )
    .action((space: string, { again }: { again?: string }, command: Command) =>
      withData(command, async (context) => {
        if (again !== undefined && again !== 'failed' && again !== 'everything')
          throw new CommandError('--again takes "failed" or "everything".')
        await runTranslation(context, await findTranslation(context, space), again)
      }),
    )

  translate
    .command('export')
    .description('Write the passages of a translation into an XLIFF file, for people who translate')
    .argument(...spaceArgument)
    .argument('<file>', 'the file, such as handbook.xlf')
    .option('--missing', 'only those that have no translation')
    .option('--page <id>', 'only those of one page')
    .option('--force', 'write over an existing file')
    .action((space: string, file: string, flags: ExportFlags, command: Command) =>
      withData(command, (context) => exportPassages(context, space, resolve(file), flags)),
    )

  translate
    .command('import')
    .description('Take the translations of an XLIFF file, and bring the space up to them')
    .argument(...spaceArgument)
    .argument('<file>')
    .action((space: string, file: string, _flags: object, command: Command) =>
      withData(command, (context) => importPassages(context, space, resolve(file))),
    )
}

interface SpaceTranslation {
  readonly row: SpaceTranslationRow
  readonly space: SpaceRow
  readonly source: SpaceRow
}

async function findTranslation(
  { database: { read } }: CommandContext,
  id: string,
): Promise<SpaceTranslation> {
  const space = await findSpaceAnywhere(read, id as SpaceId)
  if (space === undefined) throw new CommandError(`There is no space ${id}.`)
  const row = await findSpaceTranslation(read, { organization_id: space.organization_id, space_id: space.id })
  const source = row && (await findSpace(read, row.organization_id, row.source_space_id))
  if (row === undefined || source === undefined)
    throw new CommandError(`The space ${id} follows no other one: it is no translation.`)
  return { row, space, source }
}

/** Pages of one query. */
const pagesPerList = 1_000

async function reportStatus(context: CommandContext, id: string): Promise<void> {
  const { database, services, report } = context
  const translation = await findTranslation(context, id)
  const { row, space, source } = translation
  const open = await countUntranslated(database.read, row)
  const sides = await openTranslationContents(database.read, services, translation)
  const counts = Object.fromEntries(translatedPageStates.map((state) => [state, 0]))
  const warnings: CommandWarning[] = []
  for (let page: string | undefined, isMore = true; isMore;) {
    const request = { limit: pagesPerList, ...(page !== undefined && { page }) }
    const { items, next } = await listTranslatedPages(sides, request)
    for (const { id: pageId, title, path, state, edited, missing, failed, outdated } of items) {
      counts[state]! += 1
      if (state === 'up-to-date') continue
      const members = { kind: 'page', id: pageId, title, path, state, edited, missing, failed, outdated }
      warnings.push({ sentence: `${state.padEnd(11)} ${path ?? title}`, members })
    }
    page = next?.page
    isMore = page !== undefined
  }
  report.warnAll(warnings)
  const isCurrent = row.source_revision_id === headOf(source) && row.is_whole === 0
  const pages = Object.values(counts).reduce((sum, count) => sum + count)
  const stateCounts = translatedPageStates
    .filter((state) => counts[state]! > 0)
    .map((state) => `${counts[state]!} ${state}`)
  report.result(
    `"${space.title}" (${row.language}) follows "${source.title}" (${row.source_language}): ${row.state}${row.problem === null ? '' : `, ${row.problem}`}\n` +
      `The source was ${isCurrent ? 'not written in' : 'written in'} since.\n` +
      `${pages} pages${stateCounts.length > 0 ? `: ${stateCounts.join(', ')}` : ''}\n` +
      `${open.missing} passages without a translation, ${open.failed} whose translation could not be used`,
    {
      space: space.id,
      source: source.id,
      from: row.source_language,
      language: row.language,
      status: row.state,
      ...(row.problem !== null && { problem: row.problem }),
      isCurrent,
      ...open,
      pages,
      states: counts,
    },
  )
}

async function exportPassages(
  context: CommandContext,
  id: string,
  target: string,
  { missing = false, page, force = false }: ExportFlags,
): Promise<void> {
  const { database, services, report } = context
  const { row, source } = await findTranslation(context, id)
  if (!force && (await exists(target))) throw new CommandError(`${target} exists: say --force to replace it.`)
  const content = await headContent(database.read, services, source)
  const query = { ...(missing && { only: 'missing' as const }), ...(page !== undefined && { pageId: page }) }
  const task = report.startTask('Writing')
  let passages = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of exportXliff(database.read, row, content, query)) {
      passages += Buffer.from(chunk).toString('utf8').split('<trans-unit ').length - 1
      task.advance(passages)
      yield chunk
    }
  }
  await mkdir(dirname(target), { recursive: true })
  const partPath = `${target}.${process.pid}.part`
  try {
    await pipeline(Readable.from(counted()), createWriteStream(partPath))
    await rename(partPath, target)
  } finally {
    task.end()
    await rm(partPath, { force: true })
  }
  report.result(`${passages} passages of the space ${id} are in ${target}`, { space: id, passages, target })
}

async function importPassages(context: CommandContext, id: string, path: string): Promise<void> {
  const { database, services, report, now } = context
  const translation = await findTranslation(context, id)
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() !== true) throw new CommandError(`There is no file ${path}.`)
  if (found.size > limits.xliffLength)
    throw new CommandError(`${path} is larger than ${limits.xliffLength} bytes: hand it in by parts.`)
  const content = await headContent(database.read, services, translation.source)
  const plan = await planXliffImport(
    database.read,
    translation.row,
    content,
    await readFile(path, 'utf8'),
    path,
  )
  if (plan.rows.length > 0) {
    const userId = await actingUserOf(context, translation)
    await database.write(async (tx) => {
      const row = await getFollowing(tx, translation)
      await applyXliff(tx, row, plan)
      await requestRun(tx, row, { userId, now })
      await recordTranslationAudit(tx, row, { action: importXliff.operationId, userId, now })
    })
  }
  const { unchanged, unknown, refused } = plan
  report.warnAll(
    refused.map(({ id: passage, problem }) => ({
      sentence: `${path}: ${passage}: ${problem}`,
      members: { kind: 'refused', passage, problem },
    })),
  )
  const counts = { taken: plan.rows.length, unchanged, unknown, refused: refused.length }
  report.result(
    `${counts.taken} translations were taken, ${unchanged} were known, ${unknown} are of passages that the source does not say, ${refused.length} were refused.`,
    { space: id, ...counts },
  )
  if (plan.rows.length > 0) await finishRun(context, translation.row)
}

async function actingUserOf(
  { database: { read } }: CommandContext,
  { space }: SpaceTranslation,
): Promise<UserId> {
  return actingUser(read, (await findOrganization(read, space.organization_id))!)
}

async function getFollowing(
  tx: Tx,
  { row: { space_id, organization_id } }: SpaceTranslation,
): Promise<SpaceTranslationRow> {
  const row = await findSpaceTranslation(tx, { organization_id, space_id })
  if (row === undefined) throw new CommandError(`The space ${space_id} follows no other one any more.`)
  return row
}

/** Writes the audit log entry that the same operation of the API writes. */
function recordTranslationAudit(
  tx: Tx,
  { organization_id: organizationId, space_id: spaceId }: SpaceTranslationRow,
  { action, userId, now }: { readonly action: string; readonly userId: UserId; readonly now: number },
): Promise<void> {
  return recordAudit(tx, [organizationId], {
    action,
    resourceId: spaceId,
    params: { spaceId },
    detail: 'octavo translate',
    actorId: userId,
    origin: { ip: null, userAgent: null },
    now,
  })
}

async function runTranslation(
  context: CommandContext,
  translation: SpaceTranslation,
  again: RetryScope | undefined,
): Promise<void> {
  const { database, now } = context
  const userId = await actingUserOf(context, translation)
  await database.write(async (tx) => {
    const row = await getFollowing(tx, translation)
    await requestRun(tx, row, { userId, now, ...(again !== undefined && { again }) })
    await recordTranslationAudit(tx, row, { action: runSpaceTranslation.operationId, userId, now })
  })
  await finishRun(context, translation.row)
}

/** Milliseconds between two polls of the progress of a run. */
const pollMs = 100

/** Executes the queued run, or waits for the server that took it first, and reports the outcome. */
async function finishRun(
  { database, services, report }: CommandContext,
  key: SpaceTranslationRow,
): Promise<void> {
  const { read } = database
  const stopping = new AbortController()
  const task = report.startTask('Translating')
  const working = startWorker({
    database,
    handlers: translationHandlers({ services, now: Date.now, pause }),
    now: Date.now,
    random: Math.random,
    report: (error) => {
      if (stopping.signal.aborted) return
      const problem = error instanceof Error ? error.message : String(error)
      report.warn(`${problem} It is tried again.`, { kind: 'retry', problem })
    },
    signal: stopping.signal,
    concurrency: 1,
  })
  try {
    while (await isJobPending(read, translateSpaceJob, key.space_id)) {
      const row = await findSpaceTranslation(read, key)
      if (row !== undefined) task.advance(row.done, row.total)
      await pause(pollMs, stopping.signal)
    }
  } finally {
    stopping.abort()
    await working
    task.end()
  }
  const row = await findSpaceTranslation(read, key)
  if (row === undefined) throw new CommandError('The translation was ended meanwhile.')
  const { state, problem } = row
  if (state === 'canceled') throw new CommandError('The run was ended by somebody; what came is kept.')
  if (state !== 'completed') throw new CommandError(`The run failed: ${problem ?? 'nobody knows why'}`)
  if (problem !== null) report.warn(problem, { kind: 'problem', problem })
  const open = await countUntranslated(read, row)
  const isSent = (await findTranslator(read, row.organization_id)) !== undefined
  report.result(
    `The space ${row.space_id} follows its source: ${open.missing} passages without a translation, ${open.failed} whose translation could not be used.` +
      (isSent || open.missing === 0 ? '' : ' Nothing was sent anywhere: no translator is set.'),
    { space: row.space_id, status: state, asked: row.total, characters: row.characters, ...open },
  )
}
