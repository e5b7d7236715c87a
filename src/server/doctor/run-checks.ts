/** Integrity checks of `octavo doctor`: runs all of them in order and counts the problems. */
import { listDeadJobs } from '../../store/content/verify.js'
import { checkIntegrity } from '../../store/db/sqlite-file.js'
import { checkContents } from './contents.js'
import { checkFiles } from './files.js'
import { checkIndexes, isIndexCurrent } from './indexes.js'
import { checkObjects } from './objects.js'
import { type DetectedProblem, type CheckContext, restoreAdvice } from './check-context.js'
import { checkRows } from './rows.js'

export interface CheckResult {
  readonly files: number
  readonly heads: number
  /** Problems that remain. */
  readonly problems: number
  readonly repaired: number
}

/** Reads and checks all data; with `isRepairing` rebuilds what can be derived from intact data. */
export async function runChecks(
  base: Omit<CheckContext, 'reportProblem'>,
  { isRepairing }: { readonly isRepairing: boolean },
): Promise<CheckResult> {
  const { database, report } = base
  let [problems, repaired] = [0, 0]
  const reportProblem = async ({ problem, advice, repair }: DetectedProblem): Promise<boolean> => {
    if (isRepairing && repair !== undefined && (await repair())) {
      repaired += 1
      report.warn(`Repaired: ${problem}`, { problem, repaired: true })
      return true
    }
    problems += 1
    report.warn(`${problem} ${advice}`, { problem, advice })
    return false
  }
  const context: CheckContext = { ...base, reportProblem }
  for (const line of await checkIntegrity(database.read))
    await reportProblem({ problem: `The database is damaged: ${line}.`, advice: restoreAdvice })
  await checkRows(context)
  const files = await checkFiles(context)
  const heads = await checkContents(context, await checkObjects(context))
  await checkIndexes(context)
  for (const job of await listDeadJobs(database.read)) {
    if (await isIndexCurrent(context, job)) continue
    const { type, error, created_at: at } = job
    const reason = error?.split('\n')[0] ?? 'no reason is known'
    await reportProblem({
      problem: `The job ${type} of ${new Date(at).toISOString()} was given up: ${reason}.`,
      advice: 'The next change of the same thing does it again.',
    })
  }
  return { files, heads, problems, repaired }
}
