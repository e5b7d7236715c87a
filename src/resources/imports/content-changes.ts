/** What an import changed: pages, files and other texts that were added, changed or removed. */
import { importChangeTypes } from '../../contract/imports.js'
import { type ContentChange, diffSnapshots } from '../../core/merge/diff-snapshots.js'
import type { Step } from '../../core/merkle/types.js'
import type { PageRecord, Snapshot } from '../../core/pages/types.js'

/** One page, file or text. */
export interface ImportChange {
  readonly type: (typeof importChangeTypes)[number]
  /** Id of a page. */
  readonly page?: string
  /** Of a page its path, and of a link its URL; else the file, from the root of the tree. */
  readonly path: string
}

export interface ImportChanges {
  readonly added: number
  readonly changed: number
  readonly removed: number
  /** Removals first; at most `maxListedChanges`. */
  readonly changes: readonly ImportChange[]
}

/** Changes that are listed one by one. */
const maxListedChanges = 1_000

/** Returns the changes from one content to another. */
export function* listImportChanges(before: Snapshot, after: Snapshot): Step<ImportChanges> {
  const found = new Map<string, ImportChange>()
  for (const change of yield* diffSnapshots(before, after)) {
    const subject = subjectOf(change)
    // A page that was edited and moved is one change.
    const key = subject.page ?? `/${subject.path}`
    if (!found.has(key)) found.set(key, { type: typeOf(change), ...subject })
  }
  const changes = [...found.values()].toSorted(
    (one, other) =>
      importChangeTypes.indexOf(one.type) - importChangeTypes.indexOf(other.type) ||
      (one.path < other.path ? -1 : 1),
  )
  const count = (wanted: ImportChange['type']) => changes.filter(({ type }) => type === wanted).length
  return {
    added: count('added'),
    changed: count('changed'),
    removed: count('removed'),
    changes: changes.slice(0, maxListedChanges),
  }
}

function typeOf({ type }: ContentChange): ImportChange['type'] {
  if (type.endsWith('_created')) return 'added'
  return type.endsWith('_deleted') ? 'removed' : 'changed'
}

function subjectOf(change: ContentChange): Omit<ImportChange, 'type'> {
  if ('page' in change) return { page: change.page.id, path: pathOf(change.page) }
  return { path: 'file' in change ? change.file.path : change.path }
}

function pathOf(page: PageRecord): string {
  return page.type === 'link' ? page.url : page.path
}
