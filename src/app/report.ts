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
  /** Begins a task, of `total` parts where that is known beforehand. */
  begin(task: string, total?: number): Task
}

export interface Task {
  advance(done: number, total?: number): void
  end(): void
}

/** Between two lines about the same task, in milliseconds. */
const pause = 2_000

export function createReport({ json }: { readonly json: boolean }): Report {
  if (json) return createJsonReport()
  return {
    say: (sentence) => void process.stdout.write(`${sentence}\n`),
    warn: (sentence) => void process.stderr.write(`${sentence}\n`),
    begin: process.stderr.isTTY ? beginBar : beginLines,
  }
}

function createJsonReport(): Report {
  const write = (members: object): void => void process.stdout.write(`${JSON.stringify(members)}\n`)
  return {
    say: (_, members) => write({ event: 'result', ...members }),
    warn: (_, members) => write({ event: 'warning', ...members }),
    begin: (task, total) =>
      paced(total, (done, of) =>
        write({ event: 'progress', task, done, ...(of !== undefined && { total: of }) }),
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
  return paced(total, (done, of) => {
    process.stderr.write(of === undefined ? `${task}: ${done}\n` : `${task}: ${done} of ${of}\n`)
  })
}

/** Writes now and then, and once at the end. */
function paced(total: number | undefined, write: (done: number, total: number | undefined) => void): Task {
  let [latest, of, written] = [0, total, -1]
  let next = performance.now() + pause
  return {
    advance(done, newTotal = of) {
      ;[latest, of] = [done, newTotal]
      if (performance.now() < next) return
      next = performance.now() + pause
      written = done
      write(done, of)
    },
    end() {
      if (written !== latest) write(latest, of)
    },
  }
}
