/**
 * Throwaway PostgreSQL for programs that stop it, restart it and end its connections: on loopback, in a folder that is
 * removed with it. Its settings are in `scripts/test-postgres.sh`.
 */
import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './server-process.js'

export interface PostgresProcess {
  readonly url: string
  readonly folder: string
  /** Kills it, as a crash would, and starts it again. */
  restart(): Promise<void>
  /** Kills it; `resume` starts it again. */
  halt(): Promise<void>
  resume(): Promise<void>
  /** Ends it and removes its folder. */
  remove(): Promise<void>
}

/** Starts one; undefined where PostgreSQL is not installed. */
export async function startPostgres(): Promise<PostgresProcess | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-postgres-'))
  const port = String(await findFreePort())
  const script = async (command: string): Promise<string> => {
    const words = [join(root, 'scripts/test-postgres.sh'), command, folder, port]
    return (await promisify(execFile)('sh', words)).stdout.trim()
  }
  let url: string
  try {
    url = await script('start')
  } catch (error) {
    if (/not installed/.test((error as { stderr?: string }).stderr ?? '')) return undefined
    throw error
  }
  return {
    url,
    folder,
    restart: async () => void (await script('restart')),
    halt: async () => void (await script('halt')),
    resume: async () => void (await script('start')),
    remove: async () => void (await script('stop')),
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
