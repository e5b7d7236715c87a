/** `octavo import https://…`: a resumable download with a progress bar; Ctrl-C stops it, the same command resumes it. */
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
import type { ProgressTask } from '../reporter.js'
import type { ResumableImport } from './resumable-import.js'
import { CommandError, type CommandContext } from './command-context.js'

interface AddressImport {
  readonly url: string
  readonly source: ImportSource
  readonly split: ImportSplit | undefined
  readonly target: ImportTarget
  readonly space: SpaceKey
  /** Set for an import into a new space; an existing space has its imports among its rows. */
  readonly resumable: ResumableImport | undefined
  readonly userId: UserId
}

/** Milliseconds between two polls of an import that another process may still run. */
const pollMs = 500

/** Returns what was imported; a stopped import leaves an existing space unchanged and creates no new one. */
export async function fetchWithProgress(
  { services, report, now }: CommandContext,
  { url, source, split, target, space, resumable, userId }: AddressImport,
): Promise<ImportOutcome> {
  const { organizationId } = target
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop)
  let fetching: ProgressTask | undefined

  const work = (
    run: ImportContext,
    onCommit?: Parameters<typeof importTree>[0]['onCommit'],
  ): Promise<ImportOutcome> => {
    const { results, images } = run.journal
    const fetchedBefore = results.size + images.size
    if (fetchedBefore > 0)
      report.warn(
        `An import of the same broke off: this one goes on where it was, with ${fetchedBefore} addresses that are not asked again.`,
        { kind: 'goes-on', kept: fetchedBefore },
      )
    fetching = report.startTask('Fetching')
    const reportProgress: ImportContext['reportProgress'] = (stage, done, found) => {
      if (stage === 'fetching') fetching?.advance(done, found)
      run.reportProgress(stage, done, found)
    }
    const signal = AbortSignal.any([run.signal, stopping.signal])
    return withSource(services, { url, source, split }, { ...run, reportProgress, signal }, ({ entries }) =>
      importTree({
        services,
        target,
        mode: 'replace',
        entries,
        now,
        async onCommit(tx, imported) {
          stopping.signal.throwIfAborted()
          await onCommit?.(tx, imported)
        },
      }),
    )
  }

  async function importIntoNewSpace(notes: JournalStore): Promise<ImportOutcome> {
    const journal = await openJournal(services, organizationId, Date.now, notes)
    const { signal } = stopping
    return work({ organizationId, signal, journal, reportProgress: () => {} }).finally(() => journal.close())
  }

  async function importIntoExistingSpace(): Promise<ImportOutcome> {
    const destination = { organizationId, spaceId: space.id, changeRequestId: null, pageId: null }
    // No credential: a background worker cannot resume it; the person who started the command can.
    const order = { ...destination, userId, source, url, split, mode: 'replace', credential: null } as const
    await waitUntilAbandoned(order)
    const row = await startRun(services, order, Date.now())
    let imported: ImportOutcome | undefined
    await executeRun(services, row, Date.now, async (run) => {
      imported = await work(run, (tx, outcome) => run.complete(tx, presentImport(outcome), Date.now()))
      return presentImport(imported)
    })
    return imported!
  }

  /** Waits until no other process runs the same import; only a missing heartbeat reveals one that was killed. */
  async function waitUntilAbandoned(order: ImportRunInput): Promise<void> {
    const begunAt = Date.now()
    let previous: ImportRunRow | undefined
    for (;;) {
      const found = await findSameActiveRun(services.database.read, order, now - resumeWindow)
      const silentSince = Date.now() - heartbeatTimeout
      // Measured by this clock too: that of another machine may differ.
      if (found === undefined || found.beat_at <= silentSince || begunAt <= silentSince) return
      if (previous?.id === found.id && previous.beat_at !== found.beat_at)
        throw new CommandError(
          `The same is being imported into the space ${space.id} by another process: wait for its end.`,
        )
      if (previous === undefined)
        report.warn(
          `An import of the same was under way a moment ago: whether somebody still does it shows within ${heartbeatTimeout / 1_000} seconds.`,
          { kind: 'waits' },
        )
      previous = found
      await pause(pollMs, undefined, { signal: stopping.signal })
    }
  }

  try {
    return await (resumable === undefined ? importIntoExistingSpace() : importIntoNewSpace(resumable.notes))
  } catch (error) {
    if (stopping.signal.aborted)
      throw new CommandError('Stopped: nothing was changed. The same command goes on from here.')
    throw error
  } finally {
    fetching?.end()
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop)
  }
}
