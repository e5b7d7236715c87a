/**
 * Has a folder printed in a process of its own, with a deadline and a limit of memory: what sets texts is a library of
 * machine code, which can neither be stopped nor bounded in a thread. Knows nothing of what is printed; the program in
 * the process is handed the folder and how careful to be, and says how far it is.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What the program says. */
export type PrinterMessage =
  | { readonly done: number }
  | { readonly pages: number }
  | { readonly problem: string }

/** How much is made of what people uploaded. */
export type UploadDetail = 'all' | 'pixels' | 'none'

export interface PrintOrder {
  readonly folder: string
  /** Tried one after the other until one succeeds: only what changes something is worth a further try. */
  readonly cares: readonly UploadDetail[]
  readonly signal: AbortSignal
  readonly progress: (done: number) => void
}

/** Thrown when a folder cannot be printed, however carefully: with a sentence without its full stop. */
export class PrintFailed extends Error {}

export interface Printer {
  /** Answers the pages of what was printed. Throws `PrintFailed`, and the reason of the signal. */
  print(order: PrintOrder): Promise<number>
}

export interface PrinterLimits {
  /** Milliseconds for one try. */
  readonly deadline?: number
  /** Megabytes that the process may take. */
  readonly memory?: number
}

const usualDeadline = 120_000
/** Megabytes that a process takes at most, unless it is said. */
export const printerMemory = 1_500

/** Returns a printer that runs the program at `entry`, one process for each try. */
export function createPrinter(
  entry: URL,
  { deadline = usualDeadline, memory = printerMemory }: PrinterLimits = {},
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
        // Nothing of what the server knows: it reads a folder and writes into it.
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
        // What ended it is the reason, whatever it had said before.
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
