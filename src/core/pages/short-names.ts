/**
 * Names that no file system takes, made shorter for an export. A space may hold them from before names were bounded;
 * what it holds stays as it is: only the snapshot that is written out calls them otherwise.
 */
import { byteLength } from '../bytes.js'
import type { Step } from '../merkle/types.js'
import { draftOf, draftPage, draftText, finishDraft, putTextFile, removeTextFile } from './draft.js'
import type { Draft } from './draft.js'
import { createNumbering } from './numbers.js'
import { joinPath, longestName, shortenName } from './paths.js'
import { findFile, listNames } from './read.js'
import { relocate } from './relocate.js'
import type { DocumentPage, FileRecord, Snapshot } from './types.js'

/** Room for what tells shortened names apart that begin alike. */
const roomForNumber = 11

/** Answers the snapshot with names of at most 255 bytes and the links that follow them; the same one when all are. */
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

/** Returns the new paths of those that have a name which is too long, the same name of a folder in the same way. */
function shortenPaths(paths: readonly string[]): ReadonlyMap<string, string> {
  const isLong = (name: string): boolean => byteLength(name) > longestName
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
    const base = shortenName(name, longestName - roomForNumber)
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

/** Returns a path and those of all folders that it stands in. */
function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}
