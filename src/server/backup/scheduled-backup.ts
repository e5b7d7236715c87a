/**
 * Scheduled backups: a job that runs `octavo backup` in a process of its own, so that it takes neither memory nor time
 * from requests. Of several servers one runs it; a failed one is retried, and logged.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Counter, Gauge } from 'prom-client'
import type { Database } from '../../store/db/database.js'
import { noLocks } from '../../store/db/lock-scope.js'
import { enqueue, isJobPending } from '../../store/jobs/outbox.js'
import type { EmptyPayload } from '../../store/jobs/payloads.js'
import type { JobHandlers } from '../../store/jobs/worker.js'
import { packageRoot } from '../package-root.js'
import type { Settings } from '../settings/settings.js'

const backUpJob = 'back-up'
const hour = 60 * 60 * 1000

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads {
    [backUpJob]: EmptyPayload
  }
}

export const completedBackups = new Counter({
  name: 'octavo_backups_total',
  help: 'Scheduled backups of this process, by their result.',
  labelNames: ['result'],
  registers: [],
})
export const lastBackup = new Gauge({
  name: 'octavo_last_backup_timestamp_seconds',
  help: 'When this process last completed a scheduled backup.',
  registers: [],
})

/** Schedules a backup if the settings name a target and none is scheduled. */
export async function scheduleBackups(database: Database, settings: Settings, now: number): Promise<void> {
  if (settings.backup === undefined || (await isJobPending(database.read, backUpJob, backUpJob))) return
  await schedule(database, now, now)
}

/** At most one waits, however many servers schedule it. */
async function schedule(database: Database, at: number, runAt: number): Promise<void> {
  await database.writeWithLocks(noLocks, (tx) =>
    enqueue(tx, { organizationId: null, type: backUpJob, key: backUpJob, payload: {}, at, runAt }),
  )
}

/** Returns the handler of the job, for servers whose settings name a target. */
export function backupHandlers(
  database: Database,
  settings: Settings & { readonly backup: string },
  now: () => number,
): JobHandlers {
  const { backup, backupHours, backupCount } = settings
  return {
    async [backUpJob](_payload, { signal }) {
      // Scheduled first: should this job be given up, the next one runs nevertheless.
      await schedule(database, now(), now() + backupHours * hour)
      try {
        await runBackupCommand(['backup', backup, '--retain', String(backupCount)], settings, signal)
        completedBackups.labels('complete').inc()
        lastBackup.set(now() / 1000)
      } catch (error) {
        if (!signal.aborted) completedBackups.labels('failed').inc()
        throw error
      }
    },
  }
}

/** Runs a command on the same data; throws with what it printed when it fails. */
async function runBackupCommand(
  words: readonly string[],
  { data, databaseUrl, filesUrl, backupPassphrase }: Settings,
  signal: AbortSignal,
): Promise<void> {
  const program = fileURLToPath(new URL('bin/octavo.js', packageRoot))
  const child = spawn(process.execPath, [program, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      OCTAVO_DATA: data,
      ...(databaseUrl !== undefined && { OCTAVO_DATABASE_URL: databaseUrl }),
      ...(filesUrl !== undefined && { OCTAVO_FILES_URL: filesUrl }),
      ...(backupPassphrase !== undefined && { OCTAVO_BACKUP_PASSPHRASE: backupPassphrase }),
    },
    signal,
  })
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed = (printed + text).slice(-2000)))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code !== 0) throw new Error(`The backup failed: ${printed.trim().split('\n').at(-1)}`)
}
