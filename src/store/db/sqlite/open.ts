/**
 * Opens SQLite on one file in the data folder: a connection that writes, one that reads, and some for snapshots.
 *
 * A server writes by two connections that take turns: one in this thread, whose commits `group-commit.ts` makes durable,
 * and one in a writer thread for statements on many rows.
 */
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
import { createCheckpoints } from './checkpoints.js'
import { type Turns, createTurns, sqliteDialect, sqliteSnapshots } from './dialect.js'
import { createGroupCommit, openLogFile } from './group-commit.js'
import { connectSqlite } from './connection.js'
import { sqliteDataVersions } from './data-versions.js'
import { type Session, sessionOn, yieldingSession } from './session.js'
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
  const turns = createTurns()
  const bulkWriter = new Kysely<Tables>({ dialect: sqliteDialect(session, 'write', turns) })
  try {
    await migrate(bulkWriter, 'sqlite', known)
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
    // There is one writer at a time: every transaction has all locks.
    const writerOptions = {
      lock: undefined,
      beforeCommit: async () => {},
      onVisible: forget,
      afterCommit: announcements.publish,
    }
    const bulk = createWriter(register(bulkWriter, 'sqlite', guard), writerOptions)
    const direct = writingThread === undefined ? undefined : await openDirectWriter(file, session, turns)
    const { write, writeWithLocks } =
      direct === undefined
        ? bulk
        : createWriter(register(direct.kysely, 'sqlite', guard), {
            ...writerOptions,
            onVisible() {
              forget()
              direct.noteCommit()
            },
            untilDurable: direct.untilDurable,
          })
    return {
      engine: 'sqlite',
      read: register(reader, 'sqlite', guard),
      readSnapshot: (work) => snapshots.transaction().execute(work),
      write,
      writeWithLocks,
      writeInBulk: bulk.writeWithLocks,
      dataVersion() {
        receivePending()
        return dataVersion()
      },
      currentVersion,
      isUnchanged,
      attempts: attemptsInMemory(),
      rates: createRates(),
      onAnnounced: announcements.on,
      roundTrips: () => 0,
      close: async () => {
        await snapshots.destroy()
        await reader.destroy()
        await direct?.close()
        await bulkWriter.destroy()
      },
    }
  } catch (error) {
    await bulkWriter.destroy()
    throw error
  }
}

/** Opens the connection that writes in this thread; `bulkSession` writes in another one. */
async function openDirectWriter(file: string, bulkSession: Session, turns: Turns) {
  const session = yieldingSession(sessionOn(await connectSqlite(file, 'write-synced-elsewhere')))
  const log = openLogFile(file)
  const groupCommit = createGroupCommit(log.sync)
  const noteCheckpoint = createCheckpoints(bulkSession, turns)
  return {
    kysely: new Kysely<Tables>({ dialect: sqliteDialect(session, 'write', turns) }),
    noteCommit() {
      groupCommit.noteCommit()
      noteCheckpoint()
    },
    untilDurable: groupCommit.untilDurable,
    async close() {
      await turns.take()
      await groupCommit.untilDurable()
      await log.close()
      await session('close')
      turns.end()
    },
  }
}
