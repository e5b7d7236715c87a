/**
 * Composition root: opens database, files, caches and worker threads and wires them into `Services`, for the server and
 * for commands, which may use the same data at the same time. Does not listen, and starts no job worker.
 */
import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Services } from '../../access/route/scope.js'
import { createVisitorEventCounter } from '../../resources/insights/count-events.js'
import { createAddresses } from '../../contract/addresses.js'
import { type SiteTask, runTask } from '../../site/tasks.js'
import { createCaches } from '../../store/cache/caches.js'
import { createObjectCache } from '../../store/content/objects.js'
import { sqliteFile } from '../../store/db/sqlite-file.js'
import type { Database } from '../../store/db/database.js'
import { openDatabase } from '../../store/db/open.js'
import { DatabaseUnavailable } from '../../store/db/unavailable.js'
import { InsecurePermissions, makePrivateFolder } from '../../store/files/private-permissions.js'
import { createSizedImages } from '../../store/images/sized.js'
import { type TextReader, createInlineReader } from '../../store/reading/reader.js'
import {
  type FragmentRenderer,
  createInlineFragments,
  createWorkerFragments,
} from '../../store/reading/fragment-renderer.js'
import { createBackgroundTasks } from '../../store/jobs/background.js'
import { createStreamWatcher } from '../../store/events/stream-watcher.js'
import { createRemote } from '../../store/remote/create.js'
import type { WorkerPoolOptions } from '../../store/reading/worker-pool.js'
import { createWorkerReader } from '../../store/reading/worker-reader.js'
import { withSearchCache } from '../../store/search-workers/search-cache.js'
import {
  type SearchService,
  createInlineSearch,
  createWorkerSearch,
} from '../../store/search-workers/search-service.js'
import {
  type SpecificationReader,
  createInlineSpecificationReader,
  createThreadedSpecificationReader,
} from '../../store/specifications/reader.js'
import { openFiles } from '../settings/file-storage.js'
import type { Settings } from '../settings/settings.js'
import { SettingsError } from '../settings/settings-errors.js'
import { storePublicAddresses, loadPublicAddresses } from './public-addresses.js'
import { loadSecret } from './secret.js'
import { removeAbandonedFiles } from '../maintenance/temp-files.js'

export interface Octavo {
  readonly services: Services
  readonly database: Database
  close(): Promise<void>
}

/** Megabytes of caches of a command, which hardly reads anything twice. */
const commandCacheMegabytes = 64

/** Returns the opened data; throws with a message for the operator when it cannot be used. */
export async function openOctavo(
  settings: Settings,
  now: number,
  role: 'server' | 'command',
): Promise<Octavo> {
  const spoolFolder = join(settings.data, 'spool')
  await makePrivateFolder(settings.data).catch(rejectDataFolder)
  await makePrivateFolder(spoolFolder).catch(rejectDataFolder)
  await removeAbandonedFiles(spoolFolder, now)
  const files = await openFiles(settings, spoolFolder)
  const database = await openDatabase({
    dataFolder: settings.data,
    url: settings.databaseUrl,
    writingThread: builtProgram('sqlite-thread.js'),
  }).catch((error: unknown) => {
    if (!(error instanceof DatabaseUnavailable)) throw error
    throw new SettingsError([`${error.message} (OCTAVO_DATABASE_URL)`])
  })
  const secret = await loadSecret(settings, database)
  const findAddresses = role === 'server' ? storePublicAddresses : loadPublicAddresses
  const cacheMegabytes = Math.min(
    settings.cacheMegabytes,
    role === 'command' ? commandCacheMegabytes : Infinity,
  )
  const caches = createCaches(database, cacheMegabytes << 20)
  const services: Services = {
    database,
    caches,
    objects: createObjectCache(caches),
    files,
    images: createSizedImages(files),
    addresses: createAddresses({
      sign: (text) => createHmac('sha256', secret).update(text).digest('base64url'),
      ...(await findAddresses(settings, database)),
    }),
    spoolFolder,
    reader: openReader(),
    fragments: openFragmentRenderer(1),
    pages: openFragmentRenderer(2, { deadline: longestPage, memory: 512 }),
    searching: withSearchCache(openSearching(settings, database), { database, caches }),
    specifications: openSpecificationReader(),
    background: createBackgroundTasks(),
    remote: createRemote({ openNetworks: settings.fetchNetworks }),
    eventWatchers: createStreamWatcher(database),
    visitorEvents: createVisitorEventCounter(database, Date.now),
  }
  return {
    services,
    database,
    async close() {
      await services.background.close()
      await services.searching.close()
      await services.remote.close()
      await services.reader.close()
      await services.fragments.close()
      await services.pages.close()
      await services.specifications.close()
      await services.images.close()
      await database.close()
    },
  }
}

function rejectDataFolder(error: NodeJS.ErrnoException): never {
  if (error instanceof InsecurePermissions) throw error
  throw new SettingsError([
    `The data folder cannot be used (${error.message}): name one that this account may write to with --data (OCTAVO_DATA).`,
  ])
}

/** Returns the built program of a worker thread; undefined when run from the sources: this thread then does the work. */
function builtProgram(name: string): URL | undefined {
  const entry = new URL(name, import.meta.url)
  return existsSync(entry) ? entry : undefined
}

function openReader(): TextReader {
  const entry = builtProgram('thread.js')
  return entry === undefined
    ? createInlineReader()
    : createWorkerReader(entry, Math.max(1, availableParallelism() - 1))
}

/**
 * Milliseconds. Rendering is bounded by steps, not by this: a megabyte of nothing but markup takes three seconds. It only
 * ends a thread that hangs, so it leaves room for a busy machine, and for waiting for fragments.
 */
const longestPage = 60_000

function openFragmentRenderer(count: number, limits?: WorkerPoolOptions): FragmentRenderer<object> {
  const entry = builtProgram('site-thread.js')
  return entry === undefined
    ? createInlineFragments<SiteTask>(runTask)
    : createWorkerFragments<SiteTask>(entry, count, Date.now, limits)
}

function openSpecificationReader(): SpecificationReader {
  const entry = builtProgram('openapi-thread.js')
  return entry === undefined ? createInlineSpecificationReader() : createThreadedSpecificationReader(entry)
}

/** More concurrent searches would take the processors from readers of pages. */
const maxSearchThreads = 4

function openSearching({ databaseUrl, data }: Settings, database: Database): SearchService {
  const entry = builtProgram('search-thread.js')
  if (entry === undefined) return createInlineSearch(database)
  const count = Math.max(1, Math.min(maxSearchThreads, availableParallelism() - 1))
  // Also for PostgreSQL, which may be on the same machine and share the processors.
  const source = databaseUrl === undefined ? { file: join(data, sqliteFile) } : { url: databaseUrl }
  return createWorkerSearch(entry, count, source)
}
