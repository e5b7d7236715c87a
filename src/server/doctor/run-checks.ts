/** All checks of `octavo doctor`, one after the other, and what came of them. */
import { listDeadJobs } from '../../store/content/verify.js'
import { checkIntegrity } from '../../store/db/copy.js'
import { checkContents } from './contents.js'
import { checkFiles } from './files.js'
import { checkIndexes } from './indexes.js'
import { checkObjects } from './objects.js'
import { type Finding, type Patient, restore } from './check-context.js'
import { checkRows } from './rows.js'

export interface Diagnosis {
  readonly files: number
  readonly heads: number
  /** What is wrong and stays so. */
  readonly problems: number
  readonly repaired: number
}

/** Reads everything that is remembered; with `isRepairing` it makes anew what follows from the rest. */
export async function examine(
  subject: Omit<Patient, 'complain'>,
  { isRepairing }: { readonly isRepairing: boolean },
): Promise<Diagnosis> {
  const { database, report } = subject
  let [problems, repaired] = [0, 0]
  const complain = async ({ problem, advice, repair }: Finding): Promise<boolean> => {
    if (isRepairing && repair !== undefined && (await repair())) {
      repaired += 1
      report.warn(`Repaired: ${problem}`, { problem, repaired: true })
      return true
    }
    problems += 1
    report.warn(`${problem} ${advice}`, { problem, advice })
    return false
  }
  const patient: Patient = { ...subject, complain }
  for (const line of await checkIntegrity(database.read))
    await complain({ problem: `The database is damaged: ${line}.`, advice: restore })
  await checkRows(patient)
  const files = await checkFiles(patient)
  const heads = await checkContents(patient, await checkObjects(patient))
  await checkIndexes(patient)
  for (const { type, error, created_at: at } of await listDeadJobs(database.read)) {
    const reason = error?.split('\n')[0] ?? 'no reason is known'
    await complain({
      problem: `The job ${type} of ${new Date(at).toISOString()} was given up: ${reason}.`,
      advice: 'The next change of the same thing does it again.',
    })
  }
  return { files, heads, problems, repaired }
}
