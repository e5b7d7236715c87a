/** Names that many file systems and readers cannot tell apart, and pages whose address carries a number for it. */
import type { SnapshotPlan } from './build.js'
import { pathKey } from './keys.js'
import { pathOfFile } from './paths.js'
import type { ImportProblem } from './problems.js'

/** Returns what is to be told of a planned import: both of two twins are kept, this says under which names. */
export function findTwins({ config, pages, files, texts }: SnapshotPlan): ImportProblem[] {
  const addresses = new Map<string, string>()
  for (const page of pages) {
    if (page.type !== 'document' || page.text === undefined) continue
    if (page.path !== pathOfFile(page.file, config)) addresses.set(page.file, page.path)
  }
  const written = pages.flatMap((page) =>
    page.type === 'document' && page.text !== undefined ? [page.file] : [],
  )
  const paths = [...written, ...files.map(({ path }) => path), ...texts.map(({ path }) => path)].toSorted()
  const seen = new Map<string, string>()
  return paths.flatMap((path): ImportProblem[] => {
    const key = pathKey(path).normalize('NFC')
    const twin = seen.get(key)
    if (twin === undefined) seen.set(key, path)
    const address = addresses.get(path)
    if (twin === undefined && address === undefined) return []
    const told = [
      ...(twin === undefined ? [] : [`Only its case or accents differ from ${twin}: both are kept.`]),
      ...(address === undefined ? [] : [`Another page has its address: this one is at “${address}”.`]),
    ]
    return [{ kind: 'twin', path, message: told.join(' ') }]
  })
}
