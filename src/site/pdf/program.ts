/**
 * The program of the process that prints: says how far it is, then how many pages it made, or what was wrong. A thread
 * of it watches what it takes, because machine code asks nobody for memory.
 */
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { UploadDetail, PrinterMessage } from '../../store/printing/printer.js'
import { printBook } from './print.js'

const [folder, care, memory] = process.argv.slice(2) as [string, UploadDetail, string]

/** Beside the program, where it was built. */
const fonts = fileURLToPath(new URL('../fonts', import.meta.url))

/** Ends the process when it takes too much; looked at ten times a second. */
const watching = `
const { workerData } = require('node:worker_threads')
setInterval(() => {
  if (process.memoryUsage.rss() > workerData * 1048576) process.kill(process.pid, 'SIGKILL')
}, 100)`

const say = (message: PrinterMessage): void => void process.send!(message)

process.on('disconnect', () => process.exit(1))
say({ problem: 'it takes more memory than it may, or what sets it failed' })
new Worker(watching, { eval: true, workerData: Number(memory) }).unref()
try {
  say({ pages: await printBook(folder, { fonts, care, progress: (done) => say({ done }) }) })
} catch (error) {
  say({ problem: (error as Error).message.slice(0, 1_000) })
}
process.disconnect()
