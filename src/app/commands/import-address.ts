/** `octavo import https://…`: fetched with a bar, stopped by Ctrl-C, and gone on with where a space is named. */
import type { SpaceId, UserId } from '../../core/ids.js'
import type { ImportSource, ImportSplit } from '../../contract/imports.js'
import { type UnderWay, withSource } from '../../resources/imports/fetch-source.js'
import { type Imported, importTree } from '../../resources/imports/import.js'
import { openJournal } from '../../resources/imports/journal.js'
import { presentImport } from '../../resources/imports/present.js'
import { beginRun, doRun } from '../../resources/imports/run.js'
import type { ImportTarget } from '../../resources/imports/target.js'
import { CommandError, type Frame } from './frame.js'

interface Wanted {
  readonly url: string
  readonly source: ImportSource
  readonly split: ImportSplit | undefined
  readonly target: ImportTarget
  /** The space that it goes into, where it is there already. */
  readonly existing: SpaceId | undefined
  readonly userId: UserId
}

/** Answers what was imported; whoever stops it leaves the space as it was, or no space. */
export async function fetchWithProgress(
  { services, report, now }: Frame,
  { url, source, split, target, existing, userId }: Wanted,
): Promise<Imported> {
  const { organizationId } = target
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop)
  const fetching = report.begin('Fetching')

  const work = (under: UnderWay, placed?: Parameters<typeof importTree>[0]['placed']): Promise<Imported> => {
    const tell: UnderWay['tell'] = (stage, done, found) => {
      if (stage === 'fetching') fetching.advance(done, found)
      under.tell(stage, done, found)
    }
    const signal = AbortSignal.any([under.signal, stopping.signal])
    return withSource(services, { url, source, split }, { ...under, tell, signal }, ({ entries }) =>
      importTree({
        services,
        target,
        entries,
        now,
        async placed(tx, imported) {
          stopping.signal.throwIfAborted()
          await placed?.(tx, imported)
        },
      }),
    )
  }

  async function alone(): Promise<Imported> {
    const journal = await openJournal(services, organizationId, Date.now)
    const { signal } = stopping
    return work({ organizationId, signal, journal, tell: () => {} }).finally(() => journal.close())
  }

  async function into(spaceId: SpaceId): Promise<Imported> {
    const place = { organizationId, spaceId, changeRequestId: null, pageId: null }
    // Whoever started the program sees it end, and starts it again.
    const order = { ...place, userId, source, url, split, credential: null }
    const row = await beginRun(services, order, Date.now())
    let imported: Imported | undefined
    await doRun(services, row, Date.now, async (run) => {
      imported = await work(run, (tx, placed) => run.complete(tx, presentImport(placed), Date.now()))
      return presentImport(imported)
    })
    return imported!
  }

  try {
    return await (existing === undefined ? alone() : into(existing))
  } catch (error) {
    if (stopping.signal.aborted) throw new CommandError('Stopped: nothing was changed.')
    throw error
  } finally {
    fetching.end()
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop)
  }
}
