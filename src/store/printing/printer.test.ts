/** The printer with programs that do not end, fail, or succeed at a lower detail level. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type UploadDetail, PrintFailed, type PrinterLimits, createPrinter } from './printer.js'

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'octavo-printer-'))))
afterAll(() => rm(folder, { recursive: true }))
afterEach(() => void vi.useRealTimers())

/** Writes its arguments into the folder before it runs the passed code. */
async function printerOf(work: string, limits?: PrinterLimits) {
  await rm(join(folder, 'calls'), { force: true })
  const program = join(folder, 'program.mjs')
  await writeFile(
    program,
    `import { appendFileSync } from 'node:fs'
    const [folder, care, memory] = process.argv.slice(2)
    appendFileSync(folder + '/calls', [process.pid, care, memory, process.env.OCTAVO_SECRET ?? ''].join(' ') + '\\n')
    ${work}`,
  )
  return createPrinter(pathToFileURL(program), limits)
}

async function calls(): Promise<string[][]> {
  const text = await readFile(join(folder, 'calls'), 'utf8').catch(() => '')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' '))
}

const isGone = (pid: string | undefined): boolean => {
  try {
    process.kill(Number(pid), 0)
    return false
  } catch {
    return true
  }
}

const order = (
  progress: (done: number) => void = () => {},
  signal = new AbortController().signal,
  cares: readonly UploadDetail[] = ['all', 'pixels', 'none'],
) => ({
  folder,
  cares,
  signal,
  progress,
})

test('a loop is killed at its deadline, at each attempt, and reported', async () => {
  const problem = `process.send({ problem: 'it failed' })`
  const printer = await printerOf(`${problem}; process.send({ done: 1 }); ${problem}; for (;;);`, {
    deadline: 2_000,
  })
  // The deadline passes once the process has started, however long that takes.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const failed = printer.print(order(() => vi.advanceTimersByTime(2_000)))
  await expect(failed).rejects.toBeInstanceOf(PrintFailed)
  await expect(failed).rejects.toThrow('it takes longer than 2 seconds')
  const made = await calls()
  expect(made.map(([, care]) => care)).toEqual(['all', 'pixels', 'none'])
  expect(made.every(([pid]) => isGone(pid))).toBe(true)
})

test('a failure is retried at a lower detail level, without the environment of the server', async () => {
  const printer = await printerOf(
    `process.send({ done: 1 })
    if (care !== 'none') process.send({ problem: 'no' }, () => process.exit(3))
    else process.send({ pages: 7 }, () => process.disconnect())`,
    { memory: 300 },
  )
  const reported: number[] = []
  process.env['OCTAVO_SECRET'] = 'known'
  try {
    expect(await printer.print(order((done) => reported.push(done)))).toBe(7)
  } finally {
    delete process.env['OCTAVO_SECRET']
  }
  expect(reported).toEqual([1, 1, 1])
  expect((await calls()).map(([, ...rest]) => rest)).toEqual([
    ['all', '300', ''],
    ['pixels', '300', ''],
    ['none', '300', ''],
  ])
})

test('the last problem is reported, also for a process that ends without a message', async () => {
  const saying = await printerOf(`process.send({ problem: 'no ' + care }, () => process.disconnect())`)
  await expect(saying.print(order())).rejects.toThrow('no none')
  const silent = await printerOf('process.exit(0)')
  await expect(silent.print(order())).rejects.toThrow('what makes it ended without a word')
})

test('a single detail level is tried once', async () => {
  const printer = await printerOf(`process.send({ problem: 'no' }, () => process.disconnect())`)
  await expect(printer.print(order(undefined, undefined, ['all']))).rejects.toThrow('no')
  expect((await calls()).map(([, care]) => care)).toEqual(['all'])
})

test('stopping the server aborts it, without a retry', async () => {
  const stopping = new AbortController()
  const printer = await printerOf('setInterval(() => {}, 1000)')
  const printing = printer.print(order(undefined, stopping.signal))
  const ended = expect(printing).rejects.toThrow('the server ends')
  while ((await calls()).length === 0) await pause(20)
  stopping.abort(new Error('the server ends'))
  await ended
  const made = await calls()
  expect([made.length, isGone(made[0]![0])]).toEqual([1, true])
})
