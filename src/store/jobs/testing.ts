/** A worker for tests that runs due jobs and returns. */
import { type WorkerOptions, runNextJob } from './worker.js'

/** Runs all due jobs, one after the other, and returns their number. */
export async function drainJobs(options: WorkerOptions): Promise<number> {
  let count = 0
  while (!options.signal.aborted && (await runNextJob(options))) count += 1
  return count
}
