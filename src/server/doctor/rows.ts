/** Check of invariants between table rows, which concurrent writers could have violated. */
import { listViolations } from '../../store/db/invariants.js'
import { type CheckContext, repairAdvice } from './check-context.js'

export async function checkRows({ database, reportProblem }: CheckContext): Promise<void> {
  for (const { problem, ids, repair } of await listViolations(database.read)) {
    const sentence = problem.charAt(0).toUpperCase() + problem.slice(1)
    await reportProblem({
      problem: `${sentence}: ${ids.join(', ')}.`,
      ...(repair === undefined
        ? { advice: 'Change these through the API, or restore a backup made before.' }
        : {
            advice: repairAdvice,
            repair: async () => {
              await database.write(repair)
              return true
            },
          }),
    })
  }
}
