/** `octavo import https://…`: fetched with a bar, stopped by Ctrl-C, and gone on with when it is asked for again. */
import { setTimeout as pause } from 'node:timers/promises'
import type { UserId } from '../../core/ids.js'
import type { ImportSource, ImportSplit } from '../../contract/imports.js'
import { type ImportContext, withSource } from '../../resources/imports/fetch-source.js'
import { type ImportOutcome, importTree } from '../../resources/imports/import.js'
import { type JournalStore, openJournal } from '../../resources/imports/journal.js'
import { presentImport } from '../../resources/imports/present.js'
import { startRun, executeRun } from '../../resources/imports/run.js'
import {
  type ImportRunInput,
  type ImportRunRow,
  findSameActiveRun,
  heartbeatTimeout,
  resumeWindow,
} from '../../resources/imports/store.js'
import type { ImportTarget } from '../../resources/imports/target.js'
import type { SpaceKey } from '../../resources/spaces/store.js'
import type { Task } from '../reporter.js'
import type { BegunImport } from './resumable-import.js'
import { CommandError, type Frame } from './command-context.js'

interface Wanted {
  readonly url: string
  readonly source: ImportSource
  readonly split: ImportSplit | undefined
  readonly target: ImportTarget
  readonly space: SpaceKey
  /** Of a space that it makes; another has its imports among its rows. */
  readonly begun: BegunImport | undefined
  readonly userId: UserId
}

/** Milliseconds between two looks at an import that somebody may still do. */
const lookAgain = 500

/** Answers what was imported; whoever stops it leaves the space as it was, or no space. */
export async function fetchWithProgress(
  { services, report, now }: Frame,
  { url, source, split, target, space, begun, userId }: Wanted,
): Promise<ImportOutcome> {
  const { organizationId } = target
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop)
  let fetching: Task | undefined

  const work = (
    under: ImportContext,
    placed?: Parameters<typeof importTree>[0]['onCommit'],
  ): Promise<ImportOutcome> => {
    const { known, results } = under.journal
    const kept = known.size + results.size
    if (kept > 0)
      report.warn(
        `An import of the same broke off: this one goes on where it was, with ${kept} addresses that are not asked again.`,
        { kind: 'goes-on', kept },
      )
    fetching = report.startTask('Fetching')
    const reportProgress: ImportContext['reportProgress'] = (stage, done, found) => {
      if (stage === 'fetching') fetching?.advance(done, found)
      under.reportProgress(stage, done, found)
    }
    const signal = AbortSignal.any([under.signal, stopping.signal])
    return withSource(services, { url, source, split }, { ...under, reportProgress, signal }, ({ entries }) =>
      importTree({
        services,
        target,
        entries,
        now,
        async onCommit(tx, imported) {
          stopping.signal.throwIfAborted()
          await placed?.(tx, imported)
        },
      }),
    )
  }

  async function alone(notes: JournalStore): Promise<ImportOutcome> {
    const journal = await openJournal(services, organizationId, Date.now, notes)
    const { signal } = stopping
    return work({ organizationId, signal, journal, reportProgress: () => {} }).finally(() => journal.close())
  }

  async function into(): Promise<ImportOutcome> {
    const place = { organizationId, spaceId: space.id, changeRequestId: null, pageId: null }
    // Whoever started the program sees it end, and starts it again.
    const order = { ...place, userId, source, url, split, credential: null }
    await untilNobodyDoes(order)
    const row = await startRun(services, order, Date.now())
    let imported: ImportOutcome | undefined
    await executeRun(services, row, Date.now, async (run) => {
      imported = await work(run, (tx, placed) => run.complete(tx, presentImport(placed), Date.now()))
      return presentImport(imported)
    })
    return imported!
  }

  /** A process that was killed is known by its silence alone. */
  async function untilNobodyDoes(order: ImportRunInput): Promise<void> {
    const begunAt = Date.now()
    let before: ImportRunRow | undefined
    for (;;) {
      const found = await findSameActiveRun(services.database.read, order, now - resumeWindow)
      const silentSince = Date.now() - heartbeatTimeout
      // By this clock, too: that of another machine may go otherwise.
      if (found === undefined || found.beat_at <= silentSince || begunAt <= silentSince) return
      if (before?.id === found.id && before.beat_at !== found.beat_at)
        throw new CommandError(
          `The same is being imported into the space ${space.id} by another process: wait for its end.`,
        )
      if (before === undefined)
        report.warn(
          `An import of the same was under way a moment ago: whether somebody still does it shows within ${heartbeatTimeout / 1_000} seconds.`,
          { kind: 'waits' },
        )
      before = found
      await pause(lookAgain, undefined, { signal: stopping.signal })
    }
  }

  try {
    return await (begun === undefined ? into() : alone(begun.notes))
  } catch (error) {
    if (stopping.signal.aborted)
      throw new CommandError('Stopped: nothing was changed. The same command goes on from here.')
    throw error
  } finally {
    fetching?.end()
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop)
  }
}
