/**
 * Shortens file names beyond the limit of file systems for an export. A space may have them from before names were
 * bounded; the space is not changed, only the exported snapshot has shorter names.
 */
import { byteLength } from '../bytes.js'
import type { Step } from '../merkle/types.js'
import { draftOf, draftPage, draftText, finishDraft, putTextFile, removeTextFile } from './draft.js'
import type { Draft } from './draft.js'
import { createNumbering } from './free-numbers.js'
import { joinPath, maxNameBytes, shortenName } from './paths.js'
import { findFile, listNames } from './read.js'
import { relocate } from './relocate.js'
import type { DocumentPage, FileRecord, Snapshot } from './types.js'

/** Bytes reserved for the number that distinguishes shortened names. */
const numberSuffixBytes = 11

/** Returns the snapshot with names of at most 255 bytes and the links that follow them; the same one when all are. */
export function* withShortNames(
  snapshot: Snapshot,
  context: Pick<Draft, 'sink' | 'describe'>,
): Step<Snapshot> {
  const names = yield* listNames(snapshot)
  const shorter = shortenPaths(names.map(([path]) => path))
  if (shorter.size === 0) return snapshot
  const draft = draftOf(snapshot, context)
  const pages: DocumentPage[] = []
  const files: FileRecord[] = []
  for (const [path, entry] of names) {
    const short = shorter.get(path)
    if (short === undefined) continue
    if ('page' in entry) {
      const page = (yield* draftPage(draft, entry.page)) as DocumentPage
      pages.push({ ...page, file: short })
    } else if ('file' in entry) {
      files.push({ ...(yield* findFile(snapshot, entry.file))!, path: short })
    } else {
      const text = yield* draftText(draft, entry.text)
      yield* removeTextFile(draft, path)
      yield* putTextFile(draft, short, text, entry.id)
    }
  }
  yield* relocate(draft, pages, files)
  return yield* finishDraft(draft)
}

/** Returns the new paths of those with a name that is too long; a folder gets the same name in all of them. */
function shortenPaths(paths: readonly string[]): ReadonlyMap<string, string> {
  const isLong = (name: string): boolean => byteLength(name) > maxNameBytes
  const long = paths.filter((path) => path.split('/').some(isLong))
  if (long.length === 0) return new Map()
  const taken = new Set(paths.flatMap((path) => foldersOf(path)))
  const numberOf = createNumbering()
  const known = new Map<string, string>()
  const shorten = (folder: string, name: string): string => {
    const key = joinPath(folder, name)
    if (!isLong(name)) return key
    const same = known.get(key)
    if (same !== undefined) return same
    const base = shortenName(name, maxNameBytes - numberSuffixBytes)
    const dot = base.lastIndexOf('.') > 0 ? base.lastIndexOf('.') : base.length
    const pathOf = (number: number): string =>
      joinPath(folder, number === 0 ? base : `${base.slice(0, dot)}-${number}${base.slice(dot)}`)
    const path = pathOf(numberOf(joinPath(folder, base), (number) => !taken.has(pathOf(number))))
    taken.add(path)
    known.set(key, path)
    return path
  }
  return new Map(long.map((path) => [path, path.split('/').reduce(shorten, '')]))
}

/** Returns a path and the paths of its ancestor folders. */
function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}
