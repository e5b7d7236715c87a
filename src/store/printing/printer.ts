/**
 * Prints a folder in a child process, with a deadline and a memory limit: typesetting uses a native library, which can be
 * neither stopped nor bounded in a thread. Does not know what is printed; the child's program gets the folder and the
 * detail level, and reports its progress.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Messages of the child. */
export type PrinterMessage =
  | { readonly done: number }
  | { readonly pages: number }
  | { readonly problem: string }

/** How much of uploaded files is processed. */
export type UploadDetail = 'all' | 'pixels' | 'none'

export interface PrintOrder {
  readonly folder: string
  /** Detail levels, tried in order until one succeeds: only levels that change something are worth a further attempt. */
  readonly cares: readonly UploadDetail[]
  readonly signal: AbortSignal
  readonly progress: (done: number) => void
}

/** Thrown when a folder cannot be printed at any level: with a sentence without its full stop. */
export class PrintFailed extends Error {}

export interface Printer {
  /** Returns the number of printed pages. Throws `PrintFailed`, and the reason of the signal. */
  print(order: PrintOrder): Promise<number>
}

export interface PrinterLimits {
  /** Milliseconds for one attempt. */
  readonly deadline?: number
  /** Memory limit of the process in megabytes. */
  readonly memory?: number
}

const defaultDeadline = 120_000
/** Default memory limit of a process in megabytes. */
export const printerMemory = 1_500

/** Returns a printer that runs the program at `entry`, one process for each attempt. */
export function createPrinter(
  entry: URL,
  { deadline = defaultDeadline, memory = printerMemory }: PrinterLimits = {},
): Printer {
  return {
    async print(order) {
      let last: Error | undefined
      for (const care of order.cares) {
        try {
          return await tryOnce(order, care)
        } catch (error) {
          order.signal.throwIfAborted()
          last = error as Error
        }
      }
      throw new PrintFailed(last!.message, { cause: last })
    },
  }

  function tryOnce({ folder, signal, progress }: PrintOrder, care: UploadDetail): Promise<number> {
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      let problem = 'what makes it ended without a word'
      const child: ChildProcess = fork(fileURLToPath(entry), [folder, care, String(memory)], {
        // No environment of the server: the child only reads a folder and writes into it.
        env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
        execArgv: [`--max-old-space-size=${Math.round(memory / 2)}`],
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      })
      const end = (why: string): void => {
        problem = why
        child.kill('SIGKILL')
      }
      const clock = setTimeout(() => end(`it takes longer than ${deadline / 1_000} seconds`), deadline)
      const stop = (): void => end('the server stops')
      signal.addEventListener('abort', stop)
      let pages: number | undefined
      child.on('message', (message: PrinterMessage) => {
        if ('done' in message) progress(message.done)
        else if ('pages' in message) pages = message.pages
        // The cause of its end takes precedence over its earlier messages.
        else if (!child.killed) problem = message.problem
      })
      const finish = (): void => {
        clearTimeout(clock)
        signal.removeEventListener('abort', stop)
        if (pages === undefined) reject(new Error(problem))
        else resolve(pages)
      }
      child.on('error', (error) => {
        problem = error.message
        finish()
      })
      child.on('close', finish)
    })
  }
}
