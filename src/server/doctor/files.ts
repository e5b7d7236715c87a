/** Checksum verification of uploaded files: each is read completely and compared with its size and hash. */
import { createHash } from 'node:crypto'
import { listBlobs } from '../../store/content/verify.js'
import { type CheckContext, restoreAdvice } from './check-context.js'

/** Returns the number of checked files. */
export async function checkFiles({
  database,
  services,
  report,
  reportProblem,
}: CheckContext): Promise<number> {
  const blobs = await listBlobs(database.read)
  const task = report.startTask('Files', blobs.length)
  for (const [index, { hash, size }] of blobs.entries()) {
    const actualSize = await services.files.findSize(hash)
    if (actualSize === undefined)
      await reportProblem({ problem: `The file ${hash} is missing.`, advice: restoreAdvice })
    else if (actualSize !== size) {
      const problem = `The file ${hash} has ${actualSize} bytes instead of ${size}.`
      await reportProblem({ problem, advice: restoreAdvice })
    } else {
      const digest = createHash('sha256')
      for await (const chunk of (await services.files.open(hash))!) digest.update(chunk as Uint8Array)
      if (digest.digest('base64url') !== hash)
        await reportProblem({ problem: `The file ${hash} is damaged.`, advice: restoreAdvice })
    }
    task.advance(index + 1)
  }
  task.end()
  return blobs.length
}
