/** Opens SQLite: one connection that writes, one that reads, and some for snapshots, on one file in the data folder. */
import { join } from 'node:path'
import { Kysely, type KyselyPlugin } from 'kysely'
import {
  restrictPermissions,
  makePrivateFolder,
  preparePrivateFile,
  privateFileMode,
} from '../../files/private-permissions.js'
import { createAnnouncements } from '../announcements.js'
import { attemptsInMemory } from '../attempts.js'
import { createRates } from '../request-rates.js'
import { type Database, register } from '../database.js'
import { migrate } from '../migrate.js'
import type { Migration } from '../migrations/types.js'
import { sqliteDialect, sqliteSnapshots } from './dialect.js'
import { connectSqlite } from './connection.js'
import { sqliteDataVersions } from './data-versions.js'
import { type Session, sessionOn } from './session.js'
import { sessionInWorker } from './worker-session.js'
import type { Tables } from '../tables.js'
import { createWriter } from '../transactions.js'

/** Opens the file of a data folder, which is created if missing; `writingThread` is the built program of the writer thread. */
export async function openSqlite(
  dataFolder: string,
  known: readonly Migration[],
  writingThread: URL | undefined,
  guard: KyselyPlugin | undefined,
): Promise<Database> {
  await makePrivateFolder(dataFolder)
  const file = join(dataFolder, 'octavo.sqlite')
  // The engine gives its other files the mode of this one.
  preparePrivateFile(file)
  for (const beside of [`${file}-wal`, `${file}-shm`]) await restrictPermissions(beside, privateFileMode)
  const { session, receivePending } =
    writingThread === undefined
      ? { session: sessionOn(await connectSqlite(file, 'write')), receivePending: () => {} }
      : sessionInWorker(writingThread, file)
  const writer = new Kysely<Tables>({ dialect: sqliteDialect(session, 'write') })
  try {
    await migrate(writer, 'sqlite', known)
    const readingConnection = await connectSqlite(file, 'read')
    const readSession = sessionOn(readingConnection)
    // Else a transaction would wait, after each of its statements, for all reads of this turn of the event loop.
    const read: Session = (command) => {
      receivePending()
      return readSession(command)
    }
    const reader = new Kysely<Tables>({ dialect: sqliteDialect(read, 'read') })
    const snapshots = register(new Kysely<Tables>({ dialect: sqliteSnapshots(file) }), 'sqlite', guard)
    const { dataVersion, currentVersion, isUnchanged, forget } = sqliteDataVersions(readingConnection)
    const announcements = createAnnouncements()
    return {
      engine: 'sqlite',
      read: register(reader, 'sqlite', guard),
      readSnapshot: (work) => snapshots.transaction().execute(work),
      ...createWriter(register(writer, 'sqlite', guard), {
        // There is one writing connection: every transaction has all locks.
        lock: undefined,
        beforeCommit: async () => {},
        afterCommit: (topics) => {
          forget()
          announcements.publish(topics)
        },
      }),
      dataVersion() {
        receivePending()
        return dataVersion()
      },
      currentVersion,
      isUnchanged,
      attempts: attemptsInMemory(),
      rates: createRates(),
      onAnnounced: announcements.on,
      close: async () => {
        await snapshots.destroy()
        await reader.destroy()
        await writer.destroy()
      },
    }
  } catch (error) {
    await writer.destroy()
    throw error
  }
}
