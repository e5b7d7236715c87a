/** Uploaded files are read to their end: missing, of another size, or not what their names say. */
import { createHash } from 'node:crypto'
import { listBlobs } from '../../store/content/verify.js'
import { type Patient, restore } from './check-context.js'

/** Answers how many files were looked at. */
export async function checkFiles({ database, services, report, complain }: Patient): Promise<number> {
  const blobs = await listBlobs(database.read)
  const task = report.startTask('Files', blobs.length)
  for (const [index, { hash, size }] of blobs.entries()) {
    const found = await services.files.findSize(hash)
    if (found === undefined) await complain({ problem: `The file ${hash} is missing.`, advice: restore })
    else if (found !== size) {
      const problem = `The file ${hash} has ${found} bytes instead of ${size}.`
      await complain({ problem, advice: restore })
    } else {
      const measured = createHash('sha256')
      for await (const piece of (await services.files.open(hash))!) measured.update(piece as Uint8Array)
      if (measured.digest('base64url') !== hash)
        await complain({ problem: `The file ${hash} is damaged.`, advice: restore })
    }
    task.advance(index + 1)
  }
  task.end()
  return blobs.length
}
