/** SQLite opened: one connection that writes, one that reads, and some for snapshots, on one file in the data folder. */
import { join } from 'node:path'
import { Kysely, type KyselyPlugin } from 'kysely'
import { closeToOthers, makePrivateFolder, preparePrivateFile, privateFile } from '../../files/private.js'
import { createAnnouncements } from '../announcements.js'
import { attemptsInMemory } from '../attempts.js'
import { createRates } from '../rates.js'
import { type Database, register } from '../database.js'
import { migrate } from '../migrate.js'
import type { Migration } from '../migrations/types.js'
import { sqliteDialect, sqliteSnapshots } from './dialect.js'
import { connectSqlite } from './connection.js'
import { sqliteMoments } from './moments.js'
import { type Session, sessionOn } from './session.js'
import { sessionInThread } from './threaded.js'
import type { Tables } from '../tables.js'
import { writing } from '../transactions.js'

/** Opens the file of a data folder, made if need be; `writingThread` is the built program of the thread that writes. */
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
  for (const beside of [`${file}-wal`, `${file}-shm`]) await closeToOthers(beside, privateFile)
  const { session, hear } =
    writingThread === undefined
      ? { session: sessionOn(await connectSqlite(file, 'write')), hear: () => {} }
      : sessionInThread(writingThread, file)
  const writer = new Kysely<Tables>({ dialect: sqliteDialect(session, 'write') })
  try {
    await migrate(writer, 'sqlite', known)
    const readingConnection = await connectSqlite(file, 'read')
    const readHere = sessionOn(readingConnection)
    // Among many reads a writer would wait for all of them after each of its statements.
    const read: Session = (asked) => {
      hear()
      return readHere(asked)
    }
    const reader = new Kysely<Tables>({ dialect: sqliteDialect(read, 'read') })
    const snapshots = register(new Kysely<Tables>({ dialect: sqliteSnapshots(file) }), 'sqlite', guard)
    const { moment, momentNow, isStill, forget } = sqliteMoments(readingConnection)
    const hub = createAnnouncements()
    return {
      engine: 'sqlite',
      read: register(reader, 'sqlite', guard),
      readSnapshot: (work) => snapshots.transaction().execute(work),
      ...writing(register(writer, 'sqlite', guard), {
        // One connection writes, and begins as writer: everybody holds everything.
        lock: undefined,
        beforeCommit: async () => {},
        afterCommit: (topics) => {
          forget()
          hub.tell(topics)
        },
      }),
      moment() {
        hear()
        return moment()
      },
      momentNow,
      isStill,
      attempts: attemptsInMemory(),
      rates: createRates(),
      onAnnounced: hub.on,
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
