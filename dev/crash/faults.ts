/**
 * Fault injection for the database during writes, besides killing a server: PostgreSQL is restarted as after a crash,
 * connections are ended, and connections are made to hang. Each fault ends by itself.
 */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { PostgresProcess } from '../postgres-process.js'

export type FaultKind = 'kill' | 'restart' | 'terminate' | 'hang'

/** Milliseconds for which connections hang, and between two rounds of ending them. */
const hangFor = 1_500
const betweenTerminations = 60
const terminations = 10

/** Injects the fault into a throwaway PostgreSQL; resolves when it is over. */
export async function injectFault(
  postgres: PostgresProcess,
  kind: Exclude<FaultKind, 'kill'>,
): Promise<void> {
  if (kind === 'restart') return postgres.restart()
  const administrator = new pg.Client({ connectionString: postgres.url, application_name: 'administrator' })
  await administrator.connect()
  try {
    if (kind === 'hang') return await hang(administrator)
    for (let turn = 0; turn < terminations; turn += 1) {
      await administrator.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'octavo%'",
      )
      await wait(betweenTerminations)
    }
  } finally {
    await administrator.end()
  }
}

async function hang(administrator: pg.Client): Promise<void> {
  const { rows } = await administrator.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'octavo' order by random() limit 4",
  )
  for (const { pid } of rows) process.kill(pid, 'SIGSTOP')
  await wait(hangFor)
  for (const { pid } of rows) process.kill(pid, 'SIGCONT')
}
