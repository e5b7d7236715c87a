/** A worker for tests, which does what is due and comes to an end. */
import { type WorkerOptions, workOnce } from './worker.js'

/** Does all that is due, one job after the other, and answers how many there were. */
export async function drainJobs(options: WorkerOptions): Promise<number> {
  let done = 0
  while (!options.signal.aborted && (await workOnce(options))) done += 1
  return done
}
