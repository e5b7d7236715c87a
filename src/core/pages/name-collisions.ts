/** Name collisions: names that many file systems and readers cannot distinguish, and pages whose address got a number. */
import type { SnapshotPlan } from './build.js'
import { pathKey } from './keys.js'
import { pathOfFile } from './paths.js'
import type { ImportProblem } from './import-problems.js'

/** Returns the name collisions of a planned import: both files remain, the message says under which names. */
export function findNameCollisions({ config, pages, files, texts }: SnapshotPlan): ImportProblem[] {
  const addresses = new Map<string, string>()
  for (const page of pages) {
    if (page.type !== 'document' || page.text === undefined) continue
    if (page.path !== pathOfFile(page.file, config)) addresses.set(page.file, page.path)
  }
  const written = pages.flatMap((page) =>
    page.type === 'document' && page.text !== undefined ? [page.file] : [],
  )
  const paths = [...written, ...files.map(({ path }) => path), ...texts.map(({ path }) => path)].toSorted()
  const pathByKey = new Map<string, string>()
  return paths.flatMap((path): ImportProblem[] => {
    const key = pathKey(path).normalize('NFC')
    const collidingPath = pathByKey.get(key)
    if (collidingPath === undefined) pathByKey.set(key, path)
    const address = addresses.get(path)
    if (collidingPath === undefined && address === undefined) return []
    const messages = [
      ...(collidingPath === undefined
        ? []
        : [`Only its case or accents differ from ${collidingPath}: both are kept.`]),
      ...(address === undefined ? [] : [`Another page has its address: this one is at “${address}”.`]),
    ]
    return [{ kind: 'twin', path, message: messages.join(' ') }]
  })
}
