/** The server as a child process: started in a folder as users start it, with what it writes to standard error. */
import { type ChildProcess, spawn } from 'node:child_process'

export interface ServerProgram {
  readonly base: string
  /** What it wrote to standard error so far. */
  errorOutput(): string
  hasEnded(): boolean
  stop(): Promise<void>
  /** Kills it in the middle of its work. */
  kill(): Promise<void>
}

/** The environment without the variables that npm sets for its scripts, and without `OCTAVO_…`. */
export const cleanEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_(lifecycle|package)|OCTAVO)_|^INIT_CWD$/.test(name)),
)

/**
 * Starts `octavo serve` on a port, a free one by default, with the folder as its working directory; rejects with its output
 * when it exits. A preload is a module that runs first; its standard input is open as long as this process lives.
 */
export async function startProgram(
  folder: string,
  program: string,
  settings: Readonly<Record<string, string>> = {},
  port = '0',
  preload?: string,
): Promise<ServerProgram> {
  const preloads = preload === undefined ? [] : ['--import', preload]
  const server: ChildProcess = spawn(process.execPath, [...preloads, program, 'serve', '--port', port], {
    cwd: folder,
    env: { ...cleanEnvironment, ...settings },
    stdio: [preload === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
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
    errorOutput: () => error,
    hasEnded: () => server.exitCode !== null || server.signalCode !== null,
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
