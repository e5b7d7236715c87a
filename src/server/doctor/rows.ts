/** The rows: do they agree with each other, whoever wrote beside whom? */
import { listViolations } from '../../store/db/invariants.js'
import { type Patient, repairable } from './check-context.js'

export async function checkRows({ database, complain }: Patient): Promise<void> {
  for (const { problem, ids, repair } of await listViolations(database.read)) {
    const sentence = problem.charAt(0).toUpperCase() + problem.slice(1)
    await complain({
      problem: `${sentence}: ${ids.join(', ')}.`,
      ...(repair === undefined
        ? { advice: 'Change these through the API, or restore a backup made before.' }
        : {
            advice: repairable,
            repair: async () => {
              await database.write(repair)
              return true
            },
          }),
    })
  }
}
