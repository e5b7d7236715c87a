/**
 * Output of commands: results on standard output, progress on standard error as a bar on a terminal and as lines
 * elsewhere. For machines (`--json`) all of it is one JSON object per line.
 */
import { SingleBar } from 'cli-progress'

export interface Reporter {
  /** Prints a result: the sentence for people, the members for machines. */
  result(sentence: string, members: Readonly<Record<string, unknown>>): void
  /** Prints a warning beside the results. */
  warn(sentence: string, members: Readonly<Record<string, unknown>>): void
  /** Prints many warnings: the first twenty for people, all for machines. */
  warnAll(warnings: readonly CommandWarning[]): void
  /** Starts the progress of a task, of `total` parts where that is known beforehand. */
  startTask(task: string, total?: number): ProgressTask
}

export interface CommandWarning {
  readonly sentence: string
  readonly members: Readonly<Record<string, unknown>>
}

export interface ProgressTask {
  /** `parts` is the breakdown of `done`: `{ texts: 3, others: 2 }`. */
  advance(done: number, total?: number, parts?: TaskParts): void
  end(): void
}

type TaskParts = Readonly<Record<string, number>>

const maxPrintedWarnings = 20

/** Milliseconds between two lines about the same task. */
const minInterval = 2_000

export function createReporter({ json }: { readonly json: boolean }): Reporter {
  if (json) return createJsonReporter()
  const warn = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
  return {
    result: (sentence) => void process.stdout.write(`${sentence}\n`),
    warn,
    warnAll(warnings) {
      for (const { sentence } of warnings.slice(0, maxPrintedWarnings)) warn(sentence)
      const more = warnings.length - maxPrintedWarnings
      if (more > 0) warn(`… and ${more} more: --json lists all`)
    },
    startTask: process.stderr.isTTY ? startBar : startLines,
  }
}

function createJsonReporter(): Reporter {
  const write = (members: object): void => void process.stdout.write(`${JSON.stringify(members)}\n`)
  const warn = (members: object): void => write({ event: 'warning', ...members })
  return {
    result: (_, members) => write({ event: 'result', ...members }),
    warn: (_, members) => warn(members),
    warnAll: (warnings) => warnings.forEach(({ members }) => warn(members)),
    startTask: (task, total) =>
      throttled(total, (done, of, parts) =>
        write({ event: 'progress', task, done, ...(of !== undefined && { total: of }), ...parts }),
      ),
  }
}

function startBar(task: string, total?: number): ProgressTask {
  const format = total === undefined ? `${task}  {value}` : `${task}  {bar} {value}/{total}  {eta_formatted}`
  const bar = new SingleBar({ format, stream: process.stderr, hideCursor: true, clearOnComplete: true })
  bar.start(total ?? 0, 0)
  return {
    advance(done, of) {
      if (of !== undefined) bar.setTotal(of)
      bar.update(done)
    },
    end: () => bar.stop(),
  }
}

function startLines(task: string, total?: number): ProgressTask {
  return throttled(total, (done, of, parts = {}) => {
    const breakdown = Object.entries(parts).map(([name, count]) => `${count} ${name}`)
    const suffix = breakdown.length === 0 ? '' : ` (${breakdown.join(', ')})`
    process.stderr.write(
      of === undefined ? `${task}: ${done}${suffix}\n` : `${task}: ${done} of ${of}${suffix}\n`,
    )
  })
}

/** Writes at intervals, and once at the end. */
function throttled(
  total: number | undefined,
  write: (done: number, total: number | undefined, parts: TaskParts | undefined) => void,
): ProgressTask {
  let [latest, of, written] = [0, total, -1]
  let breakdown: TaskParts | undefined
  let next = performance.now() + minInterval
  return {
    advance(done, newTotal = of, parts = undefined) {
      ;[latest, of, breakdown] = [done, newTotal, parts]
      if (performance.now() < next) return
      next = performance.now() + minInterval
      written = done
      write(done, of, breakdown)
    },
    end() {
      if (written !== latest) write(latest, of, breakdown)
    },
  }
}
