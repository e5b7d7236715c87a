/**
 * What a command tells whoever runs it: results on standard output, progress on standard error as a bar on a
 * terminal and as lines elsewhere. For machines (`--json`) all of it is one JSON object per line.
 */
import { SingleBar } from 'cli-progress'

export interface Report {
  /** Says a result: the sentence to people, the members to machines. */
  say(sentence: string, members: Readonly<Record<string, unknown>>): void
  /** Says something to look at that is no result. */
  warn(sentence: string, members: Readonly<Record<string, unknown>>): void
  /** Says many such things: people are shown the first twenty, machines all. */
  warnOfAll(warnings: readonly Warning[]): void
  /** Begins a task, of `total` parts where that is known beforehand. */
  begin(task: string, total?: number): Task
}

export interface Warning {
  readonly sentence: string
  readonly members: Readonly<Record<string, unknown>>
}

export interface Task {
  /** `parts` says what is counted together in `done`: `{ texts: 3, others: 2 }`. */
  advance(done: number, total?: number, parts?: Parts): void
  end(): void
}

type Parts = Readonly<Record<string, number>>

const shownWarnings = 20

/** Between two lines about the same task, in milliseconds. */
const pause = 2_000

export function createReport({ json }: { readonly json: boolean }): Report {
  if (json) return createJsonReport()
  const warn = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
  return {
    say: (sentence) => void process.stdout.write(`${sentence}\n`),
    warn,
    warnOfAll(warnings) {
      for (const { sentence } of warnings.slice(0, shownWarnings)) warn(sentence)
      const more = warnings.length - shownWarnings
      if (more > 0) warn(`… and ${more} more: --json lists all`)
    },
    begin: process.stderr.isTTY ? beginBar : beginLines,
  }
}

function createJsonReport(): Report {
  const write = (members: object): void => void process.stdout.write(`${JSON.stringify(members)}\n`)
  const warn = (members: object): void => write({ event: 'warning', ...members })
  return {
    say: (_, members) => write({ event: 'result', ...members }),
    warn: (_, members) => warn(members),
    warnOfAll: (warnings) => warnings.forEach(({ members }) => warn(members)),
    begin: (task, total) =>
      paced(total, (done, of, parts) =>
        write({ event: 'progress', task, done, ...(of !== undefined && { total: of }), ...parts }),
      ),
  }
}

function beginBar(task: string, total?: number): Task {
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

function beginLines(task: string, total?: number): Task {
  return paced(total, (done, of, parts = {}) => {
    const counted = Object.entries(parts).map(([name, count]) => `${count} ${name}`)
    const apart = counted.length === 0 ? '' : ` (${counted.join(', ')})`
    process.stderr.write(
      of === undefined ? `${task}: ${done}${apart}\n` : `${task}: ${done} of ${of}${apart}\n`,
    )
  })
}

/** Writes now and then, and once at the end. */
function paced(
  total: number | undefined,
  write: (done: number, total: number | undefined, parts: Parts | undefined) => void,
): Task {
  let [latest, of, written] = [0, total, -1]
  let counted: Parts | undefined
  let next = performance.now() + pause
  return {
    advance(done, newTotal = of, parts = undefined) {
      ;[latest, of, counted] = [done, newTotal, parts]
      if (performance.now() < next) return
      next = performance.now() + pause
      written = done
      write(done, of, counted)
    },
    end() {
      if (written !== latest) write(latest, of, counted)
    },
  }
}
