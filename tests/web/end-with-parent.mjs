/**
 * Preload of a server program: when the process that started it is gone, however that ended, the server ends too, and its
 * working folder is removed.
 */
import { rmSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

if (isMainThread)
  process.stdin
    .once('close', () => {
      rmSync(process.cwd(), { recursive: true, force: true })
      process.exit()
    })
    .resume()
