/** The program as people run it: a server in a folder of theirs, and what it says to whoever started it. */
import { type ChildProcess, spawn } from 'node:child_process'

export interface ServedProgram {
  readonly base: string
  /** What it wrote to standard error so far. */
  said(): string
  stop(): Promise<void>
  /** Ends it in the middle of whatever it does. */
  kill(): Promise<void>
}

/** Without what npm says of itself to the programs that it runs, and without settings of ours. */
export const cleanEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_(lifecycle|package)|OCTAVO)_|^INIT_CWD$/.test(name)),
)

/** Starts `octavo serve` on a free port, with the folder as its working directory; rejects with what it said when it ends. */
export async function serveIn(
  folder: string,
  program: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServedProgram> {
  const server: ChildProcess = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    cwd: folder,
    env: { ...cleanEnvironment, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, error] = ['', '']
  server.stderr!.on('data', (piece: Buffer) => (error += piece.toString()))
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()))
  const ready = new Promise<void>((resolve) => {
    server.stdout!.on('data', (piece: Buffer) => {
      out += piece.toString()
      if (out.includes('\n')) resolve()
    })
  })
  await Promise.race([ready, ended])
  const [, base] = /^octavo ready (\S+)\n$/.exec(out) ?? []
  if (base === undefined) {
    server.kill()
    throw new Error(`The server did not get ready: ${out}${error}`)
  }
  return {
    base,
    said: () => error,
    async stop() {
      server.kill()
      await ended
    },
    async kill() {
      server.kill('SIGKILL')
      await ended
    },
  }
}
