/**
 * Entry point of the PDF process: sends its progress, then the number of pages or the error. A thread of it enforces the
 * memory limit, because native code allocates outside of the limits of V8.
 */
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { UploadDetail, PrinterMessage } from '../../store/printing/printer.js'
import { printBook } from './print-book.js'

const [folder, detail, memory] = process.argv.slice(2) as [string, UploadDetail, string]

/** Beside the bundled program. */
const fonts = fileURLToPath(new URL('../fonts', import.meta.url))

/** Kills the process above its memory limit; checked ten times a second. */
const memoryWatcher = `
const { workerData } = require('node:worker_threads')
setInterval(() => {
  if (process.memoryUsage.rss() > workerData * 1048576) process.kill(process.pid, 'SIGKILL')
}, 100)`

const send = (message: PrinterMessage): void => void process.send!(message)

process.on('disconnect', () => process.exit(1))
send({ problem: 'it takes more memory than it may, or what sets it failed' })
new Worker(memoryWatcher, { eval: true, workerData: Number(memory) }).unref()
try {
  send({ pages: await printBook(folder, { fonts, care: detail, progress: (done) => send({ done }) }) })
} catch (error) {
  send({ problem: (error as Error).message.slice(0, 1_000) })
}
process.disconnect()
